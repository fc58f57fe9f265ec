// Outlines as points: the SVG paths of a board read back, and small plane geometry.

const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;

/** The rings of a territory's path: `M x y l dx dy ... z`, repeated. */
export function parseRings(path) {
  return path.split("z").filter(Boolean).map((subpath) => {
    const [start, steps] = subpath.slice(1).split("l").map((part) => part.match(NUMBER).map(Number));
    const ring = [start];
    let [x, y] = start.map((value) => Math.round(value * 10));
    for (let i = 0; i < steps.length; i += 2) {
      x += Math.round(steps[i] * 10);
      y += Math.round(steps[i + 1] * 10);
      ring.push([x / 10, y / 10]);
    }
    return ring;
  });
}

/** Points along each stroke of a link's path, which is made of `M x y C ...` alone. */
export function sampleStrokes(path, perCurve = 20) {
  return path.split("M").filter(Boolean).map((stroke) => {
    const numbers = stroke.match(NUMBER).map(Number);
    const points = [];
    for (let i = 0; i + 7 < numbers.length; i += 6) {
      const [p0, p1, p2, p3] = [0, 2, 4, 6].map((k) => numbers.slice(i + k, i + k + 2));
      for (let k = 0; k <= perCurve; k++) points.push(bezier(p0, p1, p2, p3, k / perCurve));
    }
    return points;
  });
}

function bezier(p0, p1, p2, p3, t) {
  const s = 1 - t;
  return [0, 1].map((k) => s ** 3 * p0[k] + 3 * s * s * t * p1[k] + 3 * s * t * t * p2[k] + t ** 3 * p3[k]);
}

export const segmentsOf = (rings) => rings.flatMap((ring) => ring.map((point, i) => [point, ring[(i + 1) % ring.length]]));

export function distanceToSegment([px, py], [[ax, ay], [bx, by]]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}

/** Whether a point lies inside the rings (even-odd). */
export function contains(rings, [x, y]) {
  let inside = false;
  for (const [[x0, y0], [x1, y1]] of segmentsOf(rings)) {
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
  }
  return inside;
}

/** Whether two segments cross in a point that is an end of neither. */
export function cross([a, b], [c, d]) {
  const side = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
