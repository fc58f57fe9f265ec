// Places for the territories of any map: near on the board if near in the graph, continents together.

import { type Point, between, distance, nearestOnSegment } from "./plane";

export interface Graph {
  /** Neighbours of each node. */
  neighbors: readonly (readonly number[])[];
  /** The group of each node. */
  groups: readonly number[];
}

/** Length of an edge that leaves its group; one inside a group has length 1. */
const BETWEEN_GROUPS = 1.6;
/** How much farther the drawing may be stretched in one direction than in the other. */
const MAX_STRETCH = 1.5;
/** Length of an edge on a board with room to spare, in spacings. */
const LONGEST_EDGE = 1.45;
const STRESS_ROUNDS = 200;
const SPACING_ROUNDS = 250;

/** Lengths of the shortest paths between all nodes (Floyd and Warshall); parts that hang apart get a fixed distance. */
function pathLengths({ neighbors, groups }: Graph): number[][] {
  const n = neighbors.length;
  const lengths = neighbors.map((near, a) => {
    const row = new Array<number>(n).fill(Infinity);
    row[a] = 0;
    for (const b of near) row[b] = groups[a] === groups[b] ? 1 : BETWEEN_GROUPS;
    return row;
  });
  for (let k = 0; k < n; k++) {
    for (const row of lengths) {
      for (let b = 0; b < n; b++) row[b] = Math.min(row[b]!, row[k]! + lengths[k]![b]!);
    }
  }
  const longest = Math.max(1, ...lengths.flat().filter(Number.isFinite));
  return lengths.map((row) => row.map((length) => (Number.isFinite(length) ? length : longest + BETWEEN_GROUPS)));
}

/** The two main axes of the distances (classical scaling), widest first: a start without any chance in it. */
function mainAxes(lengths: readonly (readonly number[])[]): Point[] {
  const n = lengths.length;
  const squares = lengths.map((row) => row.map((length) => length * length));
  const rowMeans = squares.map((row) => row.reduce((a, b) => a + b, 0) / n);
  const mean = rowMeans.reduce((a, b) => a + b, 0) / n;
  const products = squares.map((row, a) => row.map((square, b) => -(square - rowMeans[a]! - rowMeans[b]! + mean) / 2));
  const xs = strongestAxis(products, Math.sin, []);
  const ys = strongestAxis(products, Math.cos, xs);
  return xs.map((x, i) => [x, ys[i]!]);
}

/** The strongest axis of a symmetric matrix by power iteration, at right angles to `other`, as long as it is strong. */
function strongestAxis(
  matrix: readonly (readonly number[])[],
  start: (node: number) => number,
  other: readonly number[],
): number[] {
  const unit = (axis: number[]): number[] => {
    const length = Math.hypot(...axis);
    return length < 1e-9 ? axis.map(() => 0) : axis.map((value) => value / length);
  };
  const away = unit([...other]);
  let axis = matrix.map((_, i) => start(i + 1));
  let strength = 0;
  for (let round = 0; round < 200; round++) {
    const product = matrix.map((row) => row.reduce((sum, value, i) => sum + value * axis[i]!, 0));
    const shared = away.reduce((sum, value, i) => sum + value * product[i]!, 0);
    const rest = away.length > 0 ? product.map((value, i) => value - shared * away[i]!) : product;
    strength = Math.hypot(...rest);
    axis = unit(rest);
  }
  return axis.map((value) => value * Math.sqrt(strength));
}

/** Moves every node to where its distances to all others fit best, again and again (stress majorisation). */
function relaxStress(points: Point[], lengths: readonly (readonly number[])[]): Point[] {
  let now = points;
  for (let round = 0; round < STRESS_ROUNDS; round++) {
    now = now.map((here, a) => {
      let [x, y, total] = [0, 0, 0];
      now.forEach((there, b) => {
        if (a === b) return;
        const wanted = lengths[a]![b]!;
        const weight = 1 / (wanted * wanted);
        const stretch = wanted / Math.max(1e-6, distance(here, there));
        x += weight * (there[0] + (here[0] - there[0]) * stretch);
        y += weight * (there[1] + (here[1] - there[1]) * stretch);
        total += weight;
      });
      return total === 0 ? here : [x / total, y / total];
    });
  }
  return now;
}

