// A form for rules, generated from their value: numbers, switches and lists show themselves; only the axes with
// named variants need a table, for a value does not tell what else it could be.

import type { Json, JsonObject } from "../lib/json";

export type Path = readonly (string | number)[];

export interface Variant {
  label: string;
  /** The value that choosing the variant sets. */
  value: Json;
}

const v = (label: string, value: Json): Variant => ({ label, value });

/** The variants of an axis by its path, written with dots. */
export const VARIANTS: Record<string, Variant[]> = {
  start: [v("Dealt at random", "deal"), v("Claimed in turn (draft)", "draft")],
  "first-player": [v("First seat", "seat"), v("Drawn at random", "random")],
  "initial-armies": [v("By number of players", { "by-players": [40, 35, 30, 25, 20] }), v("Formula of Lux", "lux")],
  placement: [
    v("In turn, some at a time", { "round-robin": { batch: 1, "merge-last": false } }),
    v("All at once", "all-at-once"),
    v("Spread evenly", "even"),
    v("Scattered at random", "scatter"),
  ],
  fortify: [
    v("None", "none"),
    v("One move to a neighbour", "one-adjacent"),
    v("One move within a region", "one-connected"),
    v("Any moves to neighbours", "many-adjacent"),
  ],
  victory: [v("Conquest", "conquest"), v("Secret missions", "missions"), v("Capitals", { capitals: { hold: 2, "extra-die": false } })],
  "cards.scheme": [
    v("No cards", "off"),
    v("Rising by a list", { progressive: { values: [4, 6, 8, 10, 12, 15], step: 5 } }),
    v("Rising by a step", { step: { first: 4, step: 2 } }),
    v("Fixed by kind of set", { fixed: [4, 6, 8, 10] }),
  ],
  "battle.attack": [v("One roll", "roll"), v("To the end", "to-the-end"), v("Round of groups", "groups"), v("Balanced blitz", "balanced-blitz")],
  "battle.commitment": [v("Attacker's choice", "choice"), v("Always the most", "maximum")],
  "battle.occupy": [v("Dice of the last roll", "dice-rolled"), v("One", "one")],
  "end.tie-breaks": [
    v("Territories, then armies", ["territories", "armies"]),
    v("Armies, then territories", ["armies", "territories"]),
    v("Territories", ["territories"]),
    v("Armies", ["armies"]),
    v("Shared", []),
  ],
};

/** Axes that may be left out, with the value they start from when switched on. */
export const OPTIONAL: Record<string, Json> = {
  "end.turn-limit": 20,
  "end.early-stop": { lead: 10, "after-actions": 50 },
};

export const LABELS: Record<string, string> = {
  "first-player": "Who begins",
  "placement.round-robin.batch": "Armies at a time",
  "placement.round-robin.merge-last": "Rest of one more joins in",
  "victory.capitals.hold": "Capitals to hold",
  "victory.capitals.extra-die": "Capitals defend with one more die",
  "income.minimum": "At least",
  "cards.scheme": "Worth of a set",
  "cards.scheme.progressive.step": "More for each further set",
  "cards.scheme.step.first": "First set",
  "cards.scheme.step.step": "More for each set",
  "cards.wild": "Wild cards",
  "cards.territory-bonus": "Armies on a held card's territory",
  "cards.bonus-once": "For one card of a set only",
  "cards.forced-from": "Must trade from this many cards",
  "cards.capture": "Eliminating a player takes the hand",
  "cards.capture-forced-from": "Must trade then from this many",
  "cards.return-at-once": "Traded cards return at once",
  "battle.attack": "An attack is",
  "battle.commitment": "Strength of an attack",
  "battle.occupy": "Fewest that move in",
  "battle.dice.attacker-max": "Attacker's dice",
  "battle.dice.defender-max": "Defender's dice",
  "battle.dice.defender-second-from": "Second die from this many armies",
  "battle.dice.ties-to-attacker": "Ties go to the attacker",
  "end.tie-breaks": "Decided by",
  "end.turn-limit": "Turn limit",
  "end.early-stop.lead": "Lead in territories",
  "end.early-stop.after-actions": "After this many actions",
  "initial-armies.by-players": "Armies for 2, 3, 4, 5, 6 players",
  "cards.scheme.fixed": "Armies for three of each symbol, one of each",
  "cards.scheme.progressive.values": "Armies for the first sets",
  "income.divisor": "One army for this many territories",
  "income.growth": "Growth of bonuses a round, %",
  players: "Fewest and most players",
  supply: "Most armies of a player",
  neutral: "Neutral army in a game of two",
};

export const pathName = (path: Path): string => path.join(".");

/** `merge-last` as "Merge last". */
export function label(path: Path): string {
  const known = LABELS[pathName(path)];
  if (known !== undefined) return known;
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
