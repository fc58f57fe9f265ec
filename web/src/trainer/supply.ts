// Puzzles of the games played here: the newest are analysed until one has some.

import { api } from "../lib/api";
import type { Puzzle } from "../lib/wire";

const POLL_MS = 500;
/** Games that are tried. */
const MOST_GAMES = 3;

async function analysed(id: string): Promise<void> {
  let state = await api.analyse(id, "fast");
  while (state.state === "waiting" || state.state === "running") {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    state = await api.analysis(id, "fast");
  }
}

/** All puzzles, after the newest games that are over were analysed. */
export async function cutPuzzles(): Promise<Puzzle[]> {
  const over = (await api.games()).filter(({ status }) => status === "over").slice(0, MOST_GAMES);
  for (const { id } of over) {
    await analysed(id);
    const puzzles = await api.puzzles();
    if (puzzles.some(({ game }) => game === id)) return puzzles;
  }
  return api.puzzles();
}
