import { describe, expect, it } from "vitest";
import type { Level, SeatInfo } from "../lib/wire";
import { nextLevel } from "./rematch";
import { addPlayed, loadPlayed, ownScore, rating, records, type Played } from "./standing";

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

  it("has no win of a bot that played for who had resigned", () => {
    expect([ownScore({ hands: "own" }, 1), ownScore({ hands: "resigned" }, 1), ownScore({ hands: "own" }, 0.5)]).toEqual([1, 0, 0.5]);
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

describe("the next level", () => {
  const seat = (kind: string, spec: string | null): SeatInfo => ({ kind, spec }) as SeatInfo;
  const ann = seat("human", null);
  it("is one above the easiest bot", () => {
    expect(nextLevel({ seats: [ann, seat("bot", "even-bot"), seat("bot", "weak-bot"), seat("bot", "odd(x=1)")] }, LEVELS)?.id).toBe("even");
  });
  it("is none above the hardest, for other bots, and where several people play", () => {
    expect(nextLevel({ seats: [ann, seat("bot", "strong-bot")] }, LEVELS)).toBeNull();
    expect(nextLevel({ seats: [ann, seat("bot", "odd(x=1)")] }, LEVELS)).toBeNull();
    expect(nextLevel({ seats: [ann, seat("remote", null), seat("bot", "weak-bot")] }, LEVELS)).toBeNull();
  });
});
