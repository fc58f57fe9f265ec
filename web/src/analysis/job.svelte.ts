// The analysis of a game on the server, or of a record that is sent to it: asked for, waited for, cancelled.

import { api } from "../lib/api";
import type { AnalysisLevel, AnalysisState, GameAnalysis } from "../lib/wire";

const POLL_MS = 400;

export class AnalysisJob {
  level = $state<AnalysisLevel>("normal");
  state = $state.raw<AnalysisState>({ state: "none" });
  failure = $state<string | null>(null);
  /** Whether it is not known yet what there is. */
  isLooking = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of the last question; answers to earlier ones come too late. */
  private asked = 0;

  /** A record is sent first; the server then has a name for it. */
  constructor(
    private id: string,
    private readonly record: string | null = null,
  ) {}

  get analysis(): GameAnalysis | null {
    return this.state.state === "done" ? this.state.analysis : null;
  }

  get isBusy(): boolean {
    return this.state.state === "waiting" || this.state.state === "running";
  }

  /** From 0 to 1. */
  get progress(): number {
    return this.state.state === "running" && this.state.n_steps > 0 ? this.state.n_done / this.state.n_steps : 0;
  }

  /** Looks whether an analysis is there already, the most thorough one. */
  async find(): Promise<void> {
    this.isLooking = true;
    await this.findAny();
    this.isLooking = false;
  }

  private async findAny(): Promise<void> {
    const question = ++this.asked;
    for (const level of ["deep", "normal", "fast"] as const) {
      const state = await api.analysis(this.id, level).catch(() => null);
      if (state === null || question !== this.asked) return;
      if (state.state === "none" || state.state === "failed") continue;
      this.level = level;
      return this.take(state);
    }
  }

  async start(): Promise<void> {
    this.failure = null;
    await this.follow(() => this.ask());
  }

  private async ask(): Promise<AnalysisState> {
    if (this.record === null) return api.analyse(this.id, this.level);
    this.id = (await api.analyseRecord(this.record, this.level)).id;
    return api.analysis(this.id, this.level);
  }

  async cancel(): Promise<void> {
    clearTimeout(this.timer);
    await this.follow(() => api.cancelAnalysis(this.id, this.level));
  }

  /** Another level: what is there of it. */
  async choose(level: AnalysisLevel): Promise<void> {
    if (this.isBusy) return;
    this.level = level;
    await this.follow(() => api.analysis(this.id, level));
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async follow(ask: () => Promise<AnalysisState>): Promise<void> {
    const question = ++this.asked;
    try {
      const state = await ask();
      if (question === this.asked) this.take(state);
    } catch (error) {
      if (question === this.asked) this.failure = (error as Error).message;
    }
  }

  private take(state: AnalysisState): void {
    this.state = state;
    clearTimeout(this.timer);
    if (this.isBusy) this.timer = setTimeout(() => this.follow(() => api.analysis(this.id, this.level)), POLL_MS);
  }
}
