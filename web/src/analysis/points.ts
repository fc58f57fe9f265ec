// What an analysis says about a frame, a player and a game.

import type { AnalysisPoint, GameAnalysis, Skill } from "../lib/wire";

export type Mark = NonNullable<Skill["mark"]>;

/** The signs beside moves, as in chess. */
export const SIGNS: Record<Mark, string> = { inaccuracy: "?!", error: "?", blunder: "??" };

export interface Judged {
  point: AnalysisPoint;
  skill: Skill;
}

export interface Rolled {
  point: AnalysisPoint;
  /** Win chance that it brought to the player. */
  luck: number;
}

/** The last point that is not after a frame. */
export function pointAt(points: readonly AnalysisPoint[], frame: number): AnalysisPoint | null {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]!.frame <= frame) low = middle + 1;
    else high = middle;
  }
  return points[low - 1] ?? null;
}

/** Decisions with a mark, in the order of the game. */
export const mistakes = (analysis: GameAnalysis): (Judged & { mark: Mark })[] =>
  analysis.points.flatMap((point) => (point.skill?.mark ? [{ point, skill: point.skill, mark: point.skill.mark }] : []));

/** The frame of the next mistake after a frame, or of the one before it. */
export function nextMistake(analysis: GameAnalysis, frame: number, direction: 1 | -1, seat: number | null = null): number | null {
  const frames = mistakes(analysis)
    .filter(({ point }) => seat === null || point.seat === seat)
    .map(({ point }) => point.frame);
  return (direction > 0 ? frames.find((found) => found > frame) : frames.findLast((found) => found < frame)) ?? null;
}

/** The decisions of a player that cost most, the worst first; those of a bot that stood in are not the player's. */
export const worst = (analysis: GameAnalysis, seat: number, n: number): Judged[] =>
  analysis.points
    .flatMap((point) => (point.seat === seat && point.skill?.mark && !point.skill.by_stand_in ? [{ point, skill: point.skill }] : []))
    .sort((a, b) => b.skill.loss - a.skill.loss)
    .slice(0, n);

/** How many decisions of a player a bot made that stood in. */
export const n_byStandIn = (analysis: GameAnalysis, seat: number): number => analysis.points.filter((point) => point.seat === seat && point.skill?.by_stand_in).length;

/** What the dice brought to a player, the luckiest first. */
export const rolls = (analysis: GameAnalysis, seat: number): Rolled[] =>
  analysis.points
    .flatMap((point) => (point.luck?.kind === "dice" ? [{ point, luck: point.luck.by_seat[seat] ?? 0 }] : []))
    .sort((a, b) => b.luck - a.luck);

/** Chances by seat for columns of a graph, and their standard errors: those of the last point before each column. */
export function columns(analysis: GameAnalysis, n_frames: number, n: number): { chances: number[]; errors: number[] }[] {
  const { points } = analysis;
  const n_seats = analysis.totals.length;
  const even = Array.from({ length: n_seats }, () => 1 / n_seats);
  const none = Array.from({ length: n_seats }, () => 0);
  return Array.from({ length: n }, (_, column) => {
    const point = pointAt(points, Math.round((column * (n_frames - 1)) / Math.max(1, n - 1)));
    return { chances: point?.chances ?? even, errors: point?.errors ?? none };
  });
}

/** Upper and lower edges of the area of a seat, the first seat on top; heights from 0 to 1, 0 on top. */
export const edges = (chances: readonly number[], seat: number): [number, number] => {
  const above = chances.slice(0, seat).reduce((sum, chance) => sum + chance, 0);
  return [above, above + (chances[seat] ?? 0)];
};
