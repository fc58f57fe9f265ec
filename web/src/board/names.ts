// Where the names of continents are written: near the place that the map gives, but over no count.

import type { Point } from "./plane";

export interface Disc {
  at: Point;
  radius: number;
}

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Steps away from the place, in heights of the text: little first, aside before up and down. */
const STEPS: readonly Point[] = [0, 1, -1, 2, -2, 3, -3].flatMap((dy) => [0, -1, 1, -2, 2, -3, 3].map((dx): Point => [dx, dy])).sort((a, b) => Math.abs(a[0]) + 2 * Math.abs(a[1]) - Math.abs(b[0]) - 2 * Math.abs(b[1]));

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

function hides({ left, top, width, height }: Box, { at: [x, y], radius }: Disc): boolean {
  const dx = x - clamp(x, left, left + width);
  const dy = y - clamp(y, top, top + height);
  return dx * dx + dy * dy < radius * radius;
}

const overlaps = (a: Box, b: Box): boolean => a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

/** Boxes for names about these places, in the sheet, over no disc and no other name if there is any such place near. */
export function placeNames(names: readonly { at: Point; width: number }[], height: number, discs: readonly Disc[], sheet: Box): Box[] {
  const placed: Box[] = [];
  for (const { at, width } of names) {
    const boxAt = ([dx, dy]: Point): Box => ({
      left: clamp(at[0] + dx * height - width / 2, sheet.left, sheet.left + sheet.width - width),
      top: clamp(at[1] + dy * height - height / 2, sheet.top, sheet.top + sheet.height - height),
      width,
      height,
    });
    const isFree = (box: Box): boolean => !discs.some((disc) => hides(box, disc)) && !placed.some((other) => overlaps(box, other));
    const boxes = STEPS.map(boxAt);
    placed.push(boxes.find(isFree) ?? boxes[0]!);
  }
  return placed;
}
