import { describe, expect, it } from "vitest";
import type { Choose, Group } from "../lib/wire";
import { amount, cancel, carryOver, choiceKind, EMPTY, isElsewhere, mayEnd, moves, pick, range, sources, stage, targets, unplaced } from "./choice";

const asked = (...groups: Group[]): Choose => ({ id: 1, groups, n_moves: 1, moves: null });
const ATTACK = asked(
  { kind: "attack", from: 4, to: [9, 10], armies: [1, 3] },
  { kind: "attack", from: 5, to: [10, 11], armies: [1, 2] },
  { kind: "end" },
);
const even = (): number => 1;
const PLACE = asked({ kind: "place", to: [1, 2], armies: [1, 7] });

describe("what a decision is about", () => {
  it("is the kind of its first group that is not the end", () => {
    expect(choiceKind(ATTACK)).toBe("attack");
    expect(choiceKind(asked({ kind: "end" }))).toBe("end");
    expect(choiceKind(null)).toBe("none");
    expect(mayEnd(ATTACK)).toBe(true);
    expect(mayEnd(PLACE)).toBe(false);
  });
});

describe("attacking", () => {
  it("goes from an origin to one of its targets", () => {
    expect([...sources(ATTACK)]).toEqual([4, 5]);
    expect([...targets(ATTACK, 5)]).toEqual([10, 11]);
    const origin = pick(ATTACK, EMPTY, 4, even);
    const aimed = pick(ATTACK, origin, 10, even);
    expect(moves(ATTACK, origin)).toEqual([]);
    expect(moves(ATTACK, aimed)).toEqual(["a4>10x3"]);
    expect(moves(ATTACK, { ...aimed, amount: 2 })).toEqual(["a4>10x2"]);
  });

  it("never leaves the range of the group", () => {
    const aimed = { ...EMPTY, from: 5, to: 11, amount: 99 };
    expect(range(ATTACK, aimed)).toEqual([1, 2]);
    expect(amount(ATTACK, aimed)).toBe(2);
  });

  it("takes the strongest origin where none is chosen", () => {
    expect(pick(ATTACK, EMPTY, 11, even)).toMatchObject({ from: 5, to: 11 });
    expect(pick(ATTACK, EMPTY, 10, (at) => at)).toMatchObject({ from: 5, to: 10 });
    expect(pick(ATTACK, EMPTY, 10, (at) => -at)).toMatchObject({ from: 4, to: 10 });
    expect(pick(ATTACK, { ...EMPTY, from: 4 }, 11, even)).toMatchObject({ from: 5, to: 11 });
  });

  it("changes the origin, gives it up, and ignores the rest of the board", () => {
    const origin = pick(ATTACK, EMPTY, 4, even);
    expect(pick(ATTACK, origin, 5, even)).toMatchObject({ from: 5, to: null });
    expect(pick(ATTACK, origin, 4, even)).toMatchObject({ from: null });
    expect(pick(ATTACK, origin, 30, even)).toEqual(origin);
  });

  it("is cancelled step by step", () => {
    const aimed = { ...EMPTY, from: 4, to: 9 };
    expect(cancel(aimed)).toMatchObject({ from: 4, to: null });
    expect(cancel(cancel(aimed))).toEqual(EMPTY);
  });

  it("keeps what is still possible at the next decision", () => {
    const aimed = { ...EMPTY, from: 4, to: 9, amount: 2 };
    expect(carryOver(ATTACK, aimed)).toEqual({ ...EMPTY, from: 4, to: 9 });
    expect(carryOver(ATTACK, { ...aimed, to: 11 })).toEqual({ ...EMPTY, from: 4 });
    expect(carryOver(ATTACK, { ...aimed, from: 8 })).toEqual(EMPTY);
    expect(carryOver(PLACE, aimed)).toEqual(EMPTY);
  });
});

describe("placing", () => {
  it("stages armies until none is left, and takes them back", () => {
    let selection = stage(PLACE, EMPTY, 1, 5);
    selection = stage(PLACE, selection, 2, 5);
    expect([...selection.staged]).toEqual([[1, 5], [2, 2]]);
    expect(unplaced(PLACE, selection)).toBe(0);
    selection = stage(PLACE, selection, 1, -5);
    expect([...selection.staged]).toEqual([[2, 2]]);
    expect(moves(PLACE, stage(PLACE, selection, 1, Number.POSITIVE_INFINITY))).toEqual(["p2x2", "p1x5"]);
  });

  it("refuses a territory that is not in the group", () => {
    expect(stage(PLACE, EMPTY, 3, 1)).toEqual(EMPTY);
  });
});

describe("the other decisions", () => {
  it("become moves", () => {
    expect(moves(asked({ kind: "claim", to: [7] }), { ...EMPTY, to: 7 })).toEqual(["c7"]);
    expect(moves(asked({ kind: "capital", to: [7] }), { ...EMPTY, to: 7 })).toEqual(["k7"]);
    expect(moves(asked({ kind: "trade", move: "t0.4.w+0" }), { ...EMPTY, trade: "t0.4.w+0" })).toEqual(["t0.4.w+0"]);
    expect(moves(asked({ kind: "occupy", armies: [2, 5] }), EMPTY)).toEqual(["o5"]);
    expect(moves(asked({ kind: "fortify", from: 4, to: [3], armies: [1, 6] }), { ...EMPTY, from: 4, to: 3, amount: 2 })).toEqual(["f4>3x2"]);
    expect(moves(asked({ kind: "end" }), EMPTY)).toEqual(["end"]);
    expect(moves(null, EMPTY)).toEqual([]);
  });
});

describe("another battle than the one whose dice are shown", () => {
  const battle = { from: 4, to: 9 };
  it("is planned with another origin or another target", () => {
    for (const plan of [{ from: 5, to: null }, { from: 4, to: 10 }, { from: 5, to: 9 }]) expect(isElsewhere(plan, battle)).toBe(true);
  });
  it("is not planned while the origin stays, or the armies that won go on", () => {
    for (const plan of [EMPTY, battle, { from: 4, to: null }, { from: 9, to: null }]) expect(isElsewhere(plan, battle)).toBe(false);
  });
});
