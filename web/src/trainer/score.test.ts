import { describe, expect, it } from "vitest";
import { addAnswer, answers, course, nextPuzzle } from "./score";

const memory = () => {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
};

describe("the score of the trainer", () => {
  it("is kept and survives nonsense", () => {
    const store = memory();
    expect(answers(store)).toEqual([]);
    addAnswer(store, { puzzle: "a", time: 1, loss: 0 });
    expect(addAnswer(store, { puzzle: "b", time: 2, loss: 0.1 })).toHaveLength(2);
    expect(answers(store).map(({ puzzle }) => puzzle)).toEqual(["a", "b"]);
    store.setItem("hegemon.trainer", "{nonsense");
    expect(answers(store)).toEqual([]);
    store.setItem("hegemon.trainer", '{"a":1}');
    expect(answers(store)).toEqual([]);
  });

  it("has a course over time", () => {
    const all = [0, 0.5, 0.01, 0.019].map((loss, time) => ({ puzzle: "a", time, loss }));
    expect(course(all, 2)).toEqual([1, 0.5, 0.5, 1]);
  });

  it("asks what was not asked yet, then what was asked the longest ago", () => {
    const puzzles = ["a", "b", "c"].map((id) => ({ id }));
    const of = (...ids: string[]) => ids.map((puzzle, time) => ({ puzzle, time, loss: 0 }));
    expect(nextPuzzle(puzzles, of("a"), "a")?.id).toBe("b");
    expect(nextPuzzle(puzzles, of("b", "a", "c"), "c")?.id).toBe("b");
    expect(nextPuzzle(puzzles, of("b", "a", "c"), "b")?.id).toBe("a");
    expect(nextPuzzle([], [], null)).toBeNull();
    expect(nextPuzzle([{ id: "a" }], of("a"), "a")?.id).toBe("a");
  });
});
