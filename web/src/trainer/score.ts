// The personal score of this browser, answer by answer.

export interface Answer {
  puzzle: string;
  /** Seconds since 1970. */
  time: number;
  /** Win chance that the answer gave away. */
  loss: number;
}

/** An answer that gives away less than this is as good as the best. */
export const RIGHT = 0.02;

const KEY = "hegemon.trainer";
const MOST = 500;

type Store = Pick<Storage, "getItem" | "setItem">;

export function answers(store: Store): Answer[] {
  try {
    const value = JSON.parse(store.getItem(KEY) ?? "[]") as Answer[];
    return Array.isArray(value) ? value.filter(({ puzzle, loss }) => typeof puzzle === "string" && typeof loss === "number") : [];
  } catch {
    return [];
  }
}

export function addAnswer(store: Store, answer: Answer): Answer[] {
  const all = [...answers(store), answer].slice(-MOST);
  store.setItem(KEY, JSON.stringify(all));
  return all;
}

export const isRight = (loss: number): boolean => loss < RIGHT;

/** Share of right answers among the last `window`, after each answer. */
export const course = (all: readonly Answer[], window: number): number[] =>
  all.map((_, i) => {
    const last = all.slice(Math.max(0, i + 1 - window), i + 1);
    return last.filter(({ loss }) => isRight(loss)).length / last.length;
  });

/** The next puzzle: the first that was not answered yet, else the one answered the longest ago. */
export function nextPuzzle<T extends { id: string }>(puzzles: readonly T[], all: readonly Answer[], current: string | null): T | null {
  const last = (id: string): number => all.findLastIndex(({ puzzle }) => puzzle === id);
  const others = puzzles.filter(({ id }) => id !== current || puzzles.length === 1);
  return others.reduce<T | null>((best, puzzle) => (best === null || last(puzzle.id) < last(best.id) ? puzzle : best), null);
}
