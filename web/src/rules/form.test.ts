import { describe, expect, it } from "vitest";
import { changed, isSame, keys, label, payload, tag, VARIANTS } from "./form";

const RULES = {
  players: [2, 6],
  start: "draft",
  placement: { "round-robin": { batch: 1, "merge-last": false } },
  cards: { scheme: { progressive: { values: [4, 6], step: 5 } }, wild: 2 },
  end: { "tie-breaks": ["territories", "armies"] },
};

describe("the form of rules", () => {
  it("changes one value and leaves the original alone", () => {
    const next = changed(RULES, ["cards", "scheme", "progressive", "values", 1], 9);
    expect(next["cards"]).toEqual({ scheme: { progressive: { values: [4, 9], step: 5 } }, wild: 2 });
    expect(RULES.cards.scheme.progressive.values).toEqual([4, 6]);
    expect(changed(RULES, ["players", 0], 3)["players"]).toEqual([3, 6]);
  });

  it("adds and takes away what is optional", () => {
    const limited = changed(RULES, ["end", "turn-limit"], 20);
    expect(limited["end"]).toEqual({ "tie-breaks": ["territories", "armies"], "turn-limit": 20 });
    expect(isSame(changed(limited, ["end", "turn-limit"], undefined), RULES)).toBe(true);
    expect(keys(["end"], RULES.end)).toEqual(["tie-breaks", "turn-limit", "early-stop"]);
    expect(keys([], RULES)).toEqual(["players", "start", "placement", "cards", "end"]);
    expect(keys(["battle"], { dice: { a: 1 }, occupy: "one" })).toEqual(["occupy", "dice"]);
  });

  it("finds the variant of a value and what it carries", () => {
    expect(tag("draft")).toBe('"draft"');
    expect(tag(RULES.placement)).toBe("round-robin");
    expect(payload(["placement"], RULES.placement)).toEqual({ path: ["placement", "round-robin"], value: { batch: 1, "merge-last": false } });
    expect(payload(["start"], "draft")).toBeNull();
  });

  it("has a label for every axis and distinct variants", () => {
    expect(label(["new-axis"])).toBe("New axis");
    expect(label(["cards", "wild"])).toBe("Wild cards");
    for (const variants of Object.values(VARIANTS)) expect(new Set(variants.map(({ value }) => tag(value))).size).toBe(variants.length);
  });

  it("compares without regard to the order of keys", () => {
    expect(isSame({ a: 1, b: [1, { c: 2, d: 3 }] }, { b: [1, { d: 3, c: 2 }], a: 1 })).toBe(true);
    expect(isSame({ a: 1 }, { a: 2 })).toBe(false);
  });
});
