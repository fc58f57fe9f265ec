// The answers that a puzzle offers.

import type { Hints, Puzzle } from "../lib/wire";

export interface Option {
  words: string;
  moves: string[];
  chance: number;
  why: string;
  /** What the player of the game did. */
  isDone: boolean;
  loss: number;
}

/** The best plans and what was done, in an order that tells nothing. */
export function optionsOf(puzzle: Puzzle, hints: Hints): Option[] {
  const plans = hints.plans.map((plan) => ({ words: plan.words, moves: plan.moves, chance: plan.chance, why: plan.why, isDone: plan.words === puzzle.done }));
  const top = Math.max(...plans.map(({ chance }) => chance));
  // What it cost was measured beside the best plan, in the same worlds.
  const done = plans.some(({ isDone }) => isDone) ? [] : [{ words: puzzle.done, moves: [], chance: Math.max(0, top - puzzle.loss), why: "", isDone: true }];
  const all = [...plans, ...done];
  return all.map((option) => ({ ...option, loss: top - option.chance })).sort((a, b) => (a.words < b.words ? -1 : 1));
}
