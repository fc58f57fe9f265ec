// Which territory an arrow key leads to.

export type Direction = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";
type Point = readonly [number, number];

const VECTORS: Record<Direction, Point> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Sideways distance counts this much of distance straight on. */
const SIDEWAYS = 0.8;
/** A neighbour on the map is preferred until it is this much farther away. */
const NEIGHBOR_BONUS = 0.6;

export const isDirection = (key: string): key is Direction => key in VECTORS;

/** The nearest territory in a direction, neighbours on the map preferred; `at` itself if there is none. */
export function step(points: readonly Point[], neighbors: readonly number[], at: number, direction: Direction): number {
  const here = points[at];
  if (here === undefined) return at;
  const [dx, dy] = VECTORS[direction];
  let best = at;
  let bestCost = Number.POSITIVE_INFINITY;
  points.forEach(([x, y], i) => {
    const ahead = (x - here[0]) * dx + (y - here[1]) * dy;
    const aside = Math.abs((x - here[0]) * dy) + Math.abs((y - here[1]) * dx);
    // Only what lies within 60 degrees of the direction.
    if (i === at || ahead <= 0 || aside > 1.75 * ahead) return;
    const cost = (ahead + SIDEWAYS * aside) * (neighbors.includes(i) ? NEIGHBOR_BONUS : 1);
    if (cost < bestCost) [best, bestCost] = [i, cost];
  });
  return best;
}

/** The next of some territories after `at`, in numerical order and around the end. */
export function cycle(candidates: ReadonlySet<number>, at: number, forward: boolean): number {
  const sorted = [...candidates].sort((a, b) => a - b);
  if (sorted.length === 0) return at;
  const next = forward ? sorted.find((i) => i > at) : sorted.findLast((i) => i < at);
  return next ?? (forward ? sorted[0]! : sorted.at(-1)!);
}
