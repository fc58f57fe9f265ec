import { beforeEach, describe, expect, it } from "vitest";
import type { BattleOdds, Group, State } from "../lib/wire";
import { OddsCache } from "./odds";
import { DEFAULTS, type Preferences } from "./preferences";
import type { GameSession } from "./session.svelte";
import { Table } from "./table.svelte";

interface Fake {
  local: number[];
  isBusy: boolean;
  mover: GameSession["mover"];
  sent: unknown[];
}

let fake: Fake;
let preferences: { value: Preferences };
let table: Table;
/** The chance of every attack. */
let win = 0.9;

/** The odds have come. */
const answered = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const SINGLE = { isTakingBack: false, isDouble: false };
const DOUBLE = { ...SINGLE, isDouble: true };
const BACK = { ...SINGLE, isTakingBack: true };

/** A session that is asked this question, in seat 0. */
function ask(groups: Group[], secrets: { cards?: string[] } = {}, attack = "roll"): void {
  const view = { phase: "attack", front: null, cards: secrets.cards ?? [], mission: null, to_place: 3, neutral_to_place: 0, capitals: [] };
  const state = { view, seq: 1 } as unknown as State;
  const sent: unknown[] = [];
  const territories = ["Oslo", "Rome", "Kiev"].map((name, i) => ({ name, continent: 0, neighbors: [0, 1, 2].filter((other) => other !== i) }));
  fake = { local: [0], isBusy: false, sent, mover: { seat: 0, state, choose: { id: 1, groups, n_moves: 1, moves: null } } };
  const rest = { info: { rules: { battle: { attack } }, map: { territories } }, event: null, current: null, frame: { mover: 0, owners: [0, 1, 1], armies: [8, 3, 2] } };
  const actions = { play: (moves: string[]) => sent.push(moves), attack: (...args: number[]) => sent.push(args) };
  preferences = { value: DEFAULTS };
  const odds = new OddsCache(async () => ({ win, outcomes: [] }) as unknown as BattleOdds);
  table = new Table(Object.assign(fake, rest, actions) as unknown as GameSession, preferences, odds);
}

const ATTACK: Group[] = [{ kind: "attack", from: 0, to: [1], armies: [1, 3] }, { kind: "end" }];

describe("at the table", () => {
  beforeEach(() => {
    win = 0.9;
    ask(ATTACK);
  });

  it("an origin, a target, and the target again is an attack to the end", async () => {
    table.pick(0, SINGLE);
    expect([...table.marks.targets]).toEqual([1]);
    table.pick(1, SINGLE);
    expect(fake.sent).toEqual([]);
    table.pick(1, SINGLE);
    await answered();
    expect(fake.sent).toEqual([[0, 1, 1]]);
  });

  it("an attack below the threshold is asked about once", async () => {
    win = 0.3;
    table.pick(1, SINGLE);
    table.act();
    await answered();
    expect([fake.sent, table.isDoubted]).toEqual([[], true]);
    table.act();
    expect(fake.sent).toEqual([[0, 1, 1]]);
    ask(ATTACK);
    preferences.value = { ...preferences.value, threshold: 20 };
    table.pick(1, SINGLE);
    table.act();
    await answered();
    expect(fake.sent).toEqual([[0, 1, 1]]);
  });

  it("a double click is one roll, or a question where a battle goes to the end", () => {
    table.pick(0, SINGLE);
    table.pick(1, SINGLE);
    table.pick(1, DOUBLE);
    expect(fake.sent).toEqual([["a0>1x3"]]);
    ask(ATTACK, {}, "to-the-end");
    table.pick(1, SINGLE);
    table.pick(1, DOUBLE);
    expect([fake.sent, table.isDoubted]).toEqual([[], true]);
  });

  it("a conquest shows both counts, and the next target moves in and is aimed at", () => {
    ask([{ kind: "occupy", armies: [2, 5] }]);
    fake.mover!.state.view.front = { from: 0, to: 1, fewest: 2 };
    table.setAmount(4);
    expect([...table.marks.preview]).toEqual([[0, 4], [1, 7]]);
    expect([...table.marks.targets]).toEqual([2]);
    table.pick(2, SINGLE);
    expect(fake.sent).toEqual([["o4"]]);
    fake.mover = { ...fake.mover!, choose: { id: 2, groups: [{ kind: "attack", from: 1, to: [2], armies: [1, 3] }], n_moves: 1, moves: null } };
    expect(table.selection).toMatchObject({ from: 1, to: 2 });
  });

  it("a phase with nothing to do is idle, unless the person wants to see it", () => {
    ask([{ kind: "end" }]);
    expect([table.isIdle, table.prompt]).toEqual([true, null]);
    preferences.value = { ...preferences.value, advances: false };
    expect(table.isIdle).toBe(false);
    expect(table.prompt?.primary).toBe("End attacks");
  });

  it("the mode decides between one roll and many", async () => {
    table.pick(1, SINGLE);
    preferences.value = { ...preferences.value, attack: "until" };
    table.until = 4;
    table.act();
    await answered();
    preferences.value = { ...preferences.value, attack: "once" };
    table.setAmount(2);
    table.act();
    await answered();
    expect(fake.sent).toEqual([[0, 1, 4], ["a0>1x2"]]);
  });

  it("a whole battle is one move with as many armies as wanted", async () => {
    ask(ATTACK, {}, "to-the-end");
    table.pick(1, SINGLE);
    table.changeAmount(-1);
    table.changeAmount(-9);
    table.act();
    await answered();
    expect(table.mode).toBeNull();
    expect(fake.sent).toEqual([["a0>1x1"]]);
  });

  it("cancelling goes back step by step, and the phase can be ended", () => {
    table.pick(1, SINGLE);
    table.cancel();
    expect(table.selection).toMatchObject({ from: 0, to: null });
    table.end();
    expect(fake.sent).toEqual([["end"]]);
  });

  it("armies are placed together, and taken back before", () => {
    ask([{ kind: "place", to: [0, 1], armies: [1, 7] }]);
    table.batch = "5";
    table.pick(0, SINGLE);
    table.pick(1, SINGLE);
    table.pick(0, BACK);
    expect(table.unplaced).toBe(5);
    table.act();
    expect(fake.sent).toEqual([["p1x2"]]);
  });

  it("a single army needs no second question", () => {
    ask([{ kind: "place", to: [0, 1], armies: [1, 1] }]);
    table.pick(1, SINGLE);
    expect(fake.sent).toEqual([["p1x1"]]);
  });

  it("nothing can be done while the server has not answered", () => {
    fake.isBusy = true;
    expect(table.prompt).toBeNull();
    table.act();
    table.end();
    expect(fake.sent).toEqual([]);
  });

  it("cards stay hidden until the next person says who they are", () => {
    ask(ATTACK, { cards: ["4"] });
    fake.local = [0, 1];
    expect([table.needsHandOver, table.viewer, table.choose]).toEqual([true, null, null]);
    table.confirm();
    expect([table.needsHandOver, table.viewer]).toEqual([false, 0]);
  });
});
