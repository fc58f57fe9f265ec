// The same game once more, or against the next level.

import { HOST_BOT, seatNames, seatSetup, SPEC, type SeatForm } from "../setup/draft";
import type { GameInfo, GameRequest, Level, SeatInfo } from "../lib/wire";

export const levelOf = (seat: Pick<SeatInfo, "kind" | "spec">, levels: readonly Level[]): Level | null =>
  seat.kind === "bot" ? (levels.find(({ spec }) => spec === seat.spec) ?? null) : null;

function seatForm(seat: SeatInfo, levels: readonly Level[], isHarder: boolean): SeatForm {
  if (seat.kind !== "bot") return { kind: seat.kind, name: seat.name, level: SPEC, spec: "" };
  if (seat.host_bot !== null) return { kind: "bot", name: seat.name, level: HOST_BOT + seat.host_bot, spec: "" };
  const level = levelOf(seat, levels);
  const next = level === null ? null : (levels[levels.indexOf(level) + (isHarder ? 1 : 0)] ?? level);
  const isSame = next === null || next === level;
  return { kind: "bot", name: isSame ? seat.name : "", level: next?.id ?? SPEC, spec: next === null ? (seat.spec ?? "") : "" };
}

/** A request for the same seats, each bot of a level one level up if wanted; the seed is drawn anew. With a token of the
    game, its people have their seats, names and colours again. */
export function rematch(info: GameInfo, seats: readonly SeatInfo[], levels: readonly Level[], isHarder = false, token: string | null = null): GameRequest {
  const forms = seats.map((seat) => seatForm(seat, levels, isHarder));
  const names = seatNames(forms, levels);
  return {
    map: info.map.name,
    rules: info.rules_name === "custom" ? info.rules : info.rules_name,
    seats: forms.map((form, i) => seatSetup(form, names[i]!)),
    ...(info.turn_seconds === null ? {} : { turn_seconds: info.turn_seconds }),
    ...(token === null ? {} : { rematch: { game: info.id, token } }),
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
