// The last form of a new game, so that the next one starts from it.

import type { JsonObject } from "../lib/json";
import { HOST_BOT, MOST_SEATS, type SeatForm } from "./draft";

export interface Remembered {
  map: string;
  preset: string;
  rules: JsonObject;
  seats: SeatForm[];
}

const KEY = "hegemon.new-game";

export function remember(store: Pick<Storage, "setItem">, form: Remembered): void {
  store.setItem(KEY, JSON.stringify(form));
}

/** The last form, if everything that it names still exists. */
export function remembered(
  store: Pick<Storage, "getItem">,
  known: { maps: readonly { name: string }[]; presets: readonly { name: string }[]; levels: readonly { id: string }[]; hostBots: readonly string[] },
): Remembered | null {
  let form: Remembered;
  try {
    form = JSON.parse(store.getItem(KEY) ?? "null") as Remembered;
  } catch {
    return null;
  }
  if (form === null || !Array.isArray(form.seats) || form.seats.length < 2 || form.seats.length > MOST_SEATS) return null;
  const bots = ["", ...known.levels.map(({ id }) => id), ...known.hostBots.map((name) => HOST_BOT + name)];
  const isKnown =
    known.maps.some(({ name }) => name === form.map) &&
    known.presets.some(({ name }) => name === form.preset) &&
    form.seats.every((seat) => seat.kind !== "bot" || bots.includes(seat.level));
  return isKnown ? form : null;
}
