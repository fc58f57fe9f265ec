// Generates the drawing of the classic board: node web/geometry/build.mjs
//
// Coastlines come from Natural Earth (public domain) as packaged in world-atlas; the rest is in src/classic.mjs.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import polylabel from "polylabel";
import { feature } from "topojson-client";

import * as classic from "./src/classic.mjs";
import * as cells from "./src/cells.mjs";
import { drawLink, drawStubs } from "./src/links.mjs";
import { createProjection, projectRings } from "./src/projection.mjs";
import { Raster, blur, fillRings, strokeLine } from "./src/raster.mjs";
import { ringArea, ringsOf, smoothArc, thinArc, traceArcs } from "./src/trace.mjs";
import { createWarp } from "./src/warp.mjs";

const MIN_BORDER = 15; // shorter borders are hard to see
const SCALE = 2; // cells of the raster per unit of the board
const here = (path) => new URL(path, import.meta.url);
const readJson = (path) => JSON.parse(readFileSync(here(path), "utf8"));

const map = readJson("../../maps/classic.json");
const anchorsByName = readJson("anchors.json");
const names = map.territories.map((territory) => territory.name);

function readLand() {
  const atlas = createRequire(import.meta.url)("world-atlas/land-50m.json");
  const land = feature(atlas, atlas.objects.land);
  const polygons = land.features.flatMap((f) => f.geometry.coordinates);
  const within = ([west, south, east, north]) => ([longitude, latitude]) =>
    longitude >= west && longitude <= east && latitude >= south && latitude <= north;
  const omitted = (polygon) => classic.leftOut.some((box) => polygon[0].every(within(box)));
  return { type: "MultiPolygon", coordinates: polygons.filter((polygon) => !omitted(polygon)) };
}

const anchorPoints = (place) =>
  names.flatMap((name, territory) =>
    anchorsByName[name].map((point) => {
      const [x, y] = place(point);
      return { territory, x, y };
    }),
  );

/** Density on the flat map: sea thin, crowded territories thick. */
function densityField(rings, projection) {
  const land = Raster.covering(classic.frame.size, 1, Uint8Array);
  fillRings(land, rings, 1);
  const labels = cells.assignTerritories(land, anchorPoints(projection), { amplitude: 0, wavelength: 1 });
  const seas = classic.density.seas.map(([longitude, latitude, radius, value]) => ({
    centre: projection([longitude, latitude]), radius, value,
  }));
  const seaDensity = (x, y) => Math.max(
    classic.density.sea,
    ...seas.filter((sea) => Math.hypot(x - sea.centre[0], y - sea.centre[1]) < sea.radius).map((sea) => sea.value),
  );
  const raw = Raster.covering(classic.frame.size, 0.5);
  raw.cells.forEach((_, i) => {
    const [x, y] = raw.centre(i);
    const label = labels.cells[labels.index(x, y)];
    raw.cells[i] = label === cells.SEA ? seaDensity(x, y) : (classic.density.territories[names[label]] ?? 1);
  });
  return blur(raw, classic.density.blur);
}

function paintTerritories(rings, place) {
  const land = Raster.covering(classic.frame.size, SCALE);
  fillRings(land, rings, 1);
  for (const [width, points] of classic.bridges) strokeLine(land, points.map(place), width, 1);
  for (const [width, points] of classic.straits) strokeLine(land, points.map(place), width, 0);
  const smooth = cells.smoothLand(land, classic.smoothing.coast, classic.smoothing.neck);
  cells.fillLakes(smooth, classic.smoothing.maxLake);
  const raw = cells.assignTerritories(smooth, anchorPoints(place), classic.smoothing.wobble);
  const labels = cells.smoothBorders(raw, names.length, classic.smoothing.border);
  while (cells.removeFragments(labels, classic.smoothing.minIsland) + cells.openCorners(labels) > 0);
  return labels;
}

const round = (value) => Math.round(value * 10) / 10;
const tenths = (value) => Math.round(value * 10);

/** One closed SVG subpath per ring: an absolute start, then steps in tenths, which keeps shared borders exactly equal. */
function pathOf(rings) {
  return rings.map((ring) => {
    const points = ring.map((point) => point.map(tenths));
    const steps = points.slice(1).flatMap(([x, y], i) => [x - points[i][0], y - points[i][1]]);
    const start = points[0].map((value) => value / 10);
    return `M${joinNumbers(start)}l${joinNumbers(steps.map((value) => value / 10))}z`;
  }).join("");
}

