// The person at the screen: what is selected, and what the buttons do.

import { NO_MARKS, type Marks } from "../board/marks";
import { percent } from "../lib/format";
import type { State } from "../lib/wire";
import { amount, cancel, carryOver, choiceKind, EMPTY, mayEnd, moves, pick, range, sources, stage, targets, unplaced, type Selection } from "./choice";
import { ask, forecast, type Attack } from "./forecast";
import { touched, type Touched } from "./notation";
import type { OddsCache } from "./odds";
import type { AttackMode, Preferences } from "./preferences";
import { isRepeatable, promptFor } from "./prompt";
import type { GameSession } from "./session.svelte";

export const BATCHES = ["1", "5", "all"] as const;
export type Batch = (typeof BATCHES)[number];

/** How a territory was picked. */
export interface Pick {
  isTakingBack: boolean;
  /** The second click of a double click. */
  isDouble: boolean;
}

export class Table {
  batch = $state<Batch>("1");
  until = $state(3);
  /** The person who said last that they sit here. */
  confirmed = $state<number | null>(null);
  /** What a line of the log points at. */
  spotlight = $state.raw<Touched | null>(null);

  private chosen = $state.raw<{ id: number; selection: Selection }>({ id: -1, selection: EMPTY });
  /** The doubtful attack that the person was asked about, as `from>to`. */
  private doubted = $state<string | null>(null);

  constructor(
    private readonly session: GameSession,
    private readonly preferences: { value: Preferences },
    private readonly odds: OddsCache,
  ) {}

  private readonly mover = $derived.by(() => this.session.mover);

  /** Several persons, and the next one holds something that the others must not see. */
  readonly needsHandOver = $derived.by(() => {
    const { mover } = this.session;
    return mover !== null && this.session.local.length > 1 && this.confirmed !== mover.seat && hasSecrets(mover.state);
  });

  readonly choose = $derived.by(() => (this.session.isBusy || this.needsHandOver ? null : (this.mover?.choose ?? null)));
  readonly kind = $derived.by(() => choiceKind(this.choose));
  readonly mayEnd = $derived.by(() => mayEnd(this.choose));

  /** Nothing can be done but to go on, and that may happen by itself. */
  readonly isIdle = $derived.by(() => this.kind === "end" && this.preferences.value.advances);

  readonly selection = $derived.by(() => {
    const { choose } = this;
    return choose !== null && this.chosen.id !== choose.id ? carryOver(choose, this.chosen.selection) : this.chosen.selection;
  });

  readonly range = $derived.by(() => range(this.choose, this.selection));
  readonly amount = $derived.by(() => amount(this.choose, this.selection));
  readonly unplaced = $derived.by(() => unplaced(this.choose, this.selection));

  /** How attacks are made here; `null` where one attack is a whole battle. */
  readonly mode = $derived.by((): AttackMode | null => {
    return isRepeatable(this.session.info?.rules.battle.attack) ? this.preferences.value.attack : null;
  });

  /** The attack that is selected. */
  readonly attack = $derived.by(() => {
    const { from, to } = this.selection;
    return this.kind === "attack" && from !== null && to !== null ? this.attackOn(from, to) : null;
  });
  /** What it promises; `null` until that is known. */
  readonly forecast = $derived.by(() => (this.attack === null ? null : forecast(this.attack, this.odds)));

  /** An attack with all that the settings allow. */
  attackOn(from: number, to: number): Attack {
    const armies = this.armies(from);
    const { mode, until } = this;
    return { armies, defenders: this.armies(to), amount: from === this.selection.from && to === this.selection.to ? this.amount : armies - 1, mode, until, isCapital: this.capitals.includes(to) };
  }

  private armies(territory: number): number {
    return this.session.frame?.armies[territory] ?? 0;
  }

  private readonly capitals = $derived.by(() => this.session.current?.view.capitals ?? []);
  private readonly attackKey = $derived.by(() => `${this.selection.from}>${this.selection.to}`);
  private readonly isDoubtful = $derived.by(() => this.forecast !== null && 100 * this.forecast.win < this.preferences.value.threshold);
  readonly isDoubted = $derived.by(() => this.attack !== null && this.doubted === this.attackKey);

  readonly prompt = $derived.by(() => {
    const { choose, mover, forecast: promise } = this;
    const map = this.session.info?.map;
    if (!choose || !mover || !map || this.isIdle) return null;
    const doubt = this.isDoubted && promise !== null ? percent(promise.win) : null;
    return promptFor(choose, this.selection, mover.state.view, map, { mode: this.mode, until: this.until, doubt });
  });

  readonly canAct = $derived.by(() => moves(this.choose, this.selection).length > 0);

  /** The seat whose hand may be shown. */
  readonly viewer = $derived.by(() => {
    const { local } = this.session;
    if (local.length === 1) return local[0]!;
    // Between two decisions of one person nothing is hidden and shown again.
    const isStillTheirs = this.confirmed !== null && this.session.frame?.mover === this.confirmed;
    return isStillTheirs && !this.needsHandOver ? this.confirmed : null;
  });

  private readonly front = $derived.by(() => (this.kind === "occupy" ? (this.mover?.state.view.front ?? null) : null));

