// What the board emphasises, and the sentence that says the same to a screen reader.

import { armies } from "../lib/format";
import { t } from "../lib/texts";
import { NOBODY, type Frame, type GameMap } from "../lib/wire";
import { ownerName } from "./fill";

export interface Marks {
  /** May be chosen as an origin or as the only territory of a move. */
  sources: ReadonlySet<number>;
  /** May be aimed at. */
  targets: ReadonlySet<number>;
  from: number | null;
  to: number | null;
  staged: ReadonlyMap<number, number>;
  /** Counts as they would be after the move that is selected. */
  preview: ReadonlyMap<number, number>;
  /** Touched by the event that is shown. */
  touched: { from: number | null; to: number | null };
  capitals: readonly (number | null)[];
}

export const NO_MARKS: Marks = {
  sources: new Set(),
  targets: new Set(),
  from: null,
  to: null,
  staged: new Map(),
  preview: new Map(),
  touched: { from: null, to: null },
  capitals: [],
};

/** Who holds a territory and with how much. */
export const holding = (owner: number, n: number, seats: readonly { name: string }[]): string =>
  owner === NOBODY ? t("board.free") : `${ownerName(owner, seats)}, ${armies(n)}`;

export function describe(territory: number, map: GameMap, frame: Frame, seats: readonly { name: string }[], marks: Marks): string {
  const place = map.territories[territory]!;
  const continent = map.continents[place.continent]?.name;
  const owner = frame.owners[territory] ?? -1;
  const staged = marks.staged.get(territory) ?? 0;
  const after = marks.preview.get(territory);
  const words = [
    `${place.name}, ${continent}.`,
    `${holding(owner, frame.armies[territory] ?? 0, seats)}.`,
    staged > 0 ? t("board.staged", { n: staged }) : "",
    after !== undefined ? t("board.after", { n: after }) : "",
    marks.capitals.includes(territory) ? t("board.capital") : "",
    territory === marks.from ? t("board.origin") : "",
    territory === marks.to ? t("board.target") : marks.targets.has(territory) ? t("board.possible_target") : "",
    territory !== marks.from && marks.sources.has(territory) ? t("board.selectable") : "",
  ];
  return words.filter((word) => word !== "").join(" ");
}
