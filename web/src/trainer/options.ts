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
  const done = plans.some(({ isDone }) => isDone) ? [] : [{ words: puzzle.done, moves: [], chance: puzzle.chance, why: "", isDone: true }];
  const all = [...plans, ...done];
  const best = Math.max(...all.map(({ chance }) => chance));
  return all.map((option) => ({ ...option, loss: best - option.chance })).sort((a, b) => (a.words < b.words ? -1 : 1));
}
