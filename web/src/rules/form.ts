// A form for rules, generated from their value: numbers, switches and lists show themselves; only the axes with
// named variants need a table, for a value does not tell what else it could be.

import type { Json, JsonObject } from "../lib/json";
import { t, type TextKey } from "../lib/texts";

export type Path = readonly (string | number)[];

export interface Variant {
  label: string;
  /** The value that choosing the variant sets. */
  value: Json;
}

const v = (label: string, value: Json): Variant => ({ label, value });

/** The variants of an axis by its path, written with dots. */
export const VARIANTS: Record<string, Variant[]> = {
  start: [v(t("variant.deal"), "deal"), v(t("variant.draft"), "draft")],
  "first-player": [v(t("variant.first_seat"), "seat"), v(t("variant.first_random"), "random")],
  "initial-armies": [v(t("variant.by_players"), { "by-players": [40, 35, 30, 25, 20] }), v(t("variant.lux"), "lux")],
  placement: [
    v(t("variant.round_robin"), { "round-robin": { batch: 1, "merge-last": false } }),
    v(t("variant.all_at_once"), "all-at-once"),
    v(t("variant.even"), "even"),
    v(t("variant.scatter"), "scatter"),
  ],
  fortify: [
    v(t("variant.none"), "none"),
    v(t("variant.one_adjacent"), "one-adjacent"),
    v(t("variant.one_connected"), "one-connected"),
    v(t("variant.many_adjacent"), "many-adjacent"),
  ],
  victory: [v(t("variant.conquest"), "conquest"), v(t("variant.missions"), "missions"), v(t("variant.capitals"), { capitals: { hold: 2, "extra-die": false } })],
  "cards.scheme": [
    v(t("variant.no_cards"), "off"),
    v(t("variant.progressive"), { progressive: { values: [4, 6, 8, 10, 12, 15], step: 5 } }),
    v(t("variant.step"), { step: { first: 4, step: 2 } }),
    v(t("variant.fixed"), { fixed: [4, 6, 8, 10] }),
  ],
  "battle.attack": [v(t("variant.roll"), "roll"), v(t("variant.to_the_end"), "to-the-end"), v(t("variant.groups"), "groups"), v(t("variant.balanced"), "balanced-blitz")],
  "battle.commitment": [v(t("variant.choice"), "choice"), v(t("variant.maximum"), "maximum")],
  "battle.occupy": [v(t("variant.dice_rolled"), "dice-rolled"), v(t("variant.one_army"), "one")],
  "end.tie-breaks": [
    v(t("variant.territories_armies"), ["territories", "armies"]),
    v(t("variant.armies_territories"), ["armies", "territories"]),
    v(t("variant.territories"), ["territories"]),
    v(t("variant.armies"), ["armies"]),
    v(t("variant.shared"), []),
  ],
};

/** Axes that may be left out, with the value they start from when switched on. */
export const OPTIONAL: Record<string, Json> = {
  "end.turn-limit": 20,
  "end.early-stop": { lead: 10, "after-actions": 50 },
};

export const pathName = (path: Path): string => path.join(".");

/** The name of an axis; of one that the catalogue does not know, its own: `merge-last` as "Merge last". */
export function label(path: Path): string {
  const key = `axis.${path.join("_")}` as TextKey;
  const known = t(key);
  if (known !== key) return known;
  const words = String(path.at(-1) ?? "").replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a variant: itself if it is a word, else its only key. */
export const tag = (value: Json): string =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (Object.keys(value)[0] ?? "") : JSON.stringify(value);

/** What a variant carries: the path to it and the value; `null` for a plain word. */
export function payload(path: Path, value: Json): { path: Path; value: Json } | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  const [key] = Object.keys(value);
  return key === undefined ? null : { path: [...path, key], value: value[key] ?? null };
}

/** A copy of the rules with one value changed; `undefined` takes it away. */
export function changed(rules: JsonObject, path: Path, value: Json | undefined): JsonObject {
  return setIn(rules, path, value) as JsonObject;
}

function setIn(at: Json, path: Path, value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (Array.isArray(at)) return at.map((item, i) => (i === key ? setIn(item, rest, value) : item));
  const copy = { ...(at as JsonObject) };
  if (rest.length === 0 && value === undefined) delete copy[key];
  else copy[key] = setIn(copy[key] ?? {}, rest, value);
  return copy;
}

/** The keys of an object in the form, with the optional ones that are missing from it. */
export function keys(path: Path, value: JsonObject): string[] {
  const prefix = path.length === 0 ? "" : `${pathName(path)}.`;
  const missing = Object.keys(OPTIONAL)
    .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes("."))
    .map((name) => name.slice(prefix.length))
    .filter((key) => !(key in value));
  // Fields first, then groups of fields with their headings.
  const isGroup = (key: string): boolean => {
    const inner = value[key];
    return isPlainObject(inner) && !(`${prefix}${key}` in VARIANTS) && !(`${prefix}${key}` in OPTIONAL);
  };
  const all = Object.keys(value);
  return [...all.filter((key) => !isGroup(key)), ...missing, ...all.filter(isGroup)];
}

const isPlainObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isSame = (a: Json, b: Json): boolean => canonical(a) === canonical(b);

function canonical(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  return `{${Object.keys(value).sort().map((key) => `${key}:${canonical(value[key]!)}`).join()}}`;
}
