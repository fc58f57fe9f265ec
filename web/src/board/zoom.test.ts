import { describe, expect, it } from "vitest";
import { boundedZoom, LEAST_ZOOM, MOST_ZOOM, scrollAfter, wheelFactor } from "./zoom";

describe("zoom", () => {
  it("keeps the point under the pointer", () => {
    // A sheet of 1000 in a view of 500, scrolled by 200: the point at 100 is 300 of the sheet, then 600.
    expect(scrollAfter(200, 100, 500, 1000, 2)).toBe(500);
    // A sheet of 300 in the middle of 500 becomes 600, and its middle stays.
    expect(scrollAfter(0, 250, 500, 300, 2)).toBe(50);
  });

  it("has bounds, and a wheel that can be undone", () => {
    expect(boundedZoom(0.2)).toBe(LEAST_ZOOM);
    expect(boundedZoom(99)).toBe(MOST_ZOOM);
    expect(wheelFactor(100) * wheelFactor(-100)).toBeCloseTo(1);
    expect(wheelFactor(-100)).toBeGreaterThan(1);
  });
});
