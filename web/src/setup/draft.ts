// The form of a new game as plain data, and what it sends.

import type { JsonObject } from "../lib/json";
import { t } from "../lib/texts";
import type { GameRequest, Level, Rules, RulesPreset, SeatRequest } from "../lib/wire";
import { isSame } from "../rules/form";

export type SeatKind = "human" | "remote" | "bot";

export interface SeatForm {
  kind: SeatKind;
  name: string;
  /** A level's id, or `SPEC` for a spec of one's own. */
  level: string;
  spec: string;
}

export const SPEC = "";
/** Begins the choice of a bot of the host, among the levels. */
export const HOST_BOT = "host:";
export const MOST_SEATS = 6;
const MOST_LETTERS = 30;

const PERSONS = ["Ann", "Ben", "Chris", "Dana", "Eli", "Fay"];

export const personName = (taken: readonly string[]): string => PERSONS.find((name) => !taken.includes(name)) ?? "Guest";

/** A seat for the next player: a bot, for most games are played against bots. */
export const botSeat = (level: string): SeatForm => ({ kind: "bot", name: "", level, spec: "" });

export const humanSeat = (taken: readonly string[]): SeatForm => ({ kind: "human", name: personName(taken), level: SPEC, spec: "" });

/** As many seats as asked for; those that are there stay as they are. */
export function resized(seats: readonly SeatForm[], n: number, level: string): SeatForm[] {
  const more = Array.from({ length: Math.max(0, n - seats.length) }, () => botSeat(level));
  return [...seats.slice(0, n), ...more];
}

/** What is asked for a seat. */
export function seatSetup(seat: SeatForm, name: string): SeatRequest {
  if (seat.kind !== "bot") return { kind: seat.kind, name };
  if (seat.level.startsWith(HOST_BOT)) return { kind: "bot", name, host_bot: seat.level.slice(HOST_BOT.length) };
  return { kind: "bot", name, ...(seat.level === SPEC ? { spec: seat.spec.trim() } : { level: seat.level }) };
}

/** What the seats are called; bots after their level or spec, and counted where a name comes again. */
export function seatNames(seats: readonly SeatForm[], levels: readonly Pick<Level, "id" | "name">[]): string[] {
  const names: string[] = [];
  for (const seat of seats) {
    const known = levels.find(({ id }) => id === seat.level)?.name;
    const base = seat.name.trim() || (seat.level === SPEC ? seat.spec.trim() : (known ?? seat.level.replace(HOST_BOT, "")));
    let name = base.slice(0, MOST_LETTERS);
    for (let n = 2; names.includes(name); n += 1) name = `${base.slice(0, MOST_LETTERS - 3)} ${n}`;
    names.push(name);
  }
  return names;
}

/** What is missing, as a sentence; `null` if the game can start. */
export function fault(seats: readonly SeatForm[], rules: JsonObject, seed: string): string | null {
  const [fewest, most] = (rules["players"] as [number, number] | undefined) ?? [2, MOST_SEATS];
  if (seats.length < fewest || seats.length > most) {
    return fewest === most ? t("setup.for_players", { n: fewest }) : t("setup.for_from_to", { fewest, most });
  }
  for (const [i, seat] of seats.entries()) {
    if (seat.kind !== "bot" && seat.name.trim() === "") return t("setup.needs_name", { n: i + 1 });
    if (seat.kind === "bot" && seat.level === SPEC && seat.spec.trim() === "") return t("setup.needs_spec", { n: i + 1 });
  }
  if (seed.trim() !== "" && !isSeed(seed.trim())) return t("setup.bad_seed");
  return null;
}

const isSeed = (text: string): boolean => /^\d{1,20}$/.test(text) && BigInt(text) < 1n << 64n;

/** Times for a turn that are offered, in seconds; 0 is as long as one likes. */
export const TURN_TIMES = [0, 30, 60, 120, 300, 3600, 86_400];

export function newGame(map: string, preset: RulesPreset, rules: JsonObject, seats: readonly SeatForm[], seed: string, levels: readonly Level[], turnSeconds = 0): GameRequest {
  const names = seatNames(seats, levels);
  return {
    map,
    // The server says what is wrong with rules that were edited.
    rules: isSame(rules, preset.rules as JsonObject) ? preset.name : (rules as Rules),
    seats: seats.map((seat, i) => seatSetup(seat, names[i]!)),
    ...(seed.trim() === "" ? {} : { seed: seed.trim() }),
    ...(turnSeconds === 0 ? {} : { turn_seconds: turnSeconds }),
  };
}
