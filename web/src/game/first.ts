// The game of somebody who has never played: a small board, an easy bot, three turns.

import { t } from "../lib/texts";
import type { GameRequest, Level, RulesPreset } from "../lib/wire";

const TURNS = 3;
/** Armies of each player on the six territories of the board: a few a territory. */
const ARMIES = 15;

export function firstGame(presets: readonly RulesPreset[], levels: readonly Level[]): GameRequest {
  const base = (presets.find(({ name }) => name === "classic") ?? presets[0]!).rules;
  const [easiest] = levels;
  return {
    map: "duel6",
    rules: { ...base, start: "deal", placement: "even", neutral: false, "first-player": "seat", "initial-armies": { "by-players": [ARMIES, ARMIES, ARMIES, ARMIES, ARMIES] }, end: { ...base.end, "turn-limit": TURNS } },
    seats: [
      { kind: "human", name: t("first.you") },
      { kind: "bot", ...(easiest === undefined ? { spec: "baseline" } : { level: easiest.id }) },
    ],
  };
}
