// The drawing of a map: committed outlines for the classic board, an automatic drawing for any other.

import type { GameMap } from "../lib/wire";
import classicUrl from "./classic.json?url";
import { layout, type Drawing } from "./layout";

export type Geometry = Drawing;

/** The drawing with its territories in the order of this map; `null` if the names differ. */
export function reorder(drawing: Geometry, map: GameMap): Geometry | null {
  const byName = new Map(drawing.territories.map((territory) => [territory.name, territory]));
  const territories = map.territories.map((territory) => byName.get(territory.name));
  if (territories.length !== byName.size || territories.includes(undefined)) return null;
  return { ...drawing, territories: territories.map((territory) => territory!) };
}

const RETRY_MS = 1000;

/** The outlines are data and no module, since browsers keep a refused module for good: where a server died before they were
 * sent, they are asked for until there is a server again. */
async function classicDrawing(): Promise<Geometry> {
  for (;;) {
    try {
      const answer = await fetch(classicUrl);
      if (answer.ok) return (await answer.json()) as Geometry;
    } catch {
      // No server is there.
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Drawings made so far: the automatic ones take a moment, and every page wants them. */
const made = new Map<string, Promise<Geometry>>();

export function geometryFor(map: GameMap): Promise<Geometry> {
  const key = JSON.stringify([map.name, map.territories]);
  const known = made.get(key);
  if (known !== undefined) return known;
  const drawing = draw(map);
  made.set(key, drawing);
  return drawing;
}

async function draw(map: GameMap): Promise<Geometry> {
  if (map.name.startsWith("classic")) {
    const drawing = reorder(await classicDrawing(), map);
    if (drawing !== null) return drawing;
  }
  return layout(map);
}

/** Radius of a count in units of the drawing, where a disc of this radius is free; in pixels it can be read at any zoom. */
export const radiusOf = (room: number, scale: number): number => Math.min(12 + 6 * scale, Math.max(9, room * scale * 0.9)) / scale;
