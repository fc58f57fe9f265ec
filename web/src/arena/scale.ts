// Round numbers along an axis.

/** Ticks at 1, 2 or 5 times a power of ten that enclose the range, some four to eight of them. */
export function ticks(low: number, high: number): number[] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const span = Math.max(high - low, 1e-9);
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= 6) ?? 10 * power;
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
