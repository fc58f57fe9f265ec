import { describe, expect, it } from "vitest";
import type { BattleOdds } from "../lib/wire";
import { forecast, quality, questions, type Attack } from "./forecast";
import { OddsCache } from "./odds";

const ATTACK: Attack = { armies: 9, defenders: 4, amount: 3, mode: "end", until: 4, isCapital: false };
const ODDS = {
  win: 0.8,
  expected_attacker_losses: 2.5,
  expected_defender_losses: 3.5,
  outcomes: [
    { attackers: 7, defenders: 0, probability: 0.6 },
    { attackers: 3, defenders: 0, probability: 0.2 },
    { attackers: 0, defenders: 2, probability: 0.2 },
  ],
} as BattleOdds;

describe("the forecast of an attack", () => {
  it("asks about the form of the attack", () => {
    expect(questions(ATTACK)).toEqual({ whole: { attackers: 8, defenders: 4 }, roll: null });
    expect(questions({ ...ATTACK, mode: "until" }).whole).toEqual({ attackers: 8, defenders: 4, reserve: 3 });
    expect(questions({ ...ATTACK, mode: "once" }).roll).toEqual({ attackers: 3, defenders: 4, once: true });
    expect(questions({ ...ATTACK, mode: null, isCapital: true }).whole).toEqual({ attackers: 3, defenders: 4, capital: true });
  });

  it("says what is left after a win, given that it is won", async () => {
    const odds = new OddsCache(async () => ODDS);
    expect(forecast(ATTACK, odds)).toBeNull();
    await odds.battle(questions(ATTACK).whole);
    // Seven three times as often as three, and the army that stayed.
    expect(forecast(ATTACK, odds)).toEqual({ win: 0.8, attackerLosses: 2.5, defenderLosses: 3.5, left: expect.closeTo(7), isOnce: false });
  });

  it("has a colour", () => {
    expect([0.9, 0.5, 0.1].map(quality)).toEqual(["good", "fair", "poor"]);
  });
});
