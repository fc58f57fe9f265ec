// An arrow between two counters.

type Point = readonly [number, number];

/** From a point to another, leaving `gap` free at both ends, with a head of size `head`. */
export function arrowPath([x1, y1]: Point, [x2, y2]: Point, gap: number, head: number): string | null {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length <= 2 * gap) return null;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [ax, ay] = [x1 + ux * gap, y1 + uy * gap];
  const [bx, by] = [x2 - ux * gap, y2 - uy * gap];
  const wing = (side: number): string => `${round(bx - head * (ux + side * uy * 0.6))},${round(by - head * (uy - side * ux * 0.6))}`;
  return `M${round(ax)},${round(ay)}L${round(bx)},${round(by)}M${wing(1)}L${round(bx)},${round(by)}L${wing(-1)}`;
}

/** The same where the way leads over the edge of a sheet of this width: out on one side and in on the other. */
export function arrowAround(a: Point, b: Point, width: number, gap: number, head: number): string {
  const shift = a[0] < b[0] ? width : -width;
  const ways = [arrowPath(a, [b[0] - shift, b[1]], gap, head), arrowPath([a[0] + shift, a[1]], b, gap, head)];
  return ways.filter((way) => way !== null).join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;
