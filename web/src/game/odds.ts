// Battle odds, asked for once for each question.

import { SvelteMap } from "svelte/reactivity";
import type { BattleOdds } from "../lib/wire";

/** How an attack is fought, where it is not a plain fight to the end. */
export interface Form {
  /** One round only. */
  once?: true;
  /** Stop when no more than this many may fight. */
  reserve?: number;
  /** A capital is attacked. */
  capital?: true;
}

export interface Question extends Form {
  attackers: number;
  defenders: number;
}

const keyOf = ({ attackers, defenders, once, reserve = 0, capital }: Question): string =>
  [attackers, defenders, once ? 1 : 0, reserve, capital ? 1 : 0].join(":");

export class OddsCache {
  private readonly asked = new Map<string, Promise<BattleOdds>>();
  private readonly answers = new SvelteMap<string, BattleOdds>();

  constructor(private readonly ask: (question: Question) => Promise<BattleOdds>) {}

  battle(question: Question): Promise<BattleOdds> {
    const key = keyOf(question);
    let answer = this.asked.get(key);
    if (answer === undefined) {
      answer = this.ask(question);
      // A failure is not remembered: the server may be back at the next question.
      answer.then(
        (odds) => this.answers.set(key, odds),
        () => this.asked.delete(key),
      );
      this.asked.set(key, answer);
    }
    return answer;
  }

  /** The answer, once it is there; what reads it hears of it. */
  known(question: Question): BattleOdds | null {
    return this.answers.get(keyOf(question)) ?? null;
  }
}
