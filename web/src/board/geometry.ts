// The drawing of a map: committed outlines for the classic board, an automatic drawing for any other.

import type { GameMap } from "../lib/wire";

export interface Geometry {
  map: string;
  viewBox: [number, number, number, number];
  territories: { name: string; path: string; label: [number, number]; room: number }[];
  links: { a: string; b: string; path: string }[];
  continents: { name: string; label: [number, number]; path: string }[];
}

/** The drawing with its territories in the order of this map; `null` if the names differ. */
export function reorder(drawing: Geometry, map: GameMap): Geometry | null {
  const byName = new Map(drawing.territories.map((territory) => [territory.name, territory]));
  const territories = map.territories.map((territory) => byName.get(territory.name));
  if (territories.length !== byName.size || territories.includes(undefined)) return null;
  return { ...drawing, territories: territories.map((territory) => territory!) };
}

/** Territories on a circle. */
function circle(map: GameMap): Geometry {
  const n = map.territories.length;
  const points = map.territories.map((_, i): [number, number] => [
    500 + 400 * Math.cos((2 * Math.PI * i) / n),
    320 + 260 * Math.sin((2 * Math.PI * i) / n),
  ]);
  return {
    map: map.name,
    viewBox: [0, 0, 1000, 640],
    territories: map.territories.map(({ name }, i) => {
      const [x, y] = points[i]!;
      return { name, path: `M${x - 40},${y - 30}h80v60h-80z`, label: [x, y], room: 26 };
    }),
    links: map.territories.flatMap((territory, a) =>
      territory.neighbors.filter((b) => b > a).map((b) => ({ a: String(a), b: String(b), path: `M${points[a]!.join()}L${points[b]!.join()}` })),
    ),
    continents: map.continents.map(({ name }, i) => ({ name, label: [80 + 160 * i, 40], path: "" })),
  };
}

export async function geometryFor(map: GameMap): Promise<Geometry> {
  if (map.name.startsWith("classic")) {
    const classic = (await import("./classic.json")).default as unknown as Geometry;
    const drawing = reorder(classic, map);
    if (drawing !== null) return drawing;
  }
  return circle(map);
}
