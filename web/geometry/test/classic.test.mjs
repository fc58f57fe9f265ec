// What the committed drawing of the classic board promises, checked from its data alone.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";

import { contains, cross, distanceToSegment, parseRings, sampleStrokes, segmentsOf } from "../src/outline.mjs";

const BOARD = new URL("../../src/board/classic.json", import.meta.url);
const readJson = (url) => JSON.parse(readFileSync(url, "utf8"));
const board = readJson(BOARD);
const map = readJson(new URL("../../../maps/classic.json", import.meta.url));
const variant = readJson(new URL("../../../maps/classic-lux.json", import.meta.url));
const [, , width, height] = board.viewBox;

const MIN_ROOM = 13;
const MIN_BORDER = 15; // shorter borders are hard to see
const MIN_GAP = 3; // territories without an edge keep at least this distance

const shapes = new Map(board.territories.map((t) => [t.name, parseRings(t.path)]));
const segments = new Map([...shapes].map(([name, rings]) => [name, segmentsOf(rings)]));
const pairKey = (a, b) => [a, b].sort().join(" - ");
const edgesOf = (map) => new Set(map.territories.flatMap((t) => t.connections.map((c) => pairKey(t.name, c))));
const edges = edgesOf(map);
const links = new Map(board.links.map((link) => [pairKey(link.a, link.b), link]));

/** Points at most 0.5 apart along a boundary, each with the length it stands for. */
function boundarySamples(name) {
  return segments.get(name).flatMap(([[x0, y0], [x1, y1]]) => {
    const length = Math.hypot(x1 - x0, y1 - y0);
    const count = Math.max(1, Math.ceil(length / 0.5));
    return Array.from({ length: count }, (_, k) => {
      const t = (k + 0.5) / count;
      return { point: [x0 + (x1 - x0) * t, y0 + (y1 - y0) * t], length: length / count };
    });
  });
}

function box(name) {
  const points = shapes.get(name).flat();
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

const samples = new Map([...shapes.keys()].map((name) => [name, boundarySamples(name)]));
const boxes = new Map([...shapes.keys()].map((name) => [name, box(name)]));

/** How much of the boundary of `a` runs along the boundary of `b`, and how near the two come. */
function contact(a, b) {
  const { left, right, top, bottom } = boxes.get(b);
  let [shared, gap] = [0, Infinity];
  for (const { point, length } of samples.get(a)) {
    const [x, y] = point;
    if (x < left - 5 || x > right + 5 || y < top - 5 || y > bottom + 5) continue;
    let distance = Infinity;
    for (const segment of segments.get(b)) distance = Math.min(distance, distanceToSegment(point, segment));
    gap = Math.min(gap, distance);
    if (distance < 0.1) shared += length;
  }
  return { shared, gap };
}

test("every territory and continent of the map is drawn once, and both classic maps share them", () => {
  assert.deepEqual(board.territories.map((t) => t.name), map.territories.map((t) => t.name));
  assert.deepEqual(board.continents.map((c) => c.name), map.continents.map((c) => c.name));
  assert.deepEqual(edgesOf(variant), edges);
});

test("territories touch or have a link exactly where the map has an edge", () => {
  const names = [...shapes.keys()];
  const touching = new Set(board.touching.map(([a, b]) => pairKey(a, b)));
  names.forEach((a, i) => names.slice(i + 1).forEach((b) => {
    const key = pairKey(a, b);
    const { shared, gap } = contact(a, b);
    const touches = shared > 0;
    assert.equal(touches || links.has(key), edges.has(key), `${key}: border ${shared}, link ${links.has(key)}`);
    assert.equal(touches, touching.has(key), `${key} in the list of touching territories`);
    assert.ok(!(touches && links.has(key)), `${key} has both a border and a link`);
    if (touches) assert.ok(shared >= MIN_BORDER, `${key}: the border is only ${shared} long`);
    else assert.ok(gap >= MIN_GAP, `${key} come within ${gap} without an edge on land`);
  }));
  assert.equal(links.size + touching.size, edges.size);
});

test("links begin in one of their territories, end in the other and cross no third", () => {
  for (const [key, link] of links) {
    const strokes = sampleStrokes(link.path);
    const ends = strokes.flatMap((stroke) => [stroke[0], stroke.at(-1)]);
    for (const name of [link.a, link.b]) {
      assert.ok(ends.some((end) => contains(shapes.get(name), end)), `${key} does not land in ${name}`);
    }
    for (const [name, rings] of shapes) {
      if (name === link.a || name === link.b) continue;
      assert.ok(!strokes.flat().some((point) => contains(rings, point)), `${key} runs over ${name}`);
    }
  }
});

test("Alaska and Kamchatka are linked by stubs over both edges of the board", () => {
  const strokes = sampleStrokes(links.get("Alaska - Kamchatka").path);
  assert.equal(strokes.length, 2);
  assert.deepEqual(strokes.map((stroke) => Math.round(stroke.at(-1)[0])).sort((a, b) => a - b), [0, width]);
});

test("every label lies inside its territory with room for an army count", () => {
  for (const { name, label, room } of board.territories) {
    assert.ok(contains(shapes.get(name), label), `the label of ${name} lies outside`);
    const distance = Math.min(...segments.get(name).map((segment) => distanceToSegment(label, segment)));
    assert.ok(distance >= room - 0.1, `${name} claims room ${room} but has ${distance}`);
    assert.ok(room >= MIN_ROOM, `${name} has room ${room}`);
  }
});

test("labels are far enough apart for discs that grow on a small screen", () => {
  const labels = board.territories.map((t) => t.label);
  labels.forEach(([x, y], i) => labels.slice(0, i).forEach(([u, v], k) => {
    const distance = Math.hypot(x - u, y - v);
    assert.ok(distance >= 48, `${board.territories[i].name} and ${board.territories[k].name}: ${distance}`);
  }));
});

test("no outline crosses itself or leaves the board", () => {
  for (const [name, list] of segments) {
    list.forEach((first, i) => list.slice(i + 1).forEach((second) => {
      assert.ok(!cross(first, second), `the outline of ${name} crosses itself near ${first[0]}`);
    }));
    const { left, right, top, bottom } = boxes.get(name);
    assert.ok(left > 0 && top > 0 && right < width && bottom < height, `${name} leaves the board`);
  }
});

test("no two territories overlap", () => {
  for (let y = 1.03; y < height; y += 3) {
    for (let x = 1.03; x < width; x += 3) {
      const inside = [...shapes.keys()].filter((name) => {
        const { left, right, top, bottom } = boxes.get(name);
        return x >= left && x <= right && y >= top && y <= bottom && contains(shapes.get(name), [x, y]);
      });
      assert.ok(inside.length < 2, `${inside.join(" and ")} overlap at ${x} ${y}`);
    }
  }
});

test("names of continents stand in the sea", () => {
  for (const { name, label } of board.continents) {
    const halfWidth = name.length * 5.5;
    for (let x = label[0] - halfWidth; x <= label[0] + halfWidth; x += 5) {
      assert.ok(x > 0 && x < width, `${name} leaves the board`);
      for (const rings of shapes.values()) assert.ok(!contains(rings, [x, label[1] - 4]), `${name} covers land`);
    }
  }
});

test("the data stay small", () => assert.ok(statSync(BOARD).size < 120_000));
