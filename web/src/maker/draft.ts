// A map that is being made, as plain data; every change gives a new one.

import { distance, type Point } from "../board/plane";
import type { JsonObject } from "../lib/json";

/** The sheet that maps are drawn on. */
export const WIDTH = 1000;
export const HEIGHT = 640;
/** No territory is nearer to the edge of the sheet. */
const MARGIN = 20;

export interface Continent {
  name: string;
  bonus: number;
  color: string;
}

export interface Territory {
  name: string;
  /** Its number among the continents. */
  continent: number;
  at: Point;
}

export interface MapDraft {
  name: string;
  continents: readonly Continent[];
  territories: readonly Territory[];
  /** Pairs of territories, the lower number first. */
  links: readonly (readonly [number, number])[];
  missions: readonly (readonly string[])[];
  /** Lines that were drawn to go by; the map does not have them. */
  outline: readonly (readonly Point[])[];
}

/** Colours that most people can tell apart (Okabe and Ito), then again from the first. */
const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"];

export const emptyDraft = (name: string, continent: string): MapDraft => ({
  name,
  continents: [{ name: continent, bonus: 2, color: COLORS[0]! }],
  territories: [],
  links: [],
  missions: [],
  outline: [],
});

const inside = ([x, y]: Point): Point => [
  Math.round(Math.min(WIDTH - MARGIN, Math.max(MARGIN, x))),
  Math.round(Math.min(HEIGHT - MARGIN, Math.max(MARGIN, y))),
];

/** A name that no other has: `name(1)`, `name(2)`, ... */
function freshName(taken: readonly { name: string }[], name: (n: number) => string): string {
  let n = taken.length + 1;
  while (taken.some((other) => other.name === name(n))) n += 1;
  return name(n);
}

export const withTerritory = (draft: MapDraft, at: Point, continent: number, name: (n: number) => string): MapDraft => ({
  ...draft,
  territories: [...draft.territories, { name: freshName(draft.territories, name), continent, at: inside(at) }],
});

export const changedTerritory = (draft: MapDraft, index: number, change: Partial<Territory>): MapDraft => ({
  ...draft,
  territories: draft.territories.map((old, i) => (i === index ? { ...old, ...change, at: inside(change.at ?? old.at) } : old)),
});

export function withoutTerritory(draft: MapDraft, index: number): MapDraft {
  const moved = (i: number): number => (i > index ? i - 1 : i);
  return {
    ...draft,
    territories: draft.territories.filter((_, i) => i !== index),
    links: draft.links.filter((link) => !link.includes(index)).map(([a, b]) => [moved(a), moved(b)] as const),
  };
}

export const areLinked = (draft: MapDraft, a: number, b: number): boolean => draft.links.some(([c, d]) => (a === c && b === d) || (a === d && b === c));

/** Connects two territories, or parts them if they are connected. */
export function toggledLink(draft: MapDraft, a: number, b: number): MapDraft {
  if (a === b) return draft;
  if (areLinked(draft, a, b)) return { ...draft, links: draft.links.filter(([c, d]) => !((a === c && b === d) || (a === d && b === c))) };
  return { ...draft, links: [...draft.links, [Math.min(a, b), Math.max(a, b)]] };
}

/** Connects whom no third territory stands between (the relative neighbours of Toussaint 1980): never in two parts. */
export function withNearLinks(draft: MapDraft): MapDraft {
  const points = draft.territories.map(({ at }) => at);
  const links: (readonly [number, number])[] = [];
  points.forEach((here, a) =>
    points.forEach((there, b) => {
      const apart = distance(here, there);
      const isBetween = (third: Point, c: number): boolean => c !== a && c !== b && Math.max(distance(here, third), distance(there, third)) < apart;
      if (a < b && !points.some(isBetween)) links.push([a, b]);
    }),
  );
  return { ...draft, links };
}

export const withContinent = (draft: MapDraft, name: (n: number) => string): MapDraft => ({
  ...draft,
  continents: [...draft.continents, { name: freshName(draft.continents, name), bonus: 2, color: COLORS[draft.continents.length % COLORS.length]! }],
});

