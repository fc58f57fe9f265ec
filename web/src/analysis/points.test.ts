import { describe, expect, it } from "vitest";
import type { AnalysisPoint, AnalysisTotals, GameAnalysis, Replay } from "../lib/wire";
import { planDrawing } from "./plan";
import { columns, edges, mistakes, n_byStandIn, nextMistake, pointAt, rolls, worst } from "./points";
import { reviewOf } from "./review";
import { signedPoints } from "./words";

const point = (frame: number, seat: number, chances: number[], more: Partial<AnalysisPoint> = {}): AnalysisPoint => ({ frame, seat, chances, errors: null, luck: null, skill: null, ...more });
const skill = (loss: number, mark: "inaccuracy" | "error" | "blunder" | null) => ({ loss, error: 0.01, chance: 0.5, mark, done: `cost ${loss}`, best: ["a1>2x3"], best_words: "better", by_stand_in: false });
const total: AnalysisTotals = { result: 1, dice_luck: 0.2, cards_luck: -0.05, deal_luck: 0.1, adjusted: 0.75, decisions: 3, loss: 0.2, loss_error: 0.01, accuracy: 0.8, inaccuracies: 0, errors: 1, blunders: 1 };

const analysis: GameAnalysis = {
  level: "fast",
  n_decisions: 3,
  n_judged: 3,
  points: [
    point(4, 0, [0.5, 0.5]),
    point(6, 0, [0.6, 0.4], { skill: skill(0.06, "error") }),
    point(7, 0, [0.7, 0.3], { luck: { kind: "dice", by_seat: [0.1, -0.1] } }),
    point(9, 1, [0.7, 0.3], { skill: skill(0.01, null) }),
    point(10, 0, [0.8, 0.2], { skill: skill(0.2, "blunder"), errors: [0.02, 0.02] }),
    point(11, 0, [0.5, 0.5], { luck: { kind: "dice", by_seat: [-0.3, 0.3] } }),
  ],
  totals: [total, { ...total, accuracy: null }],
};

describe("an analysis", () => {
  it("knows the last point before a frame", () => {
    expect([0, 3].map((frame) => pointAt(analysis.points, frame))).toEqual([null, null]);
    expect([4, 5, 6, 8, 99].map((frame) => pointAt(analysis.points, frame)?.frame)).toEqual([4, 4, 6, 7, 11]);
  });

  it("goes from mistake to mistake", () => {
    expect(mistakes(analysis).map(({ mark }) => mark)).toEqual(["error", "blunder"]);
    expect([0, 6, 10].map((frame) => nextMistake(analysis, frame, 1))).toEqual([6, 10, null]);
    expect([11, 10, 6].map((frame) => nextMistake(analysis, frame, -1))).toEqual([10, 6, null]);
    expect(nextMistake(analysis, 0, 1, 1)).toBeNull();
  });

  it("finds what cost most and which rolls counted", () => {
    expect(worst(analysis, 0, 3).map((found) => found.skill.loss)).toEqual([0.2, 0.06]);
    expect(worst(analysis, 1, 3)).toEqual([]);
    expect(rolls(analysis, 0).map(({ luck }) => luck)).toEqual([0.1, -0.3]);
    expect(rolls(analysis, 1).map(({ luck }) => luck)).toEqual([0.3, -0.1]);
  });

  it("becomes areas that fill the graph", () => {
    const table = columns(analysis, 12, 12);
    expect(table).toHaveLength(12);
    expect(table[0]!.chances).toEqual([0.5, 0.5]);
    expect(table[10]).toEqual({ chances: [0.8, 0.2], errors: [0.02, 0.02] });
    expect(edges([0.2, 0.3, 0.5], 1)).toEqual([0.2, 0.5]);
  });

  it("becomes a few sentences", () => {
    const frames = Array.from({ length: 12 }, (_, i) => ({ seq: i + 1, kind: "note", seat: null, text: `Event ${i}.`, after: { round: Math.floor(i / 4) } }));
    const replay = { seats: [{ name: "Ann" }, { name: "Bo" }], frames } as unknown as Replay;
    const review = reviewOf(analysis, replay, 0);
    expect(review.summary).toContain("80 %");
    expect(review.sentences.map(({ frame }) => frame)).toEqual([10, 6, 7, 11]);
    expect(review.sentences[2]!.text).toContain("Event 7");
    expect(reviewOf(analysis, replay, 1).summary).not.toContain("80 %");
    expect(review.summary).not.toContain("stood in");
  });

  it("tells the decisions of a bot that stood in apart", () => {
    const points = analysis.points.map((one) => (one.frame === 10 ? { ...one, skill: { ...one.skill!, by_stand_in: true } } : one));
    const mixed = { ...analysis, points };
    expect(worst(mixed, 0, 3).map((found) => found.skill.loss)).toEqual([0.06]);
    expect([0, 1].map((seat) => n_byStandIn(mixed, seat))).toEqual([1, 0]);
    const replay = { seats: [{ name: "Ann" }, { name: "Bo" }], frames: [] } as unknown as Replay;
    expect(reviewOf(mixed, replay, 0).summary).toMatch(/1 decision of a bot that stood in is not counted\.$/);
  });
});

describe("a plan on the board", () => {
  it("is arrows and armies", () => {
    expect(planDrawing(["p3x2", "p3x1", "p9x4", "a3>9x3", "f9>1x2", "end", "o4"])).toEqual({
      arrows: [{ from: 3, to: 9 }, { from: 9, to: 1 }],
      placed: new Map([[3, 3], [9, 4]]),
    });
  });

  it("has points with a sign", () => {
    expect([0.123, -0.05, 0.0001, -0.0001].map(signedPoints)).toEqual(["+12.3", "−5.0", "0.0", "0.0"]);
  });
});
