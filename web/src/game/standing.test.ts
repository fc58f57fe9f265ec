import { describe, expect, it } from "vitest";
import type { GameInfo, Level } from "../lib/wire";
import { nextLevel, rematch } from "./rematch";
import { addPlayed, loadPlayed, rating, records, type Played } from "./standing";

const level = (id: string, elo: number): Level => ({ id, name: id.toUpperCase(), spec: `${id}-bot`, about: "", rating: { elo, low: elo, high: elo, games: 9, pool: "p" } });
const LEVELS = [level("weak", -200), level("even", 0), level("strong", 300)];
const games = (n: number, wins: number, ...levels: string[]): Played[] => Array.from({ length: n }, (_, i) => ({ id: `${levels}${i}`, levels, score: i < wins ? 1 : 0 }));

describe("the personal record", () => {
  it("counts games and wins against each level, each game once", () => {
    const values = new Map<string, string>();
    const store = { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
    addPlayed(store, { id: "g", levels: ["weak"], score: 0 });
    addPlayed(store, { id: "g", levels: ["weak"], score: 1 });
    expect(records(loadPlayed(store), LEVELS)).toMatchObject([{ level: { id: "weak" }, games: 1, wins: 1 }]);
    values.set("hegemon.results", "no");
    expect(loadPlayed(store)).toEqual([]);
  });

  it("is nothing without games, and the level's own where half of many duels are won", () => {
    expect(rating([], LEVELS)).toBeNull();
    const even = rating(games(400, 200, "strong"), LEVELS)!;
    expect(even.elo).toBeGreaterThan(285);
    expect(even.elo).toBeLessThan(301);
    expect(even.high - even.low).toBeLessThan(80);
  });

  it("expects a quarter of the wins among four of equal strength", () => {
    expect(rating(games(400, 100, "even", "even", "even"), LEVELS)!.elo).toBeCloseTo(0, 0);
  });

  it("stays finite after one win, with a wide interval", () => {
    const one = rating(games(1, 1, "weak"), LEVELS)!;
    expect(one.elo).toBeGreaterThan(0);
    expect(one.high - one.low).toBeGreaterThan(800);
  });
});

describe("a rematch", () => {
  const info = {
    id: "abc",
    map: { name: "duel6" },
    rules_name: "lux",
    turn_seconds: null,
    seats: [
      { kind: "human", name: "Ann", spec: null, host_bot: null },
      { kind: "bot", name: "WEAK", spec: "weak-bot", host_bot: null },
      { kind: "bot", name: "Mine", spec: "odd(x=1)", host_bot: null },
    ],
  } as unknown as GameInfo;

  it("has the same seats and no seed", () => {
    expect(rematch(info, info.seats, LEVELS)).toEqual({
      map: "duel6",
      rules: "lux",
      seats: [
        { kind: "human", name: "Ann" },
        { kind: "bot", name: "WEAK", level: "weak" },
        { kind: "bot", name: "Mine", spec: "odd(x=1)" },
      ],
    });
  });

  it("has the clock, the programs of the host and the people that the game had", () => {
    const seats = [{ ...info.seats[0]!, name: "Anna" }, { ...info.seats[1]!, spec: null, name: "Brain", host_bot: "brain" }];
    expect(rematch({ ...info, turn_seconds: 60 }, seats, LEVELS, true, "secret")).toEqual({
      map: "duel6",
      rules: "lux",
      seats: [
        { kind: "human", name: "Anna" },
        { kind: "bot", name: "Brain", host_bot: "brain" },
      ],
      turn_seconds: 60,
      rematch: { game: "abc", token: "secret" },
    });
  });

  it("may be one level harder", () => {
    expect(nextLevel(info, LEVELS)?.id).toBe("even");
    expect(rematch(info, info.seats, LEVELS, true).seats[1]).toEqual({ kind: "bot", name: "EVEN", level: "even" });
    expect(nextLevel({ ...info, seats: [{ ...info.seats[1]!, spec: "strong-bot" }] }, LEVELS)).toBeNull();
  });
});
