// A drawing for any map: rounded cells, continents together, every edge a line. Pure and repeatable.

import {
  type Point,
  between,
  clip,
  contains,
  distance,
  distanceToOutline,
  growRound,
  sidesOf,
} from "./plane";
import { type Graph, placeNodes } from "./stress";

/** What a map must tell to be drawn. */
export interface MapToDraw {
  name: string;
  continents: readonly { name: string }[];
  territories: readonly { name: string; continent: number; neighbors: readonly number[] }[];
  /** Where the map's author put them, if anywhere. */
  positions?: readonly Point[];
}

export interface Drawing {
  map: string;
  viewBox: [number, number, number, number];
  territories: { name: string; path: string; label: [number, number]; room: number }[];
  touching: [string, string][];
  links: { a: string; b: string; path: string }[];
  continents: { name: string; label: [number, number]; path: string }[];
}

const WIDTH = 1000;
const HEIGHT = 640;
const MIN_HEIGHT = 320;
/** The share of the board that cells may cover; the rest is water for lines and names. */
const COVER = 0.62;
const MAX_SPACING = 150;
/** Water between two cells, as a share of the spacing: in one continent, and between two. */
const GAP = 0.16;
const WIDE_GAP = 0.3;
/** Half of what a cell takes up, as a share of the spacing. */
const CELL_ROOM = 0.62;
/** Places nearer to each other than this share of the spacing are no places for two cells. */
const LEAST_APART = 0.6;
/** Radius of a cell's corners, as a share of the spacing. */
const CORNER = 0.14;
/** How far a line reaches into the cells at its ends. */
const LANDING = 3.5;
/** How far from its cells a continent's name may stand. */
const SEARCH = 120;
/** Height of the strips by which obstacles are looked up. */
const ROW = 8;
const BENDS = [0, 0.12, -0.12, 0.25, -0.25, 0.4, -0.4, 0.6, -0.6];

export function layout(map: MapToDraw): Drawing {
  const graph: Graph = {
    neighbors: map.territories.map((territory) => territory.neighbors),
    groups: map.territories.map((territory) => territory.continent),
  };
  const spacing = Math.min(MAX_SPACING, Math.sqrt((COVER * WIDTH * HEIGHT) / Math.max(1, graph.groups.length)));
  const places = placesOf(map.positions ?? [], spacing);
  const asPlaced = places && drawn(map, graph, places, spacing);
  // Where the author's places leave no water for a name, others are found.
  return asPlaced?.isReadable ? asPlaced.drawing : drawn(map, graph, placeNodes(graph, [WIDTH, HEIGHT], spacing), spacing).drawing;
}

/** The drawing with cells at these places, and whether all names of continents stand on the water. */
function drawn(map: MapToDraw, graph: Graph, places: readonly Point[], spacing: number): { drawing: Drawing; isReadable: boolean } {
  const { centres, height } = trim(places, spacing);
  const cells = centres.map((_, i) => cellOf(i, centres, graph.groups, spacing));
  const paths = cells.map(outlinePath);
  const links = map.territories.flatMap(({ name, neighbors }, a) =>
    neighbors
      .filter((b) => b > a)
      .map((b) => ({ a: name, b: map.territories[b]!.name, curve: linkCurve(a, b, centres, cells) })),
  );
  const obstacles = [...cells.flatMap(outlinePoints), ...links.flatMap(({ curve }) => samples(curve, 12))];
  const names = new NamePlaces(cells, obstacles, height);
  const continents = map.continents.map(({ name }, group) => ({
    name,
    label: names.place(
      name,
      centres.filter((_, i) => graph.groups[i] === group),
      centres.filter((_, i) => graph.groups[i] !== group),
    ),
    path: paths.filter((_, i) => graph.groups[i] === group).join(""),
  }));
  const drawing: Drawing = {
    map: map.name,
    viewBox: [0, 0, WIDTH, height],
    territories: map.territories.map(({ name }, i) => ({ name, path: paths[i]!, ...roomiest(cells[i]!, centres[i]!) })),
    touching: [],
    links: links.map(({ a, b, curve }) => ({ a, b, path: curvePath(curve) })),
    continents,
  };
  return { drawing, isReadable: continents.every(({ label }) => !cells.some((cell) => contains(cell, label))) };
}

