import { describe, expect, it } from "vitest";
import { ticks } from "../arena/scale";
import type { BattleOdds } from "../lib/wire";
import { battleBars, chainBars, parseChain } from "./distribution";

describe("distributions", () => {
  it("run from the worst defeat to the best victory", () => {
    const outcomes = [
      { attackers: 2, defenders: 0, probability: 0.3 },
      { attackers: 0, defenders: 1, probability: 0.4 },
      { attackers: 0, defenders: 2, probability: 0.1 },
      { attackers: 1, defenders: 0, probability: 0.2 },
    ];
    expect(battleBars({ outcomes } as BattleOdds).map(({ label }) => label)).toEqual(["2 defending", "1 defending", "1 left", "2 left"]);
  });

  it("merge and cut until the bars can be told apart, and lose little", () => {
    const outcomes = Array.from({ length: 500 }, (_, i) => ({ attackers: i + 1, probability: 1 / 500 }));
    const bars = chainBars({ win: 1, steps: [], expected_left: 0, outcomes });
    expect(bars.length).toBeLessThanOrEqual(61);
    expect(bars.every((bar) => bar.isWin)).toBe(true);
    expect(bars.reduce((sum, bar) => sum + bar.probability, 0)).toBeCloseTo(1);
  });

  it("show a chain that may be stopped on the way", () => {
    const bars = chainBars({ win: 0.7, steps: [], expected_left: 1, outcomes: [{ attackers: 2, probability: 0.3 }, { attackers: 1, probability: 0.4 }] });
    expect(bars.map(({ label, isWin }) => [label, isWin])).toEqual([["stopped", false], ["1 left", true], ["2 left", true]]);
    expect(bars[0]!.probability).toBeCloseTo(0.3);
  });

  it("read a chain as people write it", () => {
    expect(parseChain(" 3, 2;4 ")).toBe("3,2,4");
    expect([parseChain(""), parseChain("3,x"), parseChain("0")]).toEqual([null, null, null]);
  });
});

describe("ticks", () => {
  it("are round and enclose the range", () => {
    expect(ticks(912, 1288)).toEqual([900, 1000, 1100, 1200, 1300]);
    expect(ticks(5, 5).length).toBeGreaterThan(1);
    expect(ticks(Number.POSITIVE_INFINITY, 0)).toEqual([0, 1]);
  });
});
