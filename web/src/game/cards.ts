// Hands and sets, read from the legal trades.

import type { Card, Choose, Rules } from "../lib/wire";

export const WILD = "w";
export const SYMBOLS = ["infantry", "cavalry", "artillery"] as const;

/** The symbol 0, 1 or 2; `null` for a wild card. */
export const symbol = (card: Card): number | null => (card === WILD ? null : Number(card) % 3);

export interface Trade {
  move: string;
  cards: [Card, Card, Card];
  /** The territory that gets the bonus, where one must be named. */
  bonus: number | null;
}

export function parseTrade(move: string): Trade | null {
  const match = /^t(\d+|w)\.(\d+|w)\.(\d+|w)(?:\+(\d+))?$/.exec(move);
  if (!match) return null;
  return { move, cards: [match[1]!, match[2]!, match[3]!], bonus: match[4] === undefined ? null : Number(match[4]) };
}

export const trades = (choose: Choose | null): Trade[] =>
  (choose?.groups ?? []).flatMap((group) => {
    const trade = group.kind === "trade" ? parseTrade(group.move) : null;
    return trade === null ? [] : [trade];
  });

const sameCards = (a: readonly Card[], b: readonly Card[]): boolean => [...a].sort().join() === [...b].sort().join();

/** The legal trades of exactly these cards; more than one if the bonus may go to several places. */
export const tradesOf = (all: Trade[], cards: readonly Card[]): Trade[] => all.filter((trade) => sameCards(trade.cards, cards));

/** The set with the fewest wild cards and, among these, the one with a bonus. */
export function bestTrade(all: Trade[]): Trade | null {
  const cost = (trade: Trade): number => 2 * trade.cards.filter((card) => card === WILD).length + (trade.bonus === null ? 1 : 0);
  return all.reduce<Trade | null>((best, trade) => (best === null || cost(trade) < cost(best) ? trade : best), null);
}

/** Armies for a set where they depend on the kind of set; `null` if the rules do not say so. */
export function fixedWorth(rules: Rules, cards: readonly Card[]): number | null {
  const { scheme } = rules.cards;
  if (typeof scheme !== "object" || !("fixed" in scheme)) return null;
  const kinds = new Set(cards.map(symbol).filter((kind) => kind !== null));
  const [only] = [...kinds];
  return scheme.fixed[kinds.size === 1 && only !== undefined ? only : 3] ?? null;
}
