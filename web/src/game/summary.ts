// A finished game in numbers, for the card at its end.

import type { Replay } from "../lib/wire";
import { touched } from "./notation";

export interface SeatSummary {
  seat: number;
  name: string;
  place: number;
  conquests: number;
  /** Armies lost in battles, attacking and defending. */
  lost: number;
  /** Fewer armies lost than the exact law expects; `null` without battles. */
  luck: number | null;
  /** Who ended it, and in which round; `null` for those who stayed. */
  eliminated: { by: number; round: number } | null;
}

/** The seats by place, the winner first. */
export function summary(replay: Pick<Replay, "frames" | "seats" | "result">): SeatSummary[] {
  const seats = replay.seats.map(({ name }, seat): SeatSummary => ({ seat, name, place: replay.result.places[seat] ?? 0, conquests: 0, lost: 0, luck: null, eliminated: null }));
  let owners: readonly number[] = [];
  let target: number | null = null;
  for (const { move, losses, expected, seat, after } of replay.frames) {
    if (move?.startsWith("a")) target = touched(move).to;
    if (losses !== null && target !== null && seat !== null) {
      const loser = owners[target] ?? -1;
      suffer(seats[seat], losses.attacker, expected?.attacker);
      suffer(seats[loser], losses.defender, expected?.defender);
      if (after.owners[target] === seat) seats[seat]!.conquests += 1;
      if (loser >= 0 && !after.owners.includes(loser)) seats[loser]!.eliminated = { by: seat, round: after.round };
    }
    ({ owners } = after);
  }
  return seats.sort((a, b) => a.place - b.place || a.seat - b.seat);
}

function suffer(seat: SeatSummary | undefined, lost: number, expected: number | undefined): void {
  // The neutral army has no seat.
  if (seat === undefined) return;
  seat.lost += lost;
  if (expected !== undefined) seat.luck = (seat.luck ?? 0) + expected - lost;
}