/** The author's places on the board, unless some are too close to each other to be drawn there. */
function placesOf(positions: readonly Point[], spacing: number): Point[] | null {
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const room = spacing * CELL_ROOM;
  const scale = Math.min((WIDTH - 2 * room) / Math.max(1e-9, width), (HEIGHT - 2 * room) / Math.max(1e-9, height));
  const places = positions.map(([x, y]): Point => [(x - left - width / 2) * scale + WIDTH / 2, (y - top) * scale]);
  const isTight = places.some((here, a) => places.some((there, b) => a < b && distance(here, there) < spacing * LEAST_APART));
  return places.length < 2 || isTight ? null : places;
}

/** Cuts empty strips above and below the points off the board, but leaves room for cells and names. */
function trim(points: readonly Point[], spacing: number): { centres: Point[]; height: number } {
  const ys = points.map((point) => point[1]);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const strip = Math.max(spacing * CELL_ROOM + 24, (MIN_HEIGHT - (bottom - top)) / 2);
  return {
    centres: points.map(([x, y]) => [x, y - top + strip]),
    height: Math.round(bottom - top + 2 * strip),
  };
}

/** The part of a disc that is nearer to this centre than to any other, with water all round, corners rounded. */
function cellOf(self: number, centres: readonly Point[], groups: readonly number[], spacing: number): Point[] {
  const here = centres[self]!;
  const corner = spacing * CORNER;
  const radius = spacing * 0.58 - corner;
  const corners = 60;
  let cell: Point[] = Array.from({ length: corners }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / corners;
    return [here[0] + radius * Math.cos(angle), here[1] + radius * Math.sin(angle)];
  });
  centres.forEach((there, other) => {
    if (other === self) return;
    const apart = distance(here, there);
    const gap = spacing * (groups[self] === groups[other] ? GAP : WIDE_GAP);
    const reach = (apart - gap) / 2 - corner;
    if (reach >= radius) return;
    cell = clip(
      cell,
      ([x, y]) => ((x - here[0]) * (there[0] - here[0]) + (y - here[1]) * (there[1] - here[1])) / apart - reach,
    );
  });
  return growRound(cell, corner);
}

const show = (value: number): string => String(Math.round(value * 10) / 10);
const showPoint = ([x, y]: Point): string => `${show(x)} ${show(y)}`;
const outlinePath = (cell: readonly Point[]): string => `M${cell.map(showPoint).join("L")}z`;

/** Points on an outline, close enough that no name slips between them. */
const outlinePoints = (cell: readonly Point[]): Point[] =>
  sidesOf(cell).flatMap(([start, end]) => {
    const pieces = Math.ceil(distance(start, end) / 8);
    return Array.from({ length: pieces }, (_, k) => between(start, end, k / pieces));
  });

/** The point of a cell farthest from its outline, found by ever smaller steps from the centre. */
function roomiest(cell: readonly Point[], centre: Point): { label: [number, number]; room: number } {
  let best = centre;
  let room = distanceToOutline(cell, best);
  for (let step = room / 2; step > 0.1; step /= 1.5) {
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      const candidate: Point = [best[0] + dx * step, best[1] + dy * step];
      const found = contains(cell, candidate) ? distanceToOutline(cell, candidate) : 0;
      if (found > room) [best, room] = [candidate, found];
    }
  }
  return { label: [Number(show(best[0])), Number(show(best[1]))], room: Math.floor(room * 10 - 1) / 10 };
}

/** Start, control point and end of a quadratic curve. */
type Curve = readonly [Point, Point, Point];

const onCurve = ([start, control, end]: Curve, share: number): Point =>
  between(between(start, control, share), between(control, end, share), share);

const samples = (curve: Curve, count: number): Point[] =>
  Array.from({ length: count + 1 }, (_, k) => onCurve(curve, k / count));

const curvePath = ([start, control, end]: Curve): string => `M${showPoint(start)}Q${showPoint(control)} ${showPoint(end)}`;

/** A line from cell to cell, bent as little as it takes to run over no third cell. */
function linkCurve(a: number, b: number, centres: readonly Point[], cells: readonly Point[][]): Curve {
  const [start, end] = [centres[a]!, centres[b]!];
  const half = between(start, end, 0.5);
  const reach = distance(start, end);
  const inTheWay = cells.filter((_, i) => i !== a && i !== b && distance(centres[i]!, half) < reach * 1.2 + 60);
  const bent = (bend: number): Curve => [
    start,
    [half[0] + (end[1] - start[1]) * bend, half[1] - (end[0] - start[0]) * bend],
    end,
  ];
  let best = { curve: bent(0), hits: Infinity };
  for (const bend of BENDS) {
    const points = samples(bent(bend), 40);
    const hits = inTheWay.filter((cell) => points.some((point) => contains(cell, point))).length;
    if (hits < best.hits) best = { curve: bent(bend), hits };
    if (hits === 0) break;
  }
  return shorten(best.curve, cells[a]!, cells[b]!);
}

