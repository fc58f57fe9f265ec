// Events wait here until the chosen speed lets the board show them.

import type { GameEvent, Seat } from "../lib/wire";

export const SPEEDS = ["instant", "rapid", "fast", "normal", "slow"] as const;
export type Speed = (typeof SPEEDS)[number];

const FACTORS: Record<Speed, number> = { instant: 0, rapid: 0.08, fast: 0.3, normal: 1, slow: 2.5 };

/** Milliseconds that an event stays on the board at normal speed. */
const STAY: Record<GameEvent["kind"], number> = { move: 420, dice: 560, card: 260, deal: 25, note: 420 };

/** One's own moves are no news; only the dice they cause deserve a moment. */
const OWN_STAY: Record<GameEvent["kind"], number> = { move: 0, dice: 260, card: 0, deal: 0, note: 0 };

/** Bots play faster than anybody can watch, so a whole game may wait here; more than this is caught up with. */
const MOST_WAITING = 10_000;

export class EventQueue {
  private waiting: GameEvent[] = [];
  private due = 0;
  /** The last event that was handed over for display. */
  shown = 0;
  /** The past is shown once more: whoever asked for that wants to see it, own moves too. */
  private isAgain = false;

  constructor(
    public speed: Speed,
    /** Seats that are played on this screen. */
    private readonly own: () => ReadonlySet<Seat>,
  ) {}

  /** Takes new events; those already seen are dropped, so a resumed connection may repeat some. */
  push(events: GameEvent[]): void {
    const last = this.waiting.at(-1)?.seq ?? this.shown;
    this.waiting.push(...events.filter((event) => event.seq > last));
  }

  /** Marks the past as shown: what happened before the page was opened is not played again. */
  startAfter(seq: number): void {
    this.shown = Math.max(this.shown, seq);
    this.waiting = this.waiting.filter((event) => event.seq > this.shown);
  }

  /** Shows past events once more, before those that wait. */
  rewind(past: GameEvent[]): void {
    const first = past[0]?.seq ?? Number.POSITIVE_INFINITY;
    this.isAgain = true;
    this.waiting = [...past.filter(({ seq }) => seq <= this.shown), ...this.waiting];
    this.shown = Math.min(this.shown, first - 1);
    this.due = 0;
  }

  get length(): number {
    return this.waiting.length;
  }

  /** The events to show at this moment, oldest first. */
  take(now: number): GameEvent[] {
    if (this.waiting.length > MOST_WAITING) return this.flush(now);
    const ready: GameEvent[] = [];
    while (this.waiting.length > 0 && (this.due <= now || this.factor === 0)) {
      const event = this.waiting.shift()!;
      ready.push(event);
      this.shown = event.seq;
      this.due = now + this.stay(event);
    }
    if (this.waiting.length === 0) this.isAgain = false;
    return ready;
  }

  /** When the next call of `take` has something to give; `null` if nothing waits. */
  nextAt(): number | null {
    if (this.waiting.length === 0) return null;
    return this.factor === 0 ? 0 : this.due;
  }

  /** Everything at once: the skip button. */
  flush(now: number): GameEvent[] {
    const all = this.waiting;
    this.waiting = [];
    this.isAgain = false;
    this.shown = all.at(-1)?.seq ?? this.shown;
    this.due = now;
    return all;
  }

  /** Share of the usual time that events stay. */
  private get factor(): number {
    return this.isAgain ? Math.max(FACTORS[this.speed], FACTORS.fast) : FACTORS[this.speed];
  }

  private stay(event: GameEvent): number {
    const isOwn = !this.isAgain && event.seat !== null && this.own().has(event.seat);
    return (isOwn ? OWN_STAY : STAY)[event.kind] * this.factor;
  }
}
