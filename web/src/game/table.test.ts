import { beforeEach, describe, expect, it } from "vitest";
import type { Group, State } from "../lib/wire";
import type { Preferences } from "./preferences";
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

/** A session that is asked this question, in seat 0. */
function ask(groups: Group[], secrets: { cards?: string[] } = {}, attack = "roll"): void {
  const view = { phase: "attack", front: null, cards: secrets.cards ?? [], mission: null, to_place: 3, neutral_to_place: 0, capitals: [] };
  const state = { view, seq: 1 } as unknown as State;
  const sent: unknown[] = [];
  const territories = ["Oslo", "Rome", "Kiev"].map((name) => ({ name, continent: 0, neighbors: [] }));
  fake = { local: [0], isBusy: false, sent, mover: { seat: 0, state, choose: { id: 1, groups, n_moves: 1, moves: null } } };
  const rest = { info: { rules: { battle: { attack } }, map: { territories } }, event: null, current: null, frame: { mover: 0 } };
  const actions = { play: (moves: string[]) => sent.push(moves), attack: (...args: number[]) => sent.push(args) };
  preferences = { value: { speed: "normal", attack: "end", shortcuts: true } };
  table = new Table(Object.assign(fake, rest, actions) as unknown as GameSession, preferences);
}

const ATTACK: Group[] = [{ kind: "attack", from: 0, to: [1], armies: [1, 3] }, { kind: "end" }];

describe("at the table", () => {
  beforeEach(() => ask(ATTACK));

  it("an origin, a target, and the target again is an attack to the end", () => {
    table.pick(0, false);
    expect([...table.marks.targets]).toEqual([1]);
    table.pick(1, false);
    expect(fake.sent).toEqual([]);
    table.pick(1, false);
    expect(fake.sent).toEqual([[0, 1, 1]]);
  });

  it("the mode decides between one roll and many", () => {
    table.pick(1, false);
    preferences.value = { ...preferences.value, attack: "until" };
    table.until = 4;
    table.act();
    preferences.value = { ...preferences.value, attack: "once" };
    table.setAmount(2);
    table.act();
    expect(fake.sent).toEqual([[0, 1, 4], ["a0>1x2"]]);
  });

  it("a whole battle is one move with as many armies as wanted", () => {
    ask(ATTACK, {}, "to-the-end");
    table.pick(1, false);
    table.changeAmount(-1);
    table.changeAmount(-9);
    table.act();
    expect(table.mode).toBeNull();
    expect(fake.sent).toEqual([["a0>1x1"]]);
  });

  it("cancelling goes back step by step, and the phase can be ended", () => {
    table.pick(1, false);
    table.cancel();
    expect(table.selection).toMatchObject({ from: 0, to: null });
    table.end();
    expect(fake.sent).toEqual([["end"]]);
  });

  it("armies are placed together, and taken back before", () => {
    ask([{ kind: "place", to: [0, 1], armies: [1, 7] }]);
    table.batch = "5";
    table.pick(0, false);
    table.pick(1, false);
    table.pick(0, true);
    expect(table.unplaced).toBe(5);
    table.act();
    expect(fake.sent).toEqual([["p1x2"]]);
  });

  it("a single army needs no second question", () => {
    ask([{ kind: "place", to: [0, 1], armies: [1, 1] }]);
    table.pick(1, false);
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