/** Numbers in SVG's shortest notation: no leading zero, no space before a sign. */
const joinNumbers = (numbers) =>
  numbers.map((value) => String(value).replace(/^(-?)0\./, "$1.")).join(" ").replaceAll(" -", "-");

function roomiest(rings) {
  const outer = rings.filter((ring) => ringArea(ring) * ringArea(rings[0]) > 0);
  let best = { distance: 0 };
  for (const ring of outer.slice(0, 4)) {
    const spot = polylabel([ring, ...rings.filter((r) => !outer.includes(r))], 0.05);
    if (spot.distance > best.distance) best = spot;
  }
  return { label: [round(best[0]), round(best[1])], room: Math.floor(best.distance * 10) / 10 };
}

function main() {
  const projection = createProjection(classic.frame);
  const flatRings = projectRings(projection, readLand(), 0.7);
  const warp = createWarp(densityField(flatRings, projection));
  const place = (point) => warp(projection(point));
  const labels = paintTerritories(flatRings.map((ring) => ring.map(warp)), place);
  const arcs = traceArcs(labels, cells.SEA)
    .map((arc) => smoothArc(arc, classic.smoothing.arc * SCALE / 2))
    .map((arc) => thinArc(arc, classic.smoothing.thin))
    .map((arc) => ({ ...arc, points: arc.points.map((p) => p.map(round)) }));
  const shapes = names.map((_, territory) => ringsOf(arcs, (label) => label === territory));
  const territories = names.map((name, i) => ({ name, path: pathOf(shapes[i]), ...roomiest(shapes[i]) }));
  const { touching, apart } = splitEdges(cells.contacts(labels));
  console.log(smallestRooms(territories));
  writeBoard({
    map: map.name,
    viewBox: [0, 0, ...classic.frame.size],
    territories,
    touching,
    links: apart.map(([a, b]) => ({ a, b, path: linkPath(a, b, shapes, place) })),
    continents: map.continents.map(({ name }) => ({
      name,
      label: classic.continentLabels[name],
      path: pathOf(ringsOf(arcs, (label) => map.territories[label]?.continent === name)),
    })),
  });
}

/** The map's edges, those that touch on land and those that need a line; a touch without an edge is an error. */
function splitEdges(contacts) {
  const touching = [];
  const apart = [];
  names.forEach((name, a) => {
    names.slice(a + 1).forEach((other, k) => {
      const length = contacts.get(`${a},${a + 1 + k}`) ?? 0;
      const isEdge = map.territories[a].connections.includes(other);
      if (length > 0 && !isEdge) throw new Error(`${name} and ${other} touch, but the map has no such edge`);
      if (length > 0 && length < MIN_BORDER) console.warn(`The border of ${name} and ${other} is short: ${length}.`);
      if (isEdge) (length > 0 ? touching : apart).push([name, other]);
    });
  });
  return { touching, apart };
}

function linkPath(a, b, shapes, place) {
  const hand = classic.links.find((link) => [link.a, link.b].sort().join() === [a, b].sort().join());
  const options = hand ?? { a, b };
  const onBoard = Object.fromEntries(
    Object.entries({
      from: options.from && place(options.from),
      to: options.to && place(options.to),
      via: options.via?.map(place),
      bend: options.bend,
    }).filter(([, value]) => value !== undefined),
  );
  const ringsA = shapes[names.indexOf(options.a)];
  const ringsB = shapes[names.indexOf(options.b)];
  if (options.around) return drawStubs(ringsA, ringsB, classic.frame.size[0], onBoard);
  return drawLink(ringsA, ringsB, onBoard);
}

function smallestRooms(territories) {
  const sorted = [...territories].sort((a, b) => a.room - b.room);
  return `Least room: ${sorted.slice(0, 8).map((t) => `${t.name} ${t.room}`).join(", ")}.`;
}

function writeBoard(board) {
  const lines = Object.entries(board).map(([key, value]) => {
    const rows = Array.isArray(value) && typeof value[0] === "object";
    const text = rows ? `[\n${value.map((row) => JSON.stringify(row)).join(",\n")}\n]` : JSON.stringify(value);
    return `${JSON.stringify(key)}:${text}`;
  });
  mkdirSync(here("../src/board/"), { recursive: true });
  writeFileSync(here("../src/board/classic.json"), `{\n${lines.join(",\n")}\n}\n`);
}

main();
