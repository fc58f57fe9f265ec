import { describe, expect, it } from "vitest";
import type { GameLine } from "../lib/wire";
import { GAMES_A_PAGE, ownAmong } from "./pages";

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