export const changedContinent = (draft: MapDraft, index: number, change: Partial<Continent>): MapDraft => ({
  ...draft,
  continents: draft.continents.map((old, i) => (i === index ? { ...old, ...change } : old)),
});

/** Its territories go to the first of those that are left. */
export function withoutContinent(draft: MapDraft, index: number): MapDraft {
  if (draft.continents.length < 2) return draft;
  const moved = (continent: number): number => (continent === index ? 0 : continent > index ? continent - 1 : continent);
  return {
    ...draft,
    continents: draft.continents.filter((_, i) => i !== index),
    territories: draft.territories.map((territory) => ({ ...territory, continent: moved(territory.continent) })),
  };
}

export const neighbors = (draft: MapDraft, index: number): number[] => draft.links.flatMap(([a, b]) => (a === index ? [b] : b === index ? [a] : []));

/** The map as its file says it. */
export const toFile = (draft: MapDraft): JsonObject => ({
  name: draft.name,
  continents: draft.continents.map(({ name, bonus, color }) => ({ name, bonus, color })),
  territories: draft.territories.map(({ name, continent, at }, i) => ({
    name,
    continent: draft.continents[continent]?.name ?? "",
    connections: neighbors(draft, i).map((other) => draft.territories[other]!.name),
    position: [...at],
  })),
  ...(draft.missions.length > 0 ? { missions: draft.missions.map((mission) => [...mission]) } : {}),
});

interface MapFile {
  name: string;
  continents: Continent[];
  territories: { name: string; continent: string; connections: string[]; position: [number, number] }[];
  missions?: string[][];
}

/** A map's file as a draft; `null` if it is none. Faults of a map stay for the validator to name. */
export function fromFile(text: string): MapDraft | null {
  let file: MapFile;
  try {
    file = JSON.parse(text) as MapFile;
    const indexOf = (name: string): number => file.territories.findIndex((territory) => territory.name === name);
    const places = onSheet(file.territories.map(({ position }) => [Number(position[0]), Number(position[1])]));
    const draft: MapDraft = {
      name: String(file.name),
      continents: file.continents.map(({ name, bonus, color }) => ({ name, bonus, color })),
      territories: file.territories.map(({ name, continent }, i) => ({
        name,
        continent: Math.max(0, file.continents.findIndex((candidate) => candidate.name === continent)),
        at: places[i]!,
      })),
      links: [],
      missions: file.missions ?? [],
      outline: [],
    };
    const pairs = file.territories.flatMap(({ connections }, a) => connections.map((name) => [a, indexOf(name)] as const));
    const known = pairs.filter(([a, b]) => b >= 0 && a !== b);
    return known.reduce((made, [a, b]) => (areLinked(made, a, b) ? made : toggledLink(made, a, b)), draft);
  } catch {
    return null;
  }
}

/** Points as large as the sheet allows, if they do not fit it as they are. */
function onSheet(points: readonly Point[]): Point[] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  if (points.every((point) => inside(point)[0] === Math.round(point[0]) && inside(point)[1] === Math.round(point[1]))) return points.map(inside);
  const scale = Math.min((WIDTH - 4 * MARGIN) / Math.max(1e-9, width), (HEIGHT - 4 * MARGIN) / Math.max(1e-9, height));
  return points.map(([x, y]) => inside([2 * MARGIN + (x - left) * scale, 2 * MARGIN + (y - top) * scale]));
}

const KEY = "hegemon.map-draft";

export function storeDraft(store: Pick<Storage, "setItem">, draft: MapDraft): void {
  try {
    store.setItem(KEY, JSON.stringify(draft));
  } catch {
    // A full store keeps the last draft that fitted.
  }
}

export function storedDraft(store: Pick<Storage, "getItem">): MapDraft | null {
  try {
    const draft = JSON.parse(store.getItem(KEY) ?? "null") as MapDraft | null;
    return draft !== null && Array.isArray(draft.territories) && Array.isArray(draft.continents) && draft.continents.length > 0 ? draft : null;
  } catch {
    return null;
  }
}
