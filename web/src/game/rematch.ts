// The same game once more, or against the next level.

import { seatNames, SPEC, type SeatForm } from "../setup/draft";
import type { GameInfo, GameRequest, Level, SeatInfo } from "../lib/wire";

export const levelOf = (seat: Pick<SeatInfo, "kind" | "spec">, levels: readonly Level[]): Level | null =>
  seat.kind === "bot" ? (levels.find(({ spec }) => spec === seat.spec) ?? null) : null;

function seatForm(seat: SeatInfo, levels: readonly Level[], isHarder: boolean): SeatForm {
  if (seat.kind !== "bot") return { kind: seat.kind, name: seat.name, level: SPEC, spec: "" };
  const level = levelOf(seat, levels);
  const next = level === null ? null : (levels[levels.indexOf(level) + (isHarder ? 1 : 0)] ?? level);
  const isSame = next === null || next === level;
  return { kind: "bot", name: isSame ? seat.name : "", level: next?.id ?? SPEC, spec: next === null ? (seat.spec ?? "") : "" };
}

/** A request for the same seats, each bot of a level one level up if wanted; the seed is drawn anew. */
export function rematch(info: GameInfo, levels: readonly Level[], isHarder = false): GameRequest {
  const forms = info.seats.map((seat) => seatForm(seat, levels, isHarder));
  const names = seatNames(forms, levels);
  return {
    map: info.map.name,
    rules: info.rules_name === "custom" ? info.rules : info.rules_name,
    seats: forms.map(({ kind, level, spec }, i) => ({ kind, name: names[i]!, ...(kind !== "bot" ? {} : level === SPEC ? { spec } : { level }) })),
  };
}

/** The level that the bots would have next; `null` where nothing harder is left. */
export function nextLevel(info: GameInfo, levels: readonly Level[]): Level | null {
  const places = info.seats.flatMap((seat) => {
    const level = levelOf(seat, levels);
    return level === null ? [] : [levels.indexOf(level)];
  });
  return places.length === 0 ? null : (levels[Math.min(...places) + 1] ?? null);
}
