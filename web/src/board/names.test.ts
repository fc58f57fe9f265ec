import { describe, expect, it } from "vitest";
import { placeNames } from "./names";

const sheet = { left: 0, top: 0, width: 200, height: 100 };

describe("names of continents", () => {
  it("stand where the map says, within the sheet", () => {
    expect(placeNames([{ at: [100, 50], width: 60 }, { at: [5, 2], width: 60 }], 10, [], sheet)).toEqual([
      { left: 70, top: 45, width: 60, height: 10 },
      { left: 0, top: 0, width: 60, height: 10 },
    ]);
  });

  it("give way to counts and to each other", () => {
    const counts = [{ at: [130, 50] as const, radius: 8 }];
    const [name] = placeNames([{ at: [100, 50], width: 60 }], 10, counts, sheet);
    expect(name).toEqual({ left: 60, top: 45, width: 60, height: 10 });
    const [first, second] = placeNames([{ at: [100, 50], width: 60 }, { at: [100, 50], width: 60 }], 10, [], sheet);
    expect(second!.top >= first!.top + 10 || second!.top + 10 <= first!.top).toBe(true);
  });
});
