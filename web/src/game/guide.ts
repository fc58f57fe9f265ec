// The guide of a first game: which sentence goes with what is asked.

import type { TextKey } from "../lib/texts";
import type { ChoiceKind, Selection } from "./choice";

const KEY = "hegemon.guided";

type Store = Pick<Storage, "getItem" | "setItem">;

export const markGuided = (store: Store, id: string): void => store.setItem(KEY, id);
export const isGuided = (store: Store, id: string): boolean => store.getItem(KEY) === id;

export interface Moment {
  kind: ChoiceKind;
  selection: Selection;
  unplaced: number;
  hasConquered: boolean;
  isOver: boolean;
}

/** What to say now. */
export function advice({ kind, selection, unplaced, hasConquered, isOver }: Moment): TextKey {
  if (isOver) return "guide.over";
  switch (kind) {
    case "place":
      return unplaced > 0 ? "guide.place" : "guide.place_confirm";
    case "trade":
      return "guide.trade";
    case "attack":
      if (selection.to !== null) return "guide.attack_go";
      return hasConquered ? "guide.attack_on" : "guide.attack";
    case "occupy":
      return "guide.occupy";
    case "fortify":
      return "guide.fortify";
    default:
      return "guide.wait";
  }
}
