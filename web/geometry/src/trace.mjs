// Borders of a raster of territories as arcs that neighbours share, smoothed and thinned, and rings made of them.

import { distanceToSegment } from "./outline.mjs";

/** Arcs between the points where three or more areas meet (and closed arcs), each with the area on its left and right. */
export function traceArcs(labels, outside) {
  const { width, height } = labels;
  const at = (x, y) => (x < 0 || y < 0 || x >= width || y >= height ? outside : labels.cells[y * width + x]);
  const vertexWidth = width + 1;
  const steps = new Map(); // vertex -> [{to, left, right}], in both directions
  const addStep = (from, to, left, right) => {
    if (!steps.has(from)) steps.set(from, []);
    steps.get(from).push({ from, to, left, right, used: false });
  };
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++) {
      const vertex = y * vertexWidth + x;
      const [upperRight, lowerLeft] = [at(x, y - 1), at(x - 1, y)];
      const lowerRight = at(x, y);
      if (upperRight !== lowerRight && x < width) {
        addStep(vertex, vertex + 1, upperRight, lowerRight);
        addStep(vertex + 1, vertex, lowerRight, upperRight);
      }
      if (lowerLeft !== lowerRight && y < height) {
        addStep(vertex, vertex + vertexWidth, lowerRight, lowerLeft);
        addStep(vertex + vertexWidth, vertex, lowerLeft, lowerRight);
      }
    }
  }
  return chainSteps(steps, (vertex) => [
    (vertex % vertexWidth) / labels.scale,
    Math.floor(vertex / vertexWidth) / labels.scale,
  ]);
}

function chainSteps(steps, position) {
  const arcs = [];
  const follow = (first) => {
    const vertices = [first.from];
    let step = first;
    for (;;) {
      step.used = true;
      const back = steps.get(step.to).find((s) => s.to === step.from);
      back.used = true;
      vertices.push(step.to);
      const next = steps.get(step.to);
      if (next.length !== 2 || step.to === first.from) break;
      step = next.find((s) => s !== back);
    }
    arcs.push({
      left: first.left,
      right: first.right,
      closed: vertices[0] === vertices.at(-1),
      from: vertices[0],
      to: vertices.at(-1),
      points: vertices.map(position),
    });
  };
  const isNode = (list) => list.length !== 2;
  for (const list of steps.values()) {
    if (isNode(list)) for (const step of list) if (!step.used) follow(step);
  }
  for (const list of steps.values()) for (const step of list) if (!step.used) follow(step);
  return arcs;
}

/** Gaussian smoothing along the arc; ends of open arcs stay. `radius` counts points. */
export function smoothArc(arc, radius) {
  const { points } = arc;
  const loop = arc.closed && arc.from === arc.to;
  const body = loop ? points.slice(0, -1) : points;
  const count = body.length;
  const reach = Math.ceil(2.5 * radius);
  const smooth = body.map((point, i) => {
    const room = loop ? reach : Math.min(reach, i, count - 1 - i);
    let [x, y, total] = [0, 0, 0];
    for (let k = -room; k <= room; k++) {
      const weight = Math.exp(-(k * k) / (2 * radius * radius));
      const [px, py] = body[(i + k + reach * count) % count];
      x += weight * px;
      y += weight * py;
      total += weight;
    }
    return [x / total, y / total];
  });
  return { ...arc, points: loop ? [...smooth, smooth[0]] : smooth };
}

/** Drops points nearer than `tolerance` to the line through the ones that stay (Douglas and Peucker). */
export function thinArc(arc, tolerance) {
  const { points } = arc;
  const keep = new Uint8Array(points.length);
  keep[0] = keep[points.length - 1] = 1;
  const middle = Math.floor(points.length / 2);
  const spans = [[0, middle], [middle, points.length - 1]];
  keep[middle] = 1;
  while (spans.length > 0) {
    const [first, last] = spans.pop();
    let worst = -1;
    let worstDistance = tolerance;
    for (let i = first + 1; i < last; i++) {
      const distance = distanceToSegment(points[i], [points[first], points[last]]);
      if (distance > worstDistance) [worst, worstDistance] = [i, distance];
    }
    if (worst >= 0) {
      keep[worst] = 1;
      spans.push([first, worst], [worst, last]);
    }
  }
  return { ...arc, points: points.filter((_, i) => keep[i]) };
}

/** Closed rings around all areas for which `belongs` holds, area on the left; inner arcs vanish. */
export function ringsOf(arcs, belongs) {
  const open = new Map(); // arcs by the point where they begin
  const rings = [];
  for (const arc of arcs) {
    const [left, right] = [belongs(arc.left), belongs(arc.right)];
    if (left === right) continue;
    const directed = left
      ? { from: arc.from, to: arc.to, points: arc.points }
      : { from: arc.to, to: arc.from, points: [...arc.points].reverse() };
    open.set(directed.from, [...(open.get(directed.from) ?? []), directed]);
  }
  for (const [start, arcsHere] of open) {
    while (arcsHere.length > 0) {
      const ring = [];
      for (let arc = arcsHere.pop(); arc; arc = arc.to === start ? undefined : open.get(arc.to).pop()) {
        ring.push(...arc.points.slice(0, -1));
      }
      rings.push(ring);
    }
  }
  return rings.sort((a, b) => Math.abs(ringArea(b)) - Math.abs(ringArea(a)));
}

/** Area within a ring, positive where it runs clockwise on the screen. */
export function ringArea(ring) {
  let sum = 0;
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    sum += x * nextY - nextX * y;
  });
  return sum / 2;
}
