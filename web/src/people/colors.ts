// The colours that players choose. Whatever is drawn in the colour of a seat uses the seat's token, so that a choice is
// made in one place: the root of the page.

import type { SeatInfo } from "../lib/wire";

export const N_COLORS = 6;

/** The colour of a seat by number. */
export const colorOf = (seats: readonly Pick<SeatInfo, "color">[], seat: number): number => seats[seat]?.color ?? seat;

/** Colours that a seat may choose: its own, and those that no other person has. */
export function freeColors(seats: readonly Pick<SeatInfo, "color" | "kind">[], seat: number): number[] {
  const taken = seats.flatMap((other, i) => (i !== seat && other.kind !== "bot" ? [colorOf(seats, i)] : []));
  return Array.from({ length: N_COLORS }, (_, color) => color).filter((color) => !taken.includes(color));
}

/** The tokens of the seats, each in the colour that was chosen for it. */
export function colorTokens(seats: readonly Pick<SeatInfo, "color">[]): [string, string][] {
  return seats.flatMap((_, seat) => {
    const color = colorOf(seats, seat);
    if (color === seat) return [];
    return [
      [`--seat-${seat}`, `var(--color-${color})`],
      [`--seat-${seat}-mark`, `var(--color-${color}-mark)`],
    ] as [string, string][];
  });
}

/** Draws the page in these colours; returns what undoes it. */
export function applyColors(style: Pick<CSSStyleDeclaration, "setProperty" | "removeProperty">, seats: readonly Pick<SeatInfo, "color">[]): () => void {
  const tokens = colorTokens(seats);
  for (const [name, value] of tokens) style.setProperty(name, value);
  return () => {
    for (const [name] of tokens) style.removeProperty(name);
  };
}
