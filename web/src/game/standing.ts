// One's own games against the levels, kept in this browser, and the rating that they give.

import type { Level, SeatInfo } from "../lib/wire";

export interface Played {
  /** The game, so that it counts once. */
  id: string;
  /** Levels of the opponents. */
  levels: string[];
  /** Share of the win. */
  score: number;
}

export interface Rating {
  elo: number;
  low: number;
  high: number;
  games: number;
}

export interface LevelRecord {
  level: Level;
  games: number;
  wins: number;
}

const KEY = "hegemon.results";
const MOST_GAMES = 500;
/** Elo as a factor: ten times as strong at 400 points. */
const PER_POINT = Math.LN10 / 400;
/** Before the first game: the middle of the pool, give or take this many points. */
const PRIOR = 400;
/** Standard deviations of a 95 % interval. */
const WIDTH = 1.96;

export function loadPlayed(store: Pick<Storage, "getItem">): Played[] {
  try {
    const value = JSON.parse(store.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(value) ? (value as Played[]).filter(({ id, levels, score }) => typeof id === "string" && Array.isArray(levels) && typeof score === "number") : [];
  } catch {
    return [];
  }
}

export function addPlayed(store: Pick<Storage, "getItem" | "setItem">, game: Played): Played[] {
  const all = [...loadPlayed(store).filter(({ id }) => id !== game.id), game].slice(-MOST_GAMES);
  store.setItem(KEY, JSON.stringify(all));
  return all;
}

/** The share of the win that is a person's own: who has resigned has lost, whatever the bot made of it. */
export const ownScore = (seat: Pick<SeatInfo, "hands"> | undefined, share: number): number => (seat?.hands === "resigned" ? 0 : share);

/** Games and wins against each level that was met. */
export function records(played: readonly Played[], levels: readonly Level[]): LevelRecord[] {
  return levels
    .map((level) => {
      const met = played.filter((game) => game.levels.includes(level.id));
      return { level, games: met.length, wins: met.reduce((sum, { score }) => sum + score, 0) };
    })
    .filter(({ games }) => games > 0);
}

/**
 * The rating under which a player wins such games as often as seen: the chance to win is one's share of the strengths
 * at the table. The ratings of the levels count as known, and one's own is a guess before the first game.
 */
export function rating(played: readonly Played[], levels: readonly Level[]): Rating | null {
  const elo = new Map(levels.flatMap(({ id, rating: known }) => (known === null ? [] : [[id, known.elo] as const])));
  const games = played.filter((game) => game.levels.length > 0 && game.levels.every((level) => elo.has(level)));
  if (games.length === 0) return null;
  const rivals = games.map((game) => game.levels.reduce((sum, level) => sum + Math.exp(PER_POINT * elo.get(level)!), 0));
  const prior = 1 / (PRIOR * PER_POINT) ** 2;
  let strength = 0;
  let information = prior;
  for (let step = 0; step < 50; step += 1) {
    const chances = rivals.map((sum) => 1 / (1 + sum * Math.exp(-strength)));
    const slope = games.reduce((sum, { score }, i) => sum + score - chances[i]!, 0) - prior * strength;
    information = chances.reduce((sum, chance) => sum + chance * (1 - chance), prior);
    // Short steps: far away the curve is nearly flat.
    strength += Math.max(-1, Math.min(1, slope / information));
  }
  const spread = WIDTH / Math.sqrt(information);
  return { elo: strength / PER_POINT, low: (strength - spread) / PER_POINT, high: (strength + spread) / PER_POINT, games: games.length };
}
