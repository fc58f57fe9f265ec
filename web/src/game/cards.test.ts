import { describe, expect, it } from "vitest";
import type { Rules } from "../lib/wire";
import { bestTrade, fixedWorth, parseTrade, symbol, trades, tradesOf } from "./cards";

const choose = (...moves: string[]) => ({ id: 1, n_moves: 1, moves: null, groups: moves.map((move) => ({ kind: "trade" as const, move })) });

describe("cards", () => {
  it("have the symbol of their number modulo 3", () => {
    expect(["0", "4", "8", "w"].map(symbol)).toEqual([0, 1, 2, null]);
  });

  it("are read from legal trades", () => {
    expect(parseTrade("t0.4.w+0")).toEqual({ move: "t0.4.w+0", cards: ["0", "4", "w"], bonus: 0 });
    expect(parseTrade("t0.3.6")).toEqual({ move: "t0.3.6", cards: ["0", "3", "6"], bonus: null });
    expect(parseTrade("end")).toBeNull();
  });

  it("find their trade in any order, with every place for the bonus", () => {
    const all = trades(choose("t0.4.8+0", "t0.4.8+8", "t0.4.w"));
    expect(tradesOf(all, ["8", "0", "4"]).map(({ bonus }) => bonus)).toEqual([0, 8]);
    expect(tradesOf(all, ["0", "4", "5"])).toEqual([]);
  });

  it("keep wild cards for later", () => {
    expect(bestTrade(trades(choose("t0.w.w+0", "t0.3.w+0", "t0.3.6")))?.move).toBe("t0.3.6");
    expect(bestTrade([])).toBeNull();
  });

  const withScheme = (scheme: Rules["cards"]["scheme"]): Rules => ({ cards: { scheme } }) as Rules;

  it("know the worth of a set where the rules fix it", () => {
    const rules = withScheme({ fixed: [4, 6, 8, 10] });
    expect(fixedWorth(rules, ["1", "4", "w"])).toBe(6);
    expect(fixedWorth(rules, ["0", "1", "2"])).toBe(10);
    expect(fixedWorth(withScheme("off"), ["0", "1", "2"])).toBeNull();
  });
});