/** The piece of a curve between two cells, reaching a little into both. */
function shorten(curve: Curve, from: readonly Point[], to: readonly Point[]): Curve {
  const [start, control, end] = curve;
  const landing = LANDING / Math.max(LANDING, distance(start, end));
  const shares = Array.from({ length: 241 }, (_, k) => k / 240);
  const leaves = shares.find((share) => !contains(from, onCurve(curve, share))) ?? 0;
  const lands = shares.findLast((share) => !contains(to, onCurve(curve, share))) ?? 1;
  const [first, last] = [Math.max(0, leaves - landing), Math.min(1, lands + landing)];
  const newControl = between(between(start, control, first), between(control, end, first), last);
  return [onCurve(curve, first), newControl, onCurve(curve, last)];
}

/** Finds places for the names of continents: on the water and off each other. */
class NamePlaces {
  readonly #cells: readonly Point[][];
  readonly #height: number;
  /** Points that no name should cover, by strips of the board. */
  readonly #rows = new Map<number, Point[]>();

  constructor(cells: readonly Point[][], obstacles: readonly Point[], height: number) {
    this.#cells = cells;
    this.#height = height;
    for (const point of obstacles) this.#add(point);
  }

  #add(point: Point): void {
    const row = Math.floor(point[1] / ROW);
    if (!this.#rows.has(row)) this.#rows.set(row, []);
    this.#rows.get(row)!.push(point);
  }

  /** The middle of a name's baseline: near its own cells and nearer to them than to others. */
  place(name: string, own: readonly Point[], foreign: readonly Point[]): [number, number] {
    const half = name.length * 5 + 18;
    let best: { spot: [number, number]; covers: number } = { spot: [WIDTH / 2, 18], covers: Infinity };
    for (const spot of this.#candidates(half, own, foreign)) {
      const covers = this.#covered(spot[0] - half, spot[0] + half, spot[1]);
      if (covers < best.covers) best = { spot, covers };
      if (covers === 0) break;
    }
    const [x, y] = best.spot;
    for (let step = -half; step <= half; step += 10) this.#add([x + step, y - 5]);
    return best.spot;
  }

  /** Spots on a grid around a continent, best first. */
  #candidates(half: number, own: readonly Point[], foreign: readonly Point[]): [number, number][] {
    const [xs, ys] = [own.map((p) => p[0]), own.map((p) => p[1])];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const middle: Point = [(left + right) / 2, (top + bottom) / 2];
    const spots: { spot: [number, number]; cost: number }[] = [];
    for (let y = 18; y <= this.#height - 8; y += 6) {
      if (y < top - SEARCH || y > bottom + SEARCH) continue;
      for (let x = half; x <= WIDTH - half; x += 8) {
        if (x < left - SEARCH || x > right + SEARCH) continue;
        const near = Math.min(...own.map((p) => distance(p, [x, y])));
        const far = Math.min(Infinity, ...foreign.map((p) => distance(p, [x, y])));
        spots.push({ spot: [x, y], cost: near + 0.4 * distance(middle, [x, y]) + 3 * Math.max(0, near - far) });
      }
    }
    return spots.sort((a, b) => a.cost - b.cost).map(({ spot }) => spot);
  }

  /** How many obstacles a name would cover that stands on `baseline` from `left` to `right`. */
  #covered(left: number, right: number, baseline: number): number {
    const [top, bottom] = [baseline - 16, baseline + 6];
    let count = 0;
    for (let row = Math.floor(top / ROW); row <= Math.floor(bottom / ROW); row++) {
      for (const [x, y] of this.#rows.get(row) ?? []) {
        if (x > left && x < right && y > top && y < bottom) count++;
      }
    }
    // A name that meets no outline may still lie inside a cell altogether.
    return count === 0 && this.#cells.some((cell) => contains(cell, [left, baseline])) ? Infinity : count;
  }
}
