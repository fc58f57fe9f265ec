import { describe, expect, it } from "vitest";
import type { GameMap, Rules } from "../lib/wire";
import { nextSets, rulesSheet } from "./sheet";

const map = { continents: [{ name: "South", bonus: 2 }, { name: "Asia", bonus: 7 }] } as unknown as GameMap;
const RULES = {
  victory: "conquest",
  fortify: "one-connected",
  income: { divisor: 3, minimum: 3, growth: 0 },
  cards: { scheme: { progressive: { values: [4, 6, 8, 10, 12, 15], step: 5 } }, "territory-bonus": 2, "bonus-once": true, "forced-from": 5, capture: true },
  battle: { attack: "roll", dice: { "attacker-max": 3, "defender-max": 2, "defender-second-from": 2, "ties-to-attacker": false }, occupy: "dice-rolled" },
  end: { "tie-breaks": ["territories", "armies"] },
} as unknown as Rules;
const lines = (rules: Rules, nTraded = 0): string[] => rulesSheet(rules, map, nTraded).flatMap((section) => section.lines);

describe("the rules in sentences", () => {
  it("name the next sets, wherever the game stands", () => {
    expect(nextSets(RULES.cards.scheme, 0, 3)).toEqual([4, 6, 8]);
    expect(nextSets(RULES.cards.scheme, 5, 3)).toEqual([15, 20, 25]);
    expect(nextSets({ step: { first: 4, step: 2 } }, 2, 2)).toEqual([8, 10]);
    expect(lines(RULES, 6)).toContain("The next sets are worth 20, 25, 30, 35, 40 armies.");
  });

  it("follow the value", () => {
    expect(lines(RULES)).toContain("Whoever conquers every territory wins.");
    expect(lines(RULES).join(" ")).toContain("Asia +7, South +2");
    const short = { ...RULES, victory: "missions", end: { "tie-breaks": ["armies"], "turn-limit": 9 } } as unknown as Rules;
    expect(lines(short).join(" ")).toMatch(/secret mission.*9 turns.*most armies/);
    expect(lines({ ...RULES, cards: { ...RULES.cards, scheme: "off" } })).toContain("There are no cards.");
  });
});
