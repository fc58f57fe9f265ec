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
