import { describe, expect, it } from "vitest";
import type { Frame, GameEvent, GameMap } from "../lib/wire";
import { about, lastTurnOf, story, tellingOf } from "./story";

const map = {
  name: "m",
  territories: ["Peru", "Brazil", "Oslo"].map((name, i) => ({ name, continent: i < 2 ? 0 : 1, neighbors: [] })),
  continents: [
    { name: "South", bonus: 2, territories: [0, 1] },
    { name: "North", bonus: 3, territories: [2] },
  ],
} as unknown as GameMap;
const cast = { map, rules: { cards: { capture: true } } as never, seats: [{ name: "Ann" }, { name: "Ben" }] };

const START: Frame = { owners: [0, 1, 1], armies: [14, 3, 2], n_cards: [1, 2], income: [3, 3], to_place: 0, round: 1, phase: "attack", mover: 0 };
let seq = 0;
let frame = START;
function event(more: Partial<GameEvent> & { after?: never }, change: Partial<Frame> = {}): GameEvent {
  frame = { ...frame, ...change };
  seq += 1;
  return { seq, seat: 0, kind: "move", move: null, dice: null, losses: null, expected: null, text: "", ...more, after: frame };
}
const restart = (): void => {
  seq = 0;
  frame = START;
};
const texts = (events: GameEvent[]): string[] => story(events, cast).flatMap(({ lines }) => lines.map(({ text }) => text));

describe("the story", () => {
  it("tells a battle in one line, with what it decides", () => {
    restart();
    const events = [
      event({ move: "end" }),
      event({ move: "a0>1x3" }, { phase: "battle" }),
      event({ kind: "dice", losses: { attacker: 1, defender: 1 } }, { armies: [13, 2, 2], phase: "attack" }),
      event({ move: "a0>1x3" }, { phase: "battle" }),
      event({ kind: "dice", losses: { attacker: 1, defender: 2 } }, { armies: [12, 0, 2], owners: [0, 0, 1], phase: "occupy" }),
      event({ move: "o8" }, { armies: [4, 8, 2], phase: "attack" }),
    ];
    const [chapter] = story(events, cast);
    expect(chapter).toMatchObject({ round: 1, opensRound: true, seat: 0 });
    expect(chapter!.lines.map(({ text }) => text)).toEqual(["Peru beats Brazil: 14 against 3, lost 2", "takes South (+2)"]);
    expect(tellingOf(events, 3, cast), "what comes is not told before").toBe("Ann: Brazil holds against Peru: 14 against 3, lost 1, killed 1");
    expect(tellingOf(events, 6, cast)).toBe("Ann: Peru beats Brazil: 14 against 3, lost 2");
    expect(tellingOf(events, 1, cast)).toBe("");
    expect(chapter!.lines[0]).toMatchObject({ first: 2, last: 6, places: { from: 0, to: 1 }, others: [1] });
  });

  it("tells eliminations with the cards, and trades with their worth", () => {
    restart();
    frame = { ...START, owners: [0, 0, 1] };
    const events = [
      event({ move: "t0.1.w" }, { to_place: 8, phase: "reinforce" }),
      event({ move: "p0x5" }, { to_place: 3 }),
      event({ move: "p1x3" }, { to_place: 0, phase: "attack" }),
      event({ move: "a1>2x3" }, { phase: "battle" }),
      event({ kind: "dice", losses: { attacker: 0, defender: 2 } }, { owners: [0, 0, 0], phase: "occupy" }),
    ];
    expect(texts([event({ move: "end" }), ...events].map((one, i) => ({ ...one, seq: i + 1 })))).toEqual([
      "trades Peru, Brazil and a wild card for 8 armies",
      "places 5 in Peru and 3 in Brazil",
      "Brazil beats Oslo: 3 against 2, lost 0",
      "Ben loses North (+3)",
      "takes North (+3)",
      "eliminates Ben and takes 2 cards",
    ]);
  });

  it("has a chapter for each turn, and shows what concerns one player", () => {
    restart();
    const events = [
      event({ move: "f0>1x2", seat: 0 }),
      event({ move: "p2x3", seat: 1 }, { round: 1, mover: 1 }),
      event({ move: "a2>0x1", seat: 1 }),
      event({ kind: "dice", seat: 1, losses: { attacker: 1, defender: 0 } }, { round: 2, mover: 0 }),
      event({ move: "p0x3", seat: 0 }),
    ];
    const chapters = story(events, cast);
    expect(chapters.map(({ round, seat, opensRound }) => [round, seat, opensRound])).toEqual([
      [1, 0, true],
      [1, 1, false],
      [2, 0, true],
    ]);
    expect(about(chapters, 0).flatMap(({ lines }) => lines.map(({ kind }) => kind))).toEqual(["march", "battle", "place"]);
  });

  it("knows where one's last turn ended, in the middle of the next", () => {
    restart();
    const events = [event({ move: "end", seat: 0 }), event({ move: "p2x3", seat: 1 }), event({ move: "end", seat: 1 })];
    expect(lastTurnOf(events, [0])).toBe(1);
    expect(lastTurnOf([...events, event({ move: "p0x3", seat: 0 })], [0])).toBe(1);
    expect(lastTurnOf(events.slice(1), [0])).toBeNull();
  });
});
