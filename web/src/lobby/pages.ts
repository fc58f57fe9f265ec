// Lists of games come in pages, newest first.

import type { GameLine } from "../lib/wire";

/** The server tells no more games at a time. */
export const GAMES_A_PAGE = 100;

/** One's own games, however many others are newer; `page` answers with those before a game. */
export async function ownAmong(held: readonly string[], page: (before?: string) => Promise<GameLine[]>): Promise<GameLine[]> {
  const missing = new Set(held);
  const found: GameLine[] = [];
  let before: string | undefined;
  while (missing.size > 0) {
    const games = await page(before);
    found.push(...games.filter(({ id }) => missing.delete(id)));
    if (games.length < GAMES_A_PAGE) break;
    before = games.at(-1)!.id;
  }
  return found;
}

/** The list after its newest page was asked for again: what was shown behind that page stays, unless there is nothing behind it. */
export function refreshed(shown: readonly GameLine[], newest: readonly GameLine[]): GameLine[] {
  if (newest.length < GAMES_A_PAGE) return [...newest];
  return [...newest, ...shown.slice(newest.length).filter((game) => !newest.some(({ id }) => id === game.id))];
}
