import { expect, it } from "vitest";
import type { Hints, Puzzle } from "../lib/wire";
import { optionsOf } from "./options";

const plan = (words: string, chance: number) => ({ words, chance, moves: ["end"], error: 0.01, losses: 1, kills: 1, why: "why" });
const puzzle = { done: "attack A", chance: 0.2, loss: 0.1 } as Puzzle;
const hints = (...plans: [string, number][]) => ({ seat: 0, chances: [], errors: [], plans: plans.map(([words, chance]) => plan(words, chance)) }) as Hints;

it("offers the best plans and what was done, in an order that tells nothing", () => {
  const options = optionsOf(puzzle, hints(["place B", 0.5], ["attack C", 0.45]));
  expect(options.map(({ words }) => words)).toEqual(["attack A", "attack C", "place B"]);
  expect(options.map(({ loss }) => Math.round(100 * loss))).toEqual([10, 5, 0]);
  expect(options[0]).toMatchObject({ isDone: true });
});

it("does not offer twice what was done", () => {
  const options = optionsOf(puzzle, hints(["place B", 0.5], ["attack A", 0.45]));
  expect(options.map(({ isDone }) => isDone)).toEqual([true, false]);
});
