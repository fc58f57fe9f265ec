// A replay as a tape: a position, and a clock that moves it.

import type { Frame, Replay } from "../lib/wire";

/** Frames a second, from a slow walk to a flight. */
export const RATES = [1, 2, 5, 10, 25, 60, 200] as const;

/** The position after `ms` milliseconds of play, and what is left over of a frame. */
export function advance(position: number, carry: number, ms: number, rate: number, n: number): { position: number; carry: number } {
  const due = carry + (ms * rate) / 1000;
  const whole = Math.floor(due);
  const next = Math.min(n - 1, position + whole);
  return { position: next, carry: next === n - 1 ? 0 : due - whole };
}

/** The round that a frame belongs to, as an index into the charts. */
export function roundAt(rounds: readonly number[], position: number): number {
  let round = 0;
  for (const [i, start] of rounds.entries()) if (start <= position) round = i;
  return round;
}

/** The first frame of the next (or of this or the previous) round. */
export function jump(rounds: readonly number[], position: number, direction: 1 | -1, n: number): number {
  if (direction > 0) return rounds.find((start) => start > position) ?? Math.max(0, n - 1);
  return rounds.findLast((start) => start < position) ?? 0;
}

/** What the board shows before the first frame. */
export const emptyFrame = (replay: Replay): Frame => ({
  owners: replay.map.territories.map(() => -1),
  armies: replay.map.territories.map(() => 0),
  n_cards: Array.from({ length: replay.n_players }, () => 0),
  income: Array.from({ length: replay.n_players }, () => 0),
  to_place: 0,
  round: 0,
  phase: "setup",
  mover: null,
});