  /** Territories that may be attacked from the one just conquered: picking one moves in and aims. */
  private readonly onward = $derived.by((): ReadonlySet<number> => {
    const { front } = this;
    const { frame, info } = this.session;
    if (front === null || !frame || !info) return new Set();
    const owner = frame.owners[front.from];
    return new Set(info.map.territories[front.to]?.neighbors.filter((neighbor) => frame.owners[neighbor] !== owner));
  });

  /** Counts on both ends of a march as they would be after it. */
  private readonly preview = $derived.by((): ReadonlyMap<number, number> => {
    const { selection, front } = this;
    const [from, to] = front ? [front.from, front.to] : this.kind === "fortify" ? [selection.from, selection.to] : [null, null];
    if (from === null || to === null) return new Map();
    return new Map([
      [from, this.armies(from) - this.amount],
      [to, this.armies(to) + this.amount],
    ]);
  });

  readonly marks = $derived.by((): Marks => {
    const { choose, selection, front } = this;
    const isPlain = this.kind === "claim" || this.kind === "capital" || this.kind === "place";
    const event = this.session.event;
    return {
      ...NO_MARKS,
      sources: isPlain ? targets(choose, null) : sources(choose),
      targets: front ? this.onward : isPlain ? new Set() : targets(choose, selection.from),
      from: choose === null ? null : front ? front.from : selection.from,
      to: choose === null ? null : front ? front.to : selection.to,
      staged: choose === null ? new Map() : selection.staged,
      preview: choose === null ? new Map() : this.preview,
      touched: this.spotlight ?? (choose === null && event ? touched(event.move) : NO_MARKS.touched),
      capitals: this.capitals,
    };
  });

  private select(selection: Selection): void {
    if (this.choose === null) return;
    this.chosen = { id: this.choose.id, selection };
    this.spotlight = null;
    if (this.doubted !== this.attackKey) this.doubted = null;
  }

  pick(territory: number, { isTakingBack, isDouble }: Pick): void {
    const { choose, selection, kind, front } = this;
    this.spotlight = null;
    if (choose === null) return;
    if (kind === "place") return this.put(territory, isTakingBack);
    if (front !== null) return this.pickOnward(territory, front.to);
    if (territory === selection.to) return isDouble ? this.actOnce() : this.act();
    this.select(pick(choose, selection, territory, (at) => this.armies(at)));
  }

  /** After a conquest: the territory itself moves in, the next target moves in and aims. */
  private pickOnward(territory: number, conquered: number): void {
    if (territory !== conquered && !this.onward.has(territory)) return;
    const to = territory === conquered ? null : territory;
    this.send();
    this.chosen = { ...this.chosen, selection: { ...EMPTY, from: conquered, to } };
  }

  private put(territory: number, isTakingBack: boolean): void {
    const n = this.batch === "all" ? Number.POSITIVE_INFINITY : Number(this.batch);
    const after = stage(this.choose, this.selection, territory, isTakingBack ? -n : n);
    const isOnlyOne = !isTakingBack && this.range?.[1] === 1 && after.staged.size > 0;
    this.select(after);
    // One army at a time, as in the setup, is placed without a second question.
    if (isOnlyOne) this.act();
  }

  setAmount(value: number): void {
    this.select({ ...this.selection, amount: value });
  }

  changeAmount(by: number): void {
    const { range: bounds } = this;
    if (bounds !== null) this.setAmount(Math.min(bounds[1], Math.max(bounds[0], this.amount + by)));
  }

  selectTrade(move: string | null): void {
    this.select({ ...this.selection, trade: move });
  }

  cancel(): void {
    this.select(cancel(this.selection));
  }

  /** The main button; a doubtful attack needs it twice. */
  act(): void {
    const { attack, choose } = this;
    if (choose === null || !this.canAct) return;
    if (attack === null || this.isDoubted || this.preferences.value.threshold === 0) return this.send();
    if (this.forecast !== null) return this.isDoubtful ? this.doubt() : this.send();
    const key = this.attackKey;
    const isSame = (): boolean => this.choose?.id === choose.id && this.attackKey === key;
    ask(attack, this.odds).then(
      () => isSame() && this.act(),
      // Without odds nobody can be warned.
      () => isSame() && this.send(),
    );
  }

  private doubt(): void {
    this.doubted = this.attackKey;
  }

  /** A double click is made in haste: one roll, or a question where a battle is fought to the end. */
  private actOnce(): void {
    if (this.choose === null || !this.canAct) return;
    if (this.kind === "attack" && this.mode === null && !this.isDoubted) return this.doubt();
    if (this.kind === "attack") this.session.play(moves(this.choose, this.selection));
    else this.act();
  }

  private send(): void {
    const { choose, selection, mode, front } = this;
    if (choose === null) return;
    if (this.kind === "attack" && mode !== null && mode !== "once") {
      this.session.attack(selection.from!, selection.to!, mode === "end" ? 1 : this.until);
    } else {
      this.session.play(moves(choose, selection));
    }
    // The conquered territory is where the next attack most likely starts.
    if (front !== null) this.chosen = { id: choose.id, selection: { ...EMPTY, from: front.to } };
  }

  end(): void {
    if (this.mayEnd) this.session.play(["end"]);
  }

  confirm(): void {
    this.confirmed = this.mover?.seat ?? null;
  }
}

const hasSecrets = (state: State): boolean => (state.view.cards?.length ?? 0) > 0 || (state.view.mission ?? null) !== null;
