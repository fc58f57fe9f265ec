// A game of a player in a few sentences.

import { tellingOf } from "../game/story";
import { percent } from "../lib/format";
import { t } from "../lib/texts";
import type { GameAnalysis, Replay } from "../lib/wire";
import { n_byStandIn, rolls, worst } from "./points";
import { points, signedPoints } from "./words";

export interface Sentence {
  text: string;
  frame: number | null;
  round: number;
}

export interface Review {
  seat: number;
  name: string;
  summary: string;
  sentences: Sentence[];
}

const N_MISTAKES = 3;
/** Rolls that changed less are not worth a word. */
const LEAST_LUCK = 0.01;

export function reviewOf(analysis: GameAnalysis, replay: Replay, seat: number): Review {
  const total = analysis.totals[seat]!;
  const name = replay.seats[seat]?.name ?? "";
  const luck = total.dice_luck + total.cards_luck + total.deal_luck;
  const roundOf = (frame: number): number => replay.frames[frame]?.after.round ?? 0;
  const n_others = n_byStandIn(analysis, seat);
  const judged =
    total.accuracy === null
      ? t("analysis.review.no_decision")
      : t(luck >= 0 ? "analysis.review.summary_lucky" : "analysis.review.summary_unlucky", {
          accuracy: percent(total.accuracy),
          decisions: total.decisions,
          loss: points(total.loss),
          luck: points(Math.abs(luck)),
        });
  const summary = n_others === 0 ? judged : `${judged} ${t("analysis.review.stand_in", { n: n_others })}`;
  const mistakes = worst(analysis, seat, N_MISTAKES).map(({ point, skill }) => ({
    text: t("analysis.review.mistake", { done: skill.done, best: skill.best_words, points: points(skill.loss) }),
    frame: point.frame,
    round: roundOf(point.frame),
  }));
  const all = rolls(analysis, seat);
  const [luckiest, unluckiest] = [all[0], all.at(-1)];
  const roll = (key: "luckiest" | "unluckiest", found: (typeof all)[number] | undefined): Sentence[] =>
    found === undefined || Math.abs(found.luck) < LEAST_LUCK
      ? []
      : [
          {
            text: t(`analysis.review.${key}`, { roll: tellingOf(replay.frames, replay.frames[found.point.frame]?.seq ?? 0, replay), points: signedPoints(found.luck) }),
            frame: found.point.frame,
            round: roundOf(found.point.frame),
          },
        ];
  const isLucky = luckiest !== undefined && luckiest.luck > 0;
  const isUnlucky = unluckiest !== undefined && unluckiest.luck < 0;
  return {
    seat,
    name,
    summary,
    sentences: [...mistakes, ...(isLucky ? roll("luckiest", luckiest) : []), ...(isUnlucky ? roll("unluckiest", unluckiest) : [])],
  };
}
