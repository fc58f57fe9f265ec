// Win chance in points, hundredths of a win, and how far an analysis has come.

import { percent } from "../lib/format";
import { t } from "../lib/texts";
import type { AnalysisJob } from "./job.svelte";

export const points = (share: number): string => (100 * share).toFixed(1);

/** With its sign. */
export const signedPoints = (share: number): string => {
  const text = (100 * Math.abs(share)).toFixed(1);
  return Number(text) === 0 ? text : `${share < 0 ? "−" : "+"}${text}`;
};

export function progressText({ state, progress }: Pick<AnalysisJob, "state" | "progress">): string {
  if (state.state === "waiting") return t("analysis.waiting", { n: state.n_before });
  return progress < 1 ? t("analysis.running", { share: percent(progress) }) : t("analysis.finishing");
}
