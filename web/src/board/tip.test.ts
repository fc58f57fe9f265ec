import { describe, expect, it } from "vitest";
import { placeTip } from "./tip";

const view = { width: 800, height: 400 };
const tip = { width: 200, height: 60 };

describe("the tip", () => {
  it("stands above, and stays in the view", () => {
    expect(placeTip([400, 200], tip, view, [], [], 10)).toEqual([300, 118]);
    expect(placeTip([10, 200], tip, view, [], [], 10)).toEqual([8, 118]);
  });

  it("leaves the buttons in the corner free", () => {
    expect(placeTip([10, 390], tip, view, [], [], 10)).toEqual([56, 308]);
    expect(placeTip([790, 390], tip, view, [], [], 10)).toEqual([592, 308]);
  });

  it("goes where no neighbour's count is hidden", () => {
    const above = [[400, 150]] as const;
    expect(placeTip([400, 200], tip, view, above, [], 10)).toEqual([300, 222]);
    const both = [[400, 150], [400, 250]] as const;
    expect(placeTip([400, 200], tip, view, both, [], 10)).toEqual([422, 170]);
  });

  it("takes a corner where counts are all around", () => {
    const ring = Array.from({ length: 36 }, (_, i) => [400 + 70 * Math.cos(i / 5.73), 200 + 70 * Math.sin(i / 5.73)] as const);
    expect(placeTip([400, 200], tip, view, ring, [], 12)).toEqual([8, 8]);
    expect(placeTip([400, 200], tip, view, ring, [[20, 20]], 12)).toEqual([592, 8]);
  });
});
