// The next level, for a rematch against harder bots. What a rematch is, the server knows: the same game with another seed.

import type { GameInfo, Level, SeatInfo } from "../lib/wire";

export const levelOf = (seat: Pick<SeatInfo, "kind" | "spec">, levels: readonly Level[]): Level | null =>
  seat.kind === "bot" ? (levels.find(({ spec }) => spec === seat.spec) ?? null) : null;

/** The level that the bots would have next; `null` where nothing harder is left, or several people play: nobody chooses for the others. */
export function nextLevel(info: Pick<GameInfo, "seats">, levels: readonly Level[]): Level | null {
  if (info.seats.filter(({ kind }) => kind !== "bot").length !== 1) return null;
  const places = info.seats.flatMap((seat) => {
    const level = levelOf(seat, levels);
    return level === null ? [] : [levels.indexOf(level)];
  });
  return places.length === 0 ? null : (levels[Math.min(...places) + 1] ?? null);
}
