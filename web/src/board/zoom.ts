// Zoom of a board that scrolls: the point under the finger stays where it is.

export const LEAST_ZOOM = 1;
export const MOST_ZOOM = 6;

export const boundedZoom = (zoom: number): number => Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));

/** Zoom factor of a turn of the wheel, by its pixels. */
export const wheelFactor = (deltaY: number): number => Math.exp(-Math.max(-120, Math.min(120, deltaY)) / 300);

/** The scroll position on one axis after the sheet has grown by `ratio` about the point `at` of the view. Margins center a sheet that is smaller than the view. */
export function scrollAfter(scroll: number, at: number, view: number, sheet: number, ratio: number): number {
  const margin = Math.max(0, (view - sheet) / 2);
  const point = (scroll + at - margin) * ratio;
  const newMargin = Math.max(0, (view - sheet * ratio) / 2);
  return Math.max(0, point + newMargin - at);
}
