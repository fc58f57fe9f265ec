import { describe, expect, it } from "vitest";
import type { Frame, GameEvent } from "../lib/wire";
import { summary } from "./summary";

const frame = (owners: number[], round = 3): Frame => ({ owners, armies: [], n_cards: [], income: [], to_place: 0, round, phase: "attack", mover: 0 });
const event = (more: Partial<GameEvent>): GameEvent => ({ seq: 1, seat: 0, kind: "move", move: null, dice: null, losses: null, expected: null, text: "", after: frame([0, 1]), ...more });

describe("the summary of a game", () => {
  it("counts conquests, losses and luck, and says who ended whom", () => {
    const frames = [
      event({}),
      event({ move: "a0>1x3" }),
      event({ kind: "dice", losses: { attacker: 2, defender: 0 }, expected: { attacker: 0.9, defender: 1.1 } }),
      event({ move: "a0>1x3" }),
      event({ kind: "dice", losses: { attacker: 0, defender: 1 }, expected: { attacker: 0.3, defender: 0.7 }, after: frame([0, 0]) }),
    ];
    const rows = summary({ frames, seats: [{ name: "Ann", spec: "human" }, { name: "Ben", spec: "quo" }], result: { ending: "conquest", scores: [1, 0], places: [1, 2] } });
    expect(rows.map(({ name, place, conquests, lost, eliminated }) => ({ name, place, conquests, lost, eliminated }))).toEqual([
      { name: "Ann", place: 1, conquests: 1, lost: 2, eliminated: null },
      { name: "Ben", place: 2, conquests: 0, lost: 1, eliminated: { by: 0, round: 3 } },
    ]);
    expect(rows[0]!.luck).toBeCloseTo(-0.8);
    expect(rows[1]!.luck).toBeCloseTo(0.8);
  });
});
