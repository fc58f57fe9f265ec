// What goes over the sockets of a page, byte for byte, and whether a card of somebody else was among it.

import assert from "node:assert/strict";

/** Every frame that the sockets of a page receive, as it came. */
export function tapWires(page) {
  const frames = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
  return frames;
}

export const messagesOf = (frames) => frames.map((text) => JSON.parse(text));
export const eventsOf = (frames) => messagesOf(frames).flatMap(({ events }) => events ?? []);

/** Cards are the only numbers in quotation marks on the wire; a wild one is "w". */
const cardsIn = (text) => [...text.matchAll(/"(\d+|w)"/g)].map(([, card]) => card).sort();
const tradesIn = (text) => [...text.matchAll(/"t((?:\d+|w)(?:\.(?:\d+|w))*)(?:\+\d+)?"/g)].flatMap(([, cards]) => cards.split("."));

/** What everybody may know of a state: all but the hand, the mission and the question of the seat. Who is waited for may change without an event. */
function publicPart({ thinking, choose, view, ...state }) {
  const { cards, mission, ...board } = view;
  return JSON.stringify({ ...state, view: board });
}

/** What a watcher was told, by number of the event. Who changed their name since is told again under the new one, which `nameNow` puts in. */
export function watchedBy(frames, nameNow) {
  const states = messagesOf(frames).filter(({ type }) => type === "state");
  return {
    nameNow,
    events: new Map(eventsOf(frames).map((event) => [event.seq, nameNow(JSON.stringify(event))])),
    states: new Map(states.map((state) => [state.seq, publicPart(state)])),
  };
}

/**
 * Who held which cards after each event: a list by seat for each number, from the record of the finished game, which names every card, and
 * the events that everybody saw. It ends where a hand is captured.
 */
export function handsByEvent(record, events, nPlayers) {
  const words = record.split("\n").slice(2).filter((line) => !/^(end \w|sum )/.test(line)).join(" ").split(/\s+/).filter(Boolean);
  const told = events.filter(({ kind }) => kind !== "note");
  assert.equal(words.length, told.length, "one word of the record for each event");
  const hands = Array.from({ length: nPlayers }, () => []);
  const all = new Map();
  for (const [n, { seq, seat, kind, after }] of told.entries()) {
    const word = words[n];
    assert.equal(word.startsWith("W"), kind === "card", `event ${seq} is ${word}`);
    if (kind === "card") hands[seat].push(word.slice(1));
    for (const card of tradesIn(`"${word}"`)) hands[seat].splice(hands[seat].indexOf(card), 1);
    if (hands.some((hand, i) => hand.length !== after.n_cards[i])) return all;
    all.set(seq, hands.map((hand) => [...hand].sort()));
  }
  return all;
}

/**
 * Checks every frame that a seat received: beyond what a watcher was told it has the seat's own cards, mission and questions, and nothing
 * else. Answers how many hands were compared with the record.
 */
export function assertOwnCards(frames, seat, watched, hands) {
  let compared = 0;
  for (const text of frames) {
    const message = JSON.parse(text);
    if (message.type !== "state") {
      assert.deepEqual(cardsIn(text), [], `a card in ${text.slice(0, 300)}`);
      for (const event of message.events ?? []) if (watched.events.has(event.seq)) assert.equal(watched.nameNow(JSON.stringify(event)), watched.events.get(event.seq), "events are the same for everybody");
      if (message.type !== "events") assert.deepEqual(tradesIn(text), []);
      continue;
    }
    const { view, seq, choose } = message;
    assert.equal(view.cards.length, view.n_cards[seat], `the hand of seat ${seat}`);
    assert.deepEqual(cardsIn(text), [...view.cards, ...view.discard].sort(), "no card but the own ones and those that were traded");
    for (const card of tradesIn(JSON.stringify(choose))) assert.ok(view.cards.includes(card), `${card} is offered for a trade`);
    if (watched.states.has(seq)) assert.equal(publicPart(message), watched.states.get(seq), `the board after event ${seq}`);
    const truth = hands.get(seq);
    if (truth === undefined) continue;
    assert.deepEqual([...view.cards].sort(), truth[seat], `the cards of seat ${seat} after event ${seq}`);
    compared += 1;
  }
  return compared;
}
