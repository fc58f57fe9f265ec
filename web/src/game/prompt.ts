// The line that says what to do now, and the name of the main button.

import { armies } from "../lib/format";
import { t } from "../lib/texts";
import type { Choose, GameMap, View } from "../lib/wire";
import type { Selection } from "./choice";
import { amount, choiceKind, sources, stagedTotal, unplaced } from "./choice";
import type { AttackMode } from "./preferences";

export interface Prompt {
  /** What to do now. */
  line: string;
  /** The main button. */
  primary: string;
  /** The button that ends the phase; `null` if there is none here. */
  end: string | null;
}

/** How an attack would be made. */
export interface Approach {
  /** `null` where one attack is a whole battle. */
  mode: AttackMode | null;
  until: number;
  /** The chance, in percent, that the person is asked about before the attack; `null` if nothing is doubtful. */
  doubt: string | null;
}

const endLabel = (choose: Choose): string | null => {
  if (!choose.groups.some((group) => group.kind === "end")) return null;
  switch (choiceKind(choose)) {
    case "trade":
      return t("bar.keep_cards");
    case "attack":
      return t("bar.end_attacks");
    case "fortify":
      return t("bar.end_turn");
    default:
      return null;
  }
};

/** Whether attacks are repeated on request: one roll, or one round of groups, at a time. */
export const isRepeatable = (attack: unknown): boolean => attack === "roll" || attack === "groups";

type Name = (territory: number | null) => string;

export function promptFor(choose: Choose, selection: Selection, view: View, map: GameMap, approach: Approach): Prompt {
  const name: Name = (territory) => (territory === null ? "" : (map.territories[territory]?.name ?? ""));
  const end = endLabel(choose);
  switch (choiceKind(choose)) {
    case "claim":
      return selection.to === null
        ? { line: t("bar.choose_claim"), primary: t("bar.claim"), end }
        : { line: t("bar.claim_it", { place: name(selection.to) }), primary: t("bar.claim_place", { place: name(selection.to) }), end };
    case "capital":
      return { line: t("bar.choose_capital"), primary: selection.to === null ? t("bar.capital") : t("bar.capital_place", { place: name(selection.to) }), end };
    case "trade":
      return { line: t(end === null ? "bar.must_trade" : "bar.may_trade"), primary: t("bar.trade"), end };
    case "place":
      return placePrompt(choose, selection, view);
    case "attack":
      return { ...attackPrompt(choose, selection, name, approach), end };
    case "occupy":
      return { line: t("bar.occupy", { place: name(view.front?.to ?? null) }), primary: t("bar.move_in", { armies: armies(amount(choose, selection)) }), end };
    case "fortify":
      return { ...fortifyPrompt(choose, selection, name), end };
    case "end":
      return view.phase === "attack"
        ? { line: t("bar.no_attack"), primary: t("bar.end_attacks"), end: null }
        : { line: t("bar.nothing_left"), primary: t("bar.end_turn"), end: null };
    case "none":
      return { line: "", primary: "", end: null };
  }
}

function placePrompt(choose: Choose, selection: Selection, view: View): Prompt {
  const left = unplaced(choose, selection);
  const staged = stagedTotal(selection);
  const isNeutral = view.to_place === 0 && view.neutral_to_place > 0;
  const line = left === 0 ? t("bar.all_set") : isNeutral ? t("bar.place_neutral", { n: left }) : t(staged > 0 ? "bar.place_more" : "bar.place_own", { n: left });
  return { line, primary: staged === 0 ? t("bar.place") : t("bar.place_armies", { armies: armies(staged) }), end: null };
}

function attackPrompt(choose: Choose, selection: Selection, name: Name, { mode, until, doubt }: Approach): Omit<Prompt, "end"> {
  const primary = t("bar.attack");
  if (sources(choose).size === 0) return { line: t("bar.no_attack"), primary };
  if (selection.from === null) return { line: t("bar.choose_origin"), primary };
  const from = name(selection.from);
  if (selection.to === null) return { line: t("bar.choose_target", { from }), primary };
  const to = name(selection.to);
  if (doubt !== null) return { line: t("bar.doubt", { win: doubt, place: to }), primary: t("bar.attack_anyway") };
  const how = mode === "once" ? t("bar.how_once") : mode === "until" ? t("bar.how_until", { n: until }) : t("bar.how_end");
  return { line: t("bar.attacks", { from, to, how }), primary: t("bar.attack_place", { place: to }) };
}

function fortifyPrompt(choose: Choose, selection: Selection, name: Name): Omit<Prompt, "end"> {
  if (selection.from === null) return { line: t("bar.fortify"), primary: t("bar.move") };
  if (selection.to === null) return { line: t("bar.fortify_to", { from: name(selection.from) }), primary: t("bar.move") };
  const line = t("bar.fortify_both", { from: name(selection.from), to: name(selection.to) });
  return { line, primary: t("bar.move_armies", { armies: armies(amount(choose, selection)) }) };
}
