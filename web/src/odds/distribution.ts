// Bars for the outcomes of a battle.

import type { BattleOdds, ChainOdds } from "../lib/wire";

export interface Bar {
  label: string;
  probability: number;
  isWin: boolean;
}

/** Outcomes rarer than this are not drawn. */
const LEAST = 0.0005;
const MOST_BARS = 60;

/** From the worst defeat to the best victory: defenders left, then attackers left. */
export function battleBars(odds: BattleOdds): Bar[] {
  const bars = odds.outcomes.map(({ attackers, defenders, probability }) => ({
    order: defenders > 0 ? -defenders : attackers,
    label: defenders > 0 ? `${defenders} defending` : `${attackers} left`,
    probability,
    isWin: defenders === 0,
  }));
  return thin(bars.sort((a, b) => a.order - b.order));
}

/** Being stopped on the way, then the attackers left after the last territory. */
export function chainBars(odds: ChainOdds): Bar[] {
  const bars = [...odds.outcomes].sort((a, b) => a.attackers - b.attackers);
  const won = thin(bars.map(({ attackers, probability }) => ({ label: `${attackers} left`, probability, isWin: true })));
  return odds.win < 1 - LEAST ? [{ label: "stopped", probability: 1 - odds.win, isWin: false }, ...won] : won;
}

/** Drops rare outcomes at both ends and merges neighbours until the bars can be told apart. */
function thin(bars: Bar[]): Bar[] {
  const first = bars.findIndex((bar) => bar.probability >= LEAST);
  const last = bars.findLastIndex((bar) => bar.probability >= LEAST);
  const kept = first < 0 ? bars : bars.slice(first, last + 1);
  const width = Math.ceil(kept.length / MOST_BARS);
  if (width <= 1) return kept.map(({ label, probability, isWin }) => ({ label, probability, isWin }));
  const merged: Bar[] = [];
  for (const isWin of [false, true]) {
    const side = kept.filter((bar) => bar.isWin === isWin);
    for (let i = 0; i < side.length; i += width) {
      const group = side.slice(i, i + width);
      const label = group.length === 1 ? group[0]!.label : `${group[0]!.label} to ${group.at(-1)!.label}`;
      merged.push({ label, probability: group.reduce((sum, bar) => sum + bar.probability, 0), isWin });
    }
  }
  return merged;
}

/** "3, 2, 4" as the server wants it; `null` if it is no list of army counts. */
export function parseChain(text: string): string | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  return parts.length > 0 && parts.every((part) => /^\d{1,4}$/.test(part) && Number(part) > 0) ? parts.join() : null;
}
