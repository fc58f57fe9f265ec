// Lines over the sea for edges of the map whose territories do not touch on land.

/** How far a line reaches into the land at both ends, so that it is plain where it lands. */
const LANDING = 3.5;

function boundaryPoints(rings, step = 2) {
  return rings.flatMap((ring) =>
    ring.flatMap(([x, y], i) => {
      const [nextX, nextY] = ring[(i + 1) % ring.length];
      const pieces = Math.max(1, Math.round(Math.hypot(nextX - x, nextY - y) / step));
      return Array.from({ length: pieces }, (_, k) => [
        x + ((nextX - x) * k) / pieces,
        y + ((nextY - y) * k) / pieces,
      ]);
    }),
  );
}

const distance = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

/** The point of a boundary nearest to `target`. */
const nearestPoint = (points, target) =>
  points.reduce((best, point) => (distance(point, target) < distance(best, target) ? point : best));

function nearestPair(from, to) {
  let best = [from[0], to[0]];
  for (const a of from) {
    for (const b of to) if (distance(a, b) < distance(...best)) best = [a, b];
  }
  return best;
}

/** The end of a line, moved on into the land. */
function reachInland([x, y], [beforeX, beforeY]) {
  const length = Math.hypot(x - beforeX, y - beforeY) || 1;
  return [x + ((x - beforeX) / length) * LANDING, y + ((y - beforeY) / length) * LANDING];
}

const show = (value) => String(Math.round(value * 10) / 10);
const showPoint = ([x, y]) => `${show(x)} ${show(y)}`;

/** A smooth curve through all points (Catmull and Rom). */
function curve(points) {
  let path = `M${showPoint(points[0])}`;
  for (let i = 0; i + 1 < points.length; i++) {
    const before = points[i - 1] ?? points[i];
    const after = points[i + 2] ?? points[i + 1];
    const lead = points[i].map((v, k) => v + (points[i + 1][k] - before[k]) / 6);
    const trail = points[i + 1].map((v, k) => v - (after[k] - points[i][k]) / 6);
    path += `C${showPoint(lead)} ${showPoint(trail)} ${showPoint(points[i + 1])}`;
  }
  return path;
}

/**
 * The line of one link. `from`, `to` choose landing places (the nearest coast counts), `via` points on the way, all on
 * the board; without them the line crosses where the coasts are nearest. `bend` is its bulge as a share of its length.
 */
export function drawLink(ringsFrom, ringsTo, { from, to, via = [], bend = 0.12 }) {
  const coastFrom = boundaryPoints(ringsFrom);
  const coastTo = boundaryPoints(ringsTo);
  let [start, end] = from && to ? [] : nearestPair(coastFrom, coastTo);
  if (from) start = nearestPoint(coastFrom, from);
  if (to) end = nearestPoint(coastTo, to);
  if (from && !to) end = nearestPoint(coastTo, via.at(-1) ?? start);
  if (to && !from) start = nearestPoint(coastFrom, via[0] ?? end);
  const middle = via.length > 0 ? via : [bulge(start, end, bend)];
  return curve([reachInland(start, middle[0]), ...middle, reachInland(end, middle.at(-1))]);
}

function bulge([x0, y0], [x1, y1], bend) {
  return [(x0 + x1) / 2 + (y1 - y0) * bend, (y0 + y1) / 2 - (x1 - x0) * bend];
}

/** Two stubs that leave the board on both sides at about the same height. */
export function drawStubs(ringsWest, ringsEast, width, { from, to, rise = 0 }) {
  const west = nearestPoint(boundaryPoints(ringsWest), from);
  const east = nearestPoint(boundaryPoints(ringsEast), to);
  const height = (west[1] + east[1]) / 2 + rise;
  const stub = (coast, x) => {
    const edge = [x, height];
    const middle = bulge(coast, edge, x === 0 ? 0.12 : -0.12);
    return curve([reachInland(coast, middle), middle, edge]);
  };
  return stub(west, 0) + stub(east, width);
}
