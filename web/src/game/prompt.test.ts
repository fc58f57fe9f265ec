import { describe, expect, it } from "vitest";
import type { Choose, GameMap, Group, View } from "../lib/wire";
import { EMPTY } from "./choice";
import { isRepeatable, promptFor } from "./prompt";

const map = { name: "m", continents: [], territories: ["Oslo", "Rome", "Kiev"].map((name) => ({ name, continent: 0, neighbors: [] })) } as unknown as GameMap;
const view = { phase: "attack", to_place: 3, neutral_to_place: 0, front: { from: 0, to: 1, fewest: 1 } } as View;
const asked = (...groups: Group[]): Choose => ({ id: 1, groups, n_moves: 1, moves: null });
const prompt = (choose: Choose, selection = EMPTY, mode: "once" | "end" | "until" | null = "end") => promptFor(choose, selection, view, map, { mode, until: 3, doubt: null });

describe("the prompt", () => {
  it("leads through an attack", () => {
    const choose = asked({ kind: "attack", from: 0, to: [1], armies: [1, 3] }, { kind: "end" });
    expect(prompt(choose)).toMatchObject({ primary: "Attack", end: "End attacks" });
    expect(prompt(choose, { ...EMPTY, from: 0 }).line).toBe("Attack from Oslo: choose a target.");
    const aimed = { ...EMPTY, from: 0, to: 1 };
    expect(prompt(choose, aimed, "until")).toMatchObject({ line: "Oslo attacks Rome until 3 are left.", primary: "Attack Rome" });
    expect(prompt(choose, aimed, "once").line).toContain("once");
    const doubtful = promptFor(choose, aimed, view, map, { mode: "end", until: 3, doubt: "23 %" });
    expect(doubtful).toMatchObject({ line: "Only 23 % to take Rome. Attack anyway?", primary: "Attack anyway" });
  });

  it("counts the armies that are left to place", () => {
    const choose = asked({ kind: "place", to: [0], armies: [1, 3] });
    expect(prompt(choose).line).toBe("Place 3 armies on your territories.");
    expect(prompt(choose, { ...EMPTY, staged: new Map([[0, 3]]) })).toMatchObject({ primary: "Place 3 armies" });
    expect(promptFor(choose, EMPTY, { ...view, to_place: 0, neutral_to_place: 3 }, map, { mode: null, until: 3, doubt: null }).line).toContain("3 neutral armies");
  });

  it("makes the end of the phase the main action where nothing else is left", () => {
    expect(prompt(asked({ kind: "end" }))).toMatchObject({ primary: "End attacks", end: null });
  });

  it("asks to trade, and says when it must be", () => {
    const trade: Group = { kind: "trade", move: "t0.1.2" };
    expect(prompt(asked(trade, { kind: "end" }))).toMatchObject({ end: "Keep cards" });
    expect(prompt(asked(trade)).line).toContain("too many");
  });

  it("names what moves in and where", () => {
    expect(prompt(asked({ kind: "occupy", armies: [1, 4] }))).toMatchObject({ line: "Rome is yours. How many armies move in?", primary: "Move 4 armies in" });
    const fortify = asked({ kind: "fortify", from: 0, to: [2], armies: [1, 6] }, { kind: "end" });
    expect(prompt(fortify, { ...EMPTY, from: 0, to: 2, amount: 1 })).toMatchObject({ primary: "Move 1 army", end: "End turn" });
  });

  it("repeats rolls and rounds, not whole battles", () => {
    expect(["roll", "groups", "to-the-end", "balanced-blitz"].map(isRepeatable)).toEqual([true, true, false, false]);
  });
});
