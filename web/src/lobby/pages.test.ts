import { describe, expect, it } from "vitest";
import type { GameLine } from "../lib/wire";
import { GAMES_A_PAGE, ownAmong, refreshed } from "./pages";

/** A server with `n` unfinished games, whose newest is called `g1`. */
function listed(n: number) {
  const all = Array.from({ length: n }, (_, i) => ({ id: `g${i + 1}` }) as GameLine);
  const asked: (string | undefined)[] = [];
  const page = async (before?: string): Promise<GameLine[]> => {
    asked.push(before);
    const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
    return all.slice(from, from + GAMES_A_PAGE);
  };
  return { page, asked };
}

const ids = (games: GameLine[]): string[] => games.map(({ id }) => id);

describe("one's own unfinished games", () => {
  it("are found behind hundreds of others", async () => {
    const { page, asked } = listed(250);
    expect(ids(await ownAmong(["g240", "g3", "over"], page))).toEqual(["g3", "g240"]);
    expect(asked).toEqual([undefined, "g100", "g200"]);
  });

  it("are asked for no longer than needed, and not at all by who has none", async () => {
    const { page, asked } = listed(250);
    expect(ids(await ownAmong(["g3"], page))).toEqual(["g3"]);
    expect(await ownAmong([], page)).toEqual([]);
    expect(asked).toEqual([undefined]);
  });
});

describe("a list that is asked for again", () => {
  const games = (from: number, to: number): GameLine[] => Array.from({ length: to - from + 1 }, (_, i) => ({ id: `g${from + i}` }) as GameLine);

  it("loses what was removed elsewhere, though it was the oldest or the only one", () => {
    expect(ids(refreshed(games(1, 5), games(1, 4)))).toEqual(["g1", "g2", "g3", "g4"]);
    expect(refreshed(games(1, 1), [])).toEqual([]);
  });

  it("keeps the older games that were asked for", () => {
    expect(ids(refreshed(games(1, 150), games(0, 99)))).toEqual(ids(games(0, 150).filter(({ id }) => id !== "g100")));
  });
});
