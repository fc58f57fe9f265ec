// Two browsers in one game: neither sees the other's cards, on the screen or on the wire.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asked, decide, look, mouse, moved } from "./hands.mjs";
import { launch, person, Server } from "./harness.mjs";

let server;
let browser;
before(async () => {
  server = await new Server().start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Every message that a page receives over its socket. */
function listen(page) {
  const messages = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => messages.push(JSON.parse(String(payload)))));
  return messages;
}

test("an invited person plays in another browser, and hands stay secret", async () => {
  const ann = await person(browser, server);
  const ben = await person(browser, server);
  const heard = [listen(ann.page), listen(ben.page)];

  await ann.page.goto(server.url);
  await ann.page.locator("select[name=map]").selectOption("classic");
  await ann.page.locator("select[name=rules]").selectOption("lux");
  await ann.page.getByRole("button", { name: "One player fewer" }).click();
  await ann.page.getByLabel("Player 2", { exact: true }).selectOption("remote");
  await ann.page.getByText("More: every rule").click();
  await ann.page.getByLabel("Placement").selectOption({ label: "Spread evenly" });
  await ann.page.getByRole("button", { name: "Start game" }).click();
  await ben.page.goto(await ann.page.getByTestId("invitation").inputValue());
  await ben.page.getByTestId("join-go").click();
  await ben.page.locator("[data-territory]").first().waitFor();

  const pages = [ann.page, ben.page];
  const map = await server.get("/api/maps/classic");
  const hands = pages.map(mouse);
  const cards = (page) => page.getByLabel("Your cards").getByRole("listitem").count();
  // One conquest a turn brings a card.
  let hasConquered = false;
  for (let n = 0; n < 400; n += 1) {
    if ((await cards(ann.page)) > 0 && (await cards(ben.page)) > 0) break;
    const seat = await Promise.race(pages.map((page, i) => asked(page).then(() => i)));
    const see = await look(pages[seat]);
    assert.ok(!see.isOver, "the game ended before both had cards");
    if (see.primary?.startsWith("Place")) hasConquered = false;
    if (see.prompt.includes("move in")) hasConquered = true;
    await decide(pages[seat], hands[seat], map, see, { n, mayAttack: !hasConquered });
    await moved(pages[seat], see);
  }
  assert.ok((await cards(ann.page)) > 0 && (await cards(ben.page)) > 0, "both hold cards");

  const states = heard.map((messages) => messages.filter(({ type }) => type === "state"));
  for (const [seat, own] of states.entries()) {
    assert.ok(own.some(({ view }) => view.cards.length > 0));
    for (const { view } of own) assert.equal(view.cards.length, view.n_cards[seat], "a state shows one's own hand and no other card");
  }
  // What one draws must not be readable in anything that the other received.
  const bySeq = states.map((own) => new Map(own.map((state) => [state.seq, state.view.cards])));
  for (const [seq, hand] of bySeq[0]) {
    const other = bySeq[1].get(seq) ?? [];
    assert.deepEqual(hand.filter((card) => card !== "w" && other.includes(card)), []);
  }
  for (const [seat, messages] of heard.entries()) {
    const draws = messages.filter(({ type }) => type === "events").flatMap(({ events }) => events).filter(({ kind, seat: drawer }) => kind === "card" && drawer !== seat);
    assert.ok(draws.length > 0);
    for (const { text } of draws) assert.ok(!map.territories.some(({ name }) => text.includes(name)), text);
  }
  // Only the own token ever opens the own seat.
  assert.deepEqual(heard.map((messages) => messages.find(({ type }) => type === "hello").seat), [0, 1]);
  ann.check();
  ben.check();
  await ann.context.close();
  await ben.context.close();
});

test("a seat opened in a second window leaves the first, and can be taken back", async () => {
  const { page, context, check } = await person(browser, server);
  const game = await server.create({ map: "line4", rules: "sampling", seats: [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Ben" }] });
  const link = `${server.url}/#/game/${game.id}?token=${game.seats[0].token}`;
  await page.goto(link);
  await page.locator("[data-territory]").first().waitFor();
  const second = await context.newPage();
  await second.goto(link);
  await page.getByText("Opened elsewhere").waitFor();
  await page.getByRole("button", { name: "Take it back" }).click();
  await second.getByText("Opened elsewhere").waitFor();
  await page.getByText("Opened elsewhere").waitFor({ state: "hidden" });
  check();
  await context.close();
});

test("a link with a wrong token says so", async () => {
  const { page, context } = await person(browser, server);
  const game = await server.create({ map: "line4", rules: "sampling", seats: [{ kind: "human", name: "Ann" }, { kind: "remote", name: "Ben" }] });
  await page.goto(`${server.url}/#/game/${game.id}?token=wrong`);
  await page.getByRole("alert").waitFor();
  await page.goto(`${server.url}/#/game/nonsense`);
  await page.getByRole("alert").waitFor();
  await context.close();
});
