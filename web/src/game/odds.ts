// Battle odds, asked for once for each pair of numbers.

import type { BattleOdds } from "../lib/wire";

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
