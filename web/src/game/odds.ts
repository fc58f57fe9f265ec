// Battle odds, asked for once for each pair of numbers.

import type { BattleOdds, Json, Rules, RulesPreset } from "../lib/wire";
import { isSame } from "../rules/form";

export class OddsCache {
  private readonly known = new Map<string, Promise<BattleOdds>>();

  constructor(private readonly ask: (attackers: number, defenders: number) => Promise<BattleOdds>) {}

  battle(attackers: number, defenders: number): Promise<BattleOdds> {
    const key = `${attackers}:${defenders}`;
    let answer = this.known.get(key);
    if (answer === undefined) {
      answer = this.ask(attackers, defenders);
      // A failure is not remembered: the server may be back at the next question.
      answer.catch(() => this.known.delete(key));
      this.known.set(key, answer);
    }
    return answer;
  }
}

/** What decides a battle: the dice, and whether exchanges follow one another. */
function battleLaw(rules: Rules): Json {
  const battle = rules["battle"] as { [key: string]: Json };
  const mode = battle["attack"] === "to-the-end" ? "roll" : battle["attack"];
  return { dice: battle["dice"] ?? null, mode: mode ?? null };
}

/** A preset whose battles follow the same law, for rules that have no name of their own; `null` if there is none. */
export function presetWithSameBattles(rules: Rules, presets: readonly RulesPreset[]): string | null {
  return presets.find((preset) => isSame(battleLaw(preset.rules), battleLaw(rules)))?.name ?? null;
}
