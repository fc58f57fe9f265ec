// Where the tip of a territory stands, so that it hides no count that matters.

import type { Point } from "./plane";

export interface Size {
  width: number;
  height: number;
}

/** Pixels between the tip and what it speaks of. */
const GAP = 22;
const MARGIN = 8;
/** The buttons in the lower left corner. */
const BUTTONS: Size = { width: 48, height: 88 };

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** How many of the discs a rectangle touches. */
function touches([left, top]: Point, { width, height }: Size, discs: readonly Point[], radius: number): number {
  return discs.filter(([x, y]) => {
    const dx = x - clamp(x, left, left + width);
    const dy = y - clamp(y, top, top + height);
    return dx * dx + dy * dy < radius * radius;
  }).length;
}

/** How much worse it is to hide a count that must be seen than any other. */
const MUST = 100;

/** The corner of a tip about `at` in a view: beside it or in a corner of the view, wherever it hides the fewest counts, those to `keepFree` above all. */
export function placeTip(at: Point, size: Size, view: Size, keepFree: readonly Point[], others: readonly Point[], radius: number): Point {
  const [x, y] = at;
  const right = Math.max(MARGIN, view.width - size.width - MARGIN);
  const bottom = Math.max(MARGIN, view.height - size.height - MARGIN);
  const fit = ([left, top]: Point): Point => {
    const lower = clamp(top, MARGIN, bottom);
    const isBeside = lower + size.height > view.height - BUTTONS.height;
    return [clamp(left, isBeside ? Math.min(right, MARGIN + BUTTONS.width) : MARGIN, right), lower];
  };
  const middle: Point = [x - size.width / 2, y - size.height / 2];
  const candidates: Point[] = [
    [middle[0], y - GAP - size.height],
    [middle[0], y + GAP],
    [x + GAP, middle[1]],
    [x - GAP - size.width, middle[1]],
    [x + GAP, y - GAP - size.height],
    [x - GAP - size.width, y - GAP - size.height],
    [x + GAP, y + GAP],
    [x - GAP - size.width, y + GAP],
    [MARGIN, MARGIN],
    [right, MARGIN],
    [MARGIN, bottom],
    [right, bottom],
  ];
  let best = fit(candidates[0]!);
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates.map(fit)) {
    const hidden = MUST * touches(candidate, size, [at, ...keepFree], radius) + touches(candidate, size, others, radius);
    if (hidden < fewest) [best, fewest] = [candidate, hidden];
  }
  return best;
}
