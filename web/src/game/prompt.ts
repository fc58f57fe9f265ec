// The line that says what to do now, and the name of the main button.

import { armies, plural } from "../lib/format";
import type { Choose, GameMap, View } from "../lib/wire";
import type { ChoiceKind, Selection } from "./choice";
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

const END_LABELS: Partial<Record<ChoiceKind, string>> = {
  trade: "Keep cards",
  attack: "End attacks",
  fortify: "End turn",
};

/** Whether attacks are repeated on request: one roll, or one round of groups, at a time. */
export const isRepeatable = (attack: unknown): boolean => attack === "roll" || attack === "groups";

export function promptFor(choose: Choose, selection: Selection, view: View, map: GameMap, mode: AttackMode | null, until: number): Prompt {
  const kind = choiceKind(choose);
  const name = (territory: number | null): string => (territory === null ? "" : (map.territories[territory]?.name ?? ""));
  const end = choose.groups.some((group) => group.kind === "end") ? (END_LABELS[kind] ?? null) : null;
  switch (kind) {
    case "claim":
      return selection.to === null
        ? { line: "Choose a free territory to claim.", primary: "Claim", end }
        : { line: `Claim ${name(selection.to)}?`, primary: `Claim ${name(selection.to)}`, end };
    case "capital":
      return { line: "Choose the territory of your capital.", primary: selection.to === null ? "Choose capital" : `Capital: ${name(selection.to)}`, end };
    case "trade":
      return {
        line: end === null ? "You hold too many cards: trade a set." : "You may trade a set of cards for armies.",
        primary: "Trade set",
        end,
      };
    case "place":
      return placePrompt(choose, selection, view);
    case "attack":
      return { ...attackPrompt(choose, selection, name, mode, until), end };
    case "occupy": {
      const n = amount(choose, selection);
      return { line: `${name(view.front?.to ?? null)} is yours. How many armies move in?`, primary: `Move ${armies(n)} in`, end };
    }
    case "fortify":
      return { ...fortifyPrompt(choose, selection, name), end };
    case "end":
      return view.phase === "attack"
        ? { line: "No attack is possible.", primary: "End attacks", end: null }
        : { line: "Nothing is left to move.", primary: "End turn", end: null };
    case "none":
      return { line: "", primary: "", end: null };
  }
}

function placePrompt(choose: Choose, selection: Selection, view: View): Prompt {
  const left = unplaced(choose, selection);
  const staged = stagedTotal(selection);
  const whose = view.to_place === 0 && view.neutral_to_place > 0 ? "neutral " : "";
  return {
    line: left > 0 ? `Place ${plural(left, `${whose}army`, `${whose}armies`)} on ${whose ? "neutral" : "your"} territories.` : "All armies are set. Confirm, or take some back.",
    primary: staged === 0 ? "Place" : `Place ${armies(staged)}`,
    end: null,
  };
}

function attackPrompt(choose: Choose, selection: Selection, name: (t: number | null) => string, mode: AttackMode | null, until: number): Omit<Prompt, "end"> {
  if (sources(choose).size === 0) return { line: "No attack is possible.", primary: "Attack" };
  if (selection.from === null) return { line: "Choose a territory of yours to attack from, or end your attacks.", primary: "Attack" };
  if (selection.to === null) return { line: `Attack from ${name(selection.from)}: choose a target.`, primary: "Attack" };
  const how = mode === "once" ? "once" : mode === "until" ? `until ${until} ${until === 1 ? "is" : "are"} left` : "to the end";
  return { line: `${name(selection.from)} attacks ${name(selection.to)} ${how}.`, primary: `Attack ${name(selection.to)}` };
}

function fortifyPrompt(choose: Choose, selection: Selection, name: (t: number | null) => string): Omit<Prompt, "end"> {
  if (selection.from === null) return { line: "Move armies between your territories, or end your turn.", primary: "Move" };
  if (selection.to === null) return { line: `From ${name(selection.from)}: choose where the armies go.`, primary: "Move" };
  return { line: `${name(selection.from)} to ${name(selection.to)}.`, primary: `Move ${armies(amount(choose, selection))}` };
}
