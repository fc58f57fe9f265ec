// Which fill and which colour stand for an owner.

import { t } from "../lib/texts";
import { NEUTRAL, NOBODY } from "../lib/wire";

export const seatFill = (owner: number): string =>
  owner === NOBODY ? "var(--land)" : owner === NEUTRAL ? "url(#seat-neutral)" : `url(#seat-${owner})`;

export const seatColor = (owner: number): string =>
  owner === NOBODY ? "var(--line-strong)" : owner === NEUTRAL ? "var(--neutral)" : `var(--seat-${owner})`;

export const ownerName = (owner: number, seats: readonly { name: string }[]): string =>
  owner === NOBODY ? t("board.nobody") : owner === NEUTRAL ? t("board.neutral") : (seats[owner]?.name ?? t("board.seat", { n: owner + 1 }));

/** Hues for continents: a rim along the coast and the label; cycled on maps with many. */
export const continentHue = (continent: number): number => [42, 12, 215, 285, 120, 178, 330, 75, 250, 150][continent % 10]!;
