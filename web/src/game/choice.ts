// From the legal groups and what is selected to one move string. No rule of the game is known here:
// what is not in a group cannot be chosen.

import type { Choose, Group } from "../lib/wire";

export type ChoiceKind = "none" | "claim" | "capital" | "trade" | "place" | "attack" | "occupy" | "fortify" | "end";

export interface Selection {
  from: number | null;
  to: number | null;
  /** The three cards of a set, as in the move. */
  trade: string | null;
  /** Armies to move; `null` for the proposal. */
  amount: number | null;
  /** Armies put down but not yet sent, by territory. */
  staged: ReadonlyMap<number, number>;
}

export const EMPTY: Selection = { from: null, to: null, trade: null, amount: null, staged: new Map() };

type Targeted = Extract<Group, { to: number[] }>;
type Directed = Extract<Group, { from: number }>;

const isTargeted = (group: Group): group is Targeted => "to" in group;
const isDirected = (group: Group): group is Directed => "from" in group;

/** What this decision is about. */
export function choiceKind(choose: Choose | null): ChoiceKind {
  if (choose === null) return "none";
  const main = choose.groups.find((group) => group.kind !== "end");
  return main?.kind ?? (choose.groups.length > 0 ? "end" : "none");
}

export const mayEnd = (choose: Choose | null): boolean => choose?.groups.some((group) => group.kind === "end") ?? false;

/** Territories that a move may start from. */
export const sources = (choose: Choose | null): Set<number> =>
  new Set(choose?.groups.filter(isDirected).map((group) => group.from) ?? []);

/** Territories that may be aimed at, given the selected origin. */
export function targets(choose: Choose | null, from: number | null): Set<number> {
  const groups = choose?.groups.filter(isTargeted) ?? [];
  return new Set(groups.filter((group) => !isDirected(group) || group.from === from).flatMap((group) => group.to));
}

/** The fewest and the most armies of what is selected. */
export function range(choose: Choose | null, selection: Selection): [number, number] | null {
  for (const group of choose?.groups ?? []) {
    if (!("armies" in group)) continue;
    if (group.kind === "occupy" || group.kind === "place") return group.armies;
    if (group.from === selection.from && selection.to !== null && group.to.includes(selection.to)) return group.armies;
  }
  return null;
}

const clamp = (value: number, [fewest, most]: [number, number]): number => Math.min(most, Math.max(fewest, value));

/** The number that a slider shows: what was set, or the most. */
export function amount(choose: Choose | null, selection: Selection): number {
  const bounds = range(choose, selection);
  return bounds === null ? 0 : clamp(selection.amount ?? bounds[1], bounds);
}

export const stagedTotal = (selection: Selection): number => [...selection.staged.values()].reduce((sum, n) => sum + n, 0);

/** Armies that are neither placed nor staged. */
export function unplaced(choose: Choose | null, selection: Selection): number {
  const group = choose?.groups.find((candidate) => candidate.kind === "place");
  return group?.kind === "place" ? group.armies[1] - stagedTotal(selection) : 0;
}

/** Puts `n` armies more (or fewer) on a territory, as far as there are any. */
export function stage(choose: Choose | null, selection: Selection, territory: number, n: number): Selection {
  if (!targets(choose, null).has(territory)) return selection;
  const before = selection.staged.get(territory) ?? 0;
  const after = Math.max(0, before + Math.min(n, unplaced(choose, selection)));
  const staged = new Map(selection.staged);
  if (after === 0) staged.delete(territory);
  else staged.set(territory, after);
  return { ...selection, staged };
}

/** Selecting a territory by click or Enter. `strength` tells the better of several origins. */
export function pick(choose: Choose | null, selection: Selection, territory: number, strength: (territory: number) => number): Selection {
  switch (choiceKind(choose)) {
    case "claim":
    case "capital":
      return targets(choose, null).has(territory) ? { ...selection, to: territory } : selection;
    case "attack":
    case "fortify":
      return pickDirected(choose, selection, territory, strength);
    default:
      return selection;
  }
}

function pickDirected(choose: Choose | null, selection: Selection, territory: number, strength: (territory: number) => number): Selection {
  if (selection.from !== null && targets(choose, selection.from).has(territory)) {
    return { ...selection, to: territory, amount: null };
  }
  if (territory === selection.from) return { ...selection, from: null, to: null, amount: null };
  if (sources(choose).has(territory)) return { ...selection, from: territory, to: null, amount: null };
  // A target without an origin, or with one that does not reach it: the strongest that does.
  const origins = [...sources(choose)].filter((from) => targets(choose, from).has(territory));
  const [strongest] = origins.sort((a, b) => strength(b) - strength(a));
  return strongest === undefined ? selection : { ...selection, from: strongest, to: territory, amount: null };
}

/** Whether a selection is about another battle than this one. Armies that won go on from where they won. */
export function isElsewhere({ from, to }: Pick<Selection, "from" | "to">, battle: Pick<Selection, "from" | "to">): boolean {
  const isOtherOrigin = from !== null && from !== battle.from && from !== battle.to;
  return isOtherOrigin || (to !== null && to !== battle.to);
}

/** One step back: the target, then the origin, then what was staged. */
export function cancel(selection: Selection): Selection {
  if (selection.to !== null) return { ...selection, to: null, amount: null };
  return EMPTY;
}

/** What of a selection is still possible at the next decision. */
export function carryOver(choose: Choose | null, selection: Selection): Selection {
  const kind = choiceKind(choose);
  if ((kind !== "attack" && kind !== "fortify") || selection.from === null) return EMPTY;
  if (!sources(choose).has(selection.from)) return EMPTY;
  const to = selection.to !== null && targets(choose, selection.from).has(selection.to) ? selection.to : null;
  return { ...EMPTY, from: selection.from, to };
}

/** The moves to send for what is selected, in order; empty if something is missing. */
export function moves(choose: Choose | null, selection: Selection): string[] {
  const n = amount(choose, selection);
  switch (choiceKind(choose)) {
    case "claim":
      return selection.to === null ? [] : [`c${selection.to}`];
    case "capital":
      return selection.to === null ? [] : [`k${selection.to}`];
    case "trade":
      return selection.trade === null ? [] : [selection.trade];
    case "place":
      return [...selection.staged].map(([territory, armies]) => `p${territory}x${armies}`);
    case "attack":
    case "fortify": {
      if (selection.from === null || selection.to === null || range(choose, selection) === null) return [];
      return [`${choiceKind(choose) === "attack" ? "a" : "f"}${selection.from}>${selection.to}x${n}`];
    }
    case "occupy":
      return [`o${n}`];
    case "end":
      return ["end"];
    case "none":
      return [];
  }
}
