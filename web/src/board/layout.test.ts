import { describe, expect, test } from "vitest";

import archipelago80 from "../../../maps/archipelago80.json";
import duel6 from "../../../maps/duel6.json";
import empires110 from "../../../maps/empires110.json";
import honeycomb61 from "../../../maps/honeycomb61.json";
import hub31 from "../../../maps/hub31.json";
import islands40 from "../../../maps/islands40.json";
import isthmus30 from "../../../maps/isthmus30.json";
import line4 from "../../../maps/line4.json";
import ring24 from "../../../maps/ring24.json";
import rivers56 from "../../../maps/rivers56.json";
import triangle3 from "../../../maps/triangle3.json";
import twoworlds48 from "../../../maps/twoworlds48.json";
import { type MapToDraw, layout } from "./layout";
import { type Point, contains, distance, distanceToOutline } from "./plane";

interface MapFile {
  name: string;
  continents: { name: string }[];
  territories: { name: string; continent: string; connections: string[]; position: number[] }[];
}

/** A map as the server sends it, from the map's file. */
function fromFile({ name, continents, territories }: MapFile): MapToDraw {
  const indexOf = (wanted: string): number => territories.findIndex((territory) => territory.name === wanted);
  return {
    name,
    continents,
    positions: territories.map(({ position }) => [position[0]!, position[1]!]),
    territories: territories.map((territory) => ({
      name: territory.name,
      continent: continents.findIndex((continent) => continent.name === territory.continent),
      neighbors: territory.connections.map(indexOf),
    })),
  };
}

const points = (path: string): Point[] => {
  const numbers = path.match(/-?[\d.]+/g)!.map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i]!, numbers[2 * i + 1]!]);
};

/** Points along a link, which is one quadratic curve. */
function alongLink(path: string): Point[] {
  const [start, control, end] = points(path) as [Point, Point, Point];
  return Array.from({ length: 51 }, (_, k) => {
    const [s, t] = [1 - k / 50, k / 50];
    const at = (axis: 0 | 1): number => s * s * start[axis] + 2 * s * t * control[axis] + t * t * end[axis];
    return [at(0), at(1)];
  });
}

const maps = [
  archipelago80,
  duel6,
  empires110,
  honeycomb61,
  hub31,
  islands40,
  isthmus30,
  line4,
  ring24,
  rivers56,
  triangle3,
  twoworlds48,
].map(fromFile);
/** No test is decided by a machine that is busy with other things. */
const PATIENCE = { timeout: 120_000 };
const lone: MapToDraw = { name: "lone", continents: [{ name: "All" }], territories: [{ name: "One", continent: 0, neighbors: [] }] };
const apart: MapToDraw = {
  name: "apart",
  continents: [{ name: "Here" }, { name: "There" }, { name: "Nowhere" }],
  territories: [0, 1, 2, 3].map((i) => ({ name: `T${i}`, continent: i >> 1, neighbors: [i ^ 1] })),
};

describe.each([...maps, lone, apart].map((map) => [map.name, map] as const))("%s", PATIENCE, (_, map) => {
  const drawing = layout(map);
  const outlines = new Map(drawing.territories.map(({ name, path }) => [name, points(path)]));

  test("draws every territory once, inside the board, without overlap", () => {
    expect(drawing.territories.map(({ name }) => name)).toEqual(map.territories.map(({ name }) => name));
    const [, , width, height] = drawing.viewBox;
    const shapes = [...outlines.values()];
    shapes.forEach((shape, i) => {
      for (const [x, y] of shape) expect(x > 0 && y > 0 && x < width && y < height).toBe(true);
      for (const other of shapes.slice(0, i)) {
        const gap = Math.min(...shape.map((point) => distanceToOutline(other, point)));
        expect(gap).toBeGreaterThan(4);
        expect(shape.some((point) => contains(other, point))).toBe(false);
      }
    });
  });

  test("gives every label room inside its territory", () => {
    for (const { name, label, room } of drawing.territories) {
      expect(contains(outlines.get(name)!, label)).toBe(true);
      expect(distanceToOutline(outlines.get(name)!, label)).toBeGreaterThanOrEqual(room);
      expect(room).toBeGreaterThan(20);
    }
  });

  test("draws every edge once, from territory to territory, over no third", () => {
    const edges = map.territories.flatMap(({ name, neighbors }, a) =>
      neighbors.filter((b) => b > a).map((b) => `${name}-${map.territories[b]!.name}`),
    );
    expect(drawing.links.map(({ a, b }) => `${a}-${b}`).sort()).toEqual(edges.sort());
    for (const { a, b, path } of drawing.links) {
      const line = alongLink(path);
      expect(contains(outlines.get(a)!, line[0]!)).toBe(true);
      expect(contains(outlines.get(b)!, line.at(-1)!)).toBe(true);
      for (const [name, outline] of outlines) {
        if (name !== a && name !== b) expect(line.some((point) => contains(outline, point))).toBe(false);
      }
    }
  });

  test("writes the names of continents on the water", () => {
    expect(drawing.continents.map(({ name }) => name)).toEqual(map.continents.map(({ name }) => name));
    for (const { label } of drawing.continents) {
      for (const outline of outlines.values()) expect(contains(outline, label)).toBe(false);
    }
  });

  test("is the same every time", () => expect(layout(map)).toEqual(drawing));
});

test("keeps continents together", () => {
  const map = maps[0]!;
  const { territories } = layout(map);
  const mean = (isWanted: (a: number, b: number) => boolean): number => {
    const lengths = territories.flatMap((first, a) =>
      territories.flatMap((second, b) => (a < b && isWanted(a, b) ? [distance(first.label, second.label)] : [])),
    );
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  };
  const isSame = (a: number, b: number): boolean => map.territories[a]!.continent === map.territories[b]!.continent;
  expect(mean(isSame)).toBeLessThan(mean((a, b) => !isSame(a, b)) / 2.5);
});