/** Stretches the points over the frame, each direction by itself, but neither much more than the other or than needed. */
function fitInto(points: readonly Point[], [width, height]: Point, margin: number, maxScale: number): Point[] {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const fullX = (width - 2 * margin) / Math.max(1e-6, right - left);
  const fullY = (height - 2 * margin) / Math.max(1e-6, bottom - top);
  const scaleX = Math.min(fullX, fullY * MAX_STRETCH, maxScale);
  const scaleY = Math.min(fullY, fullX * MAX_STRETCH, maxScale);
  return points.map(([x, y]) => [
    width / 2 + (x - (left + right) / 2) * scaleX,
    height / 2 + (y - (top + bottom) / 2) * scaleY,
  ]);
}

/** Pushes nodes off each other and off edges that are not theirs, inside the frame. */
function keepApart(points: Point[], graph: Graph, frame: Point, margin: number, spacing: number): Point[] {
  const now = points.map(([x, y]): [number, number] => [x, y]);
  const edges = graph.neighbors.flatMap((near, a) => near.filter((b) => b > a).map((b): Point => [a, b]));
  const clearance = spacing * 0.72;
  const push = (a: number, from: Point, wanted: number, share: number): void => {
    const here = now[a]!;
    const gap = distance(here, from);
    if (gap >= wanted) return;
    const step = ((wanted - gap) * share) / Math.max(gap, 1e-6);
    here[0] += (here[0] - from[0]) * step;
    here[1] += (here[1] - from[1]) * step;
  };
  for (let round = 0; round < SPACING_ROUNDS; round++) {
    for (let a = 0; a < now.length; a++) {
      for (let b = 0; b < a; b++) {
        const wanted = graph.groups[a] === graph.groups[b] ? spacing : spacing * 1.3;
        if (distance(now[a]!, now[b]!) >= wanted) continue;
        const [x, y] = now[a]!;
        push(a, now[b]!, wanted, 0.25);
        push(b, [x, y], wanted, 0.25);
      }
    }
    for (const [a, b] of edges) {
      const [start, end] = [now[a]!, now[b]!];
      const reach = distance(start, end) / 2 + clearance;
      const middle = between(start, end, 0.5);
      for (let c = 0; c < now.length; c++) {
        if (c === a || c === b || distance(now[c]!, middle) > reach) continue;
        push(c, nearestOnSegment(now[c]!, start, end), clearance, 0.2);
      }
    }
    for (const point of now) {
      point[0] = Math.min(frame[0] - margin, Math.max(margin, point[0]));
      point[1] = Math.min(frame[1] - margin, Math.max(margin, point[1]));
    }
  }
  return now;
}

/** Turns a drawing so that the first nodes stand at the left, and the first of all in the upper half. */
function orient(points: readonly Point[]): Point[] {
  const middle = (points.length - 1) / 2;
  const drift = points.reduce((sum, [x], i) => sum + x * (i - middle), 0);
  const mean = points.reduce((sum, [, y]) => sum + y / points.length, 0);
  const flipX = drift < 0 ? -1 : 1;
  const flipY = (points[0]?.[1] ?? 0) > mean ? -1 : 1;
  return points.map(([x, y]) => [flipX * x, flipY * y]);
}

/** A place inside the frame for every node, about `spacing` apart; the same graph always gets the same places. */
export function placeNodes(graph: Graph, frame: Point, spacing: number): Point[] {
  const lengths = pathLengths(graph);
  const relaxed = orient(relaxStress(mainAxes(lengths), lengths));
  const margin = spacing * 0.62;
  return keepApart(fitInto(relaxed, frame, margin, spacing * LONGEST_EDGE), graph, frame, margin, spacing);
}
