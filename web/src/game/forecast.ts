// What an attack promises: the questions to ask, and what their answers say.

import type { BattleOdds } from "../lib/wire";
import type { OddsCache, Question } from "./odds";
import type { AttackMode } from "./preferences";

/** An attack that is about to be made. */
export interface Attack {
  /** Armies on the origin. */
  armies: number;
  defenders: number;
  /** Dice, or armies of a whole battle. */
  amount: number;
  /** How often is rolled; `null` where one attack is a whole battle. */
  mode: AttackMode | null;
  /** Armies at which an attack `until` stops. */
  until: number;
  isCapital: boolean;
}

export interface Forecast {
  /** Chance to take the territory, if the attack is carried through. */
  win: number;
  attackerLosses: number;
  defenderLosses: number;
  /** Armies that the attacker has on both territories after a win, in the mean; `null` where nothing can be said. */
  left: number | null;
  /** Whether the losses are those of a single roll. */
  isOnce: boolean;
}

/** The questions behind a forecast: the whole attack, and the single roll where only one is made. */
export function questions(attack: Attack): { whole: Question; roll: Question | null } {
  const { armies, defenders, amount, mode } = attack;
  const capital = attack.isCapital ? { capital: true as const } : {};
  const attackers = Math.max(1, mode === null ? amount : armies - 1);
  const reserve = mode === "until" ? { reserve: Math.min(attackers, Math.max(0, attack.until - 1)) } : {};
  return {
    whole: { attackers, defenders, ...reserve, ...capital },
    roll: mode === "once" ? { attackers: Math.max(1, amount), defenders, once: true, ...capital } : null,
  };
}

/** Armies left after a win, given that it is won. */
function leftAfterWin(odds: BattleOdds, home: number): number | null {
  const wins = odds.outcomes.filter(({ defenders }) => defenders === 0);
  const chance = wins.reduce((sum, { probability }) => sum + probability, 0);
  if (chance === 0) return null;
  return home + wins.reduce((sum, { attackers, probability }) => sum + attackers * probability, 0) / chance;
}

/** What is known of an attack; `null` until the answers are there. */
export function forecast(attack: Attack, odds: Pick<OddsCache, "known">): Forecast | null {
  const { whole, roll } = questions(attack);
  const all = odds.known(whole);
  const part = roll === null ? all : odds.known(roll);
  if (all === null || part === null) return null;
  return {
    win: all.win,
    attackerLosses: part.expected_attacker_losses,
    defenderLosses: part.expected_defender_losses,
    left: leftAfterWin(all, attack.armies - whole.attackers),
    isOnce: roll !== null,
  };
}

export const ask = async (attack: Attack, odds: Pick<OddsCache, "battle">): Promise<unknown> => {
  const { whole, roll } = questions(attack);
  return Promise.all([odds.battle(whole), roll === null ? null : odds.battle(roll)]);
};

/** How good a chance is, for its colour. */
export const quality = (win: number): "good" | "fair" | "poor" => (win >= 0.65 ? "good" : win >= 0.4 ? "fair" : "poor");
