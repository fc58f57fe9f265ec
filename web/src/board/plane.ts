// Small plane geometry for drawing boards.

export type Point = readonly [number, number];

/** Not by `Math.hypot`, which is slow and guards against an overflow that no board can have. */
export const distance = (a: Point, b: Point): number => Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2);

export const between = ([ax, ay]: Point, [bx, by]: Point, share: number): Point => [
  ax + (bx - ax) * share,
  ay + (by - ay) * share,
];

export function nearestOnSegment(point: Point, start: Point, end: Point): Point {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / square;
  return between(start, end, Math.min(1, Math.max(0, along)));
}

/** The corners of a polygon in pairs, one pair for each side. */
export const sidesOf = (polygon: readonly Point[]): [Point, Point][] =>
  polygon.map((corner, i) => [corner, polygon[(i + 1) % polygon.length]!]);

export function contains(polygon: readonly Point[], [x, y]: Point): boolean {
  let isInside = false;
  let [x0, y0] = polygon.at(-1)!;
  for (const [x1, y1] of polygon) {
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
    [x0, y0] = [x1, y1];
  }
  return isInside;
}

export const distanceToOutline = (polygon: readonly Point[], point: Point): number =>
  Math.min(...sidesOf(polygon).map(([start, end]) => distance(point, nearestOnSegment(point, start, end))));

/** The part of a convex polygon where `height` is negative; `height` must be linear. */
export function clip(polygon: readonly Point[], height: (point: Point) => number): Point[] {
  return sidesOf(polygon).flatMap(([start, end]) => {
    const [from, to] = [height(start), height(end)];
    const kept: Point[] = from <= 0 ? [start] : [];
    if (from <= 0 !== to <= 0) kept.push(between(start, end, from / (from - to)));
    return kept;
  });
}

/** A convex polygon grown by `radius` on all sides, its corners round. Corners must follow each other clockwise on the screen. */
export function growRound(polygon: readonly Point[], radius: number): Point[] {
  const angles = sidesOf(polygon).map(([[x0, y0], [x1, y1]]) => Math.atan2(x0 - x1, y1 - y0));
  return polygon.flatMap((corner, i) => {
    const from = angles.at(i - 1)!;
    const turn = (angles[i]! - from + 4 * Math.PI) % (2 * Math.PI);
    const pieces = Math.ceil(turn / 0.3);
    return Array.from({ length: pieces + 1 }, (_, k): Point => {
      const angle = from + (turn * k) / Math.max(1, pieces);
      return [corner[0] + radius * Math.cos(angle), corner[1] + radius * Math.sin(angle)];
    });
  });
}
