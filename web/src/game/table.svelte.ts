// The person at the screen: what is selected, and what the buttons do.

import { NO_MARKS, type Marks } from "../board/marks";
import type { State } from "../lib/wire";
import { amount, cancel, carryOver, choiceKind, EMPTY, mayEnd, moves, pick, range, sources, stage, targets, unplaced, type Selection } from "./choice";
import { touched } from "./notation";
import type { AttackMode, Preferences } from "./preferences";
import { isRepeatable, promptFor } from "./prompt";
import type { GameSession } from "./session.svelte";

export const BATCHES = ["1", "5", "all"] as const;
export type Batch = (typeof BATCHES)[number];

export class Table {
  batch = $state<Batch>("1");
  until = $state(3);
  /** The person who said last that they sit here. */
  confirmed = $state<number | null>(null);

  private chosen = $state.raw<{ id: number; selection: Selection }>({ id: -1, selection: EMPTY });

  constructor(
    private readonly session: GameSession,
    private readonly preferences: { value: Preferences },
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

  readonly prompt = $derived.by(() => {
    const { choose, mover } = this;
    const map = this.session.info?.map;
    return choose && mover && map ? promptFor(choose, this.selection, mover.state.view, map, this.mode, this.until) : null;
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

  readonly marks = $derived.by((): Marks => {
    const { choose, selection } = this;
    const isPlain = this.kind === "claim" || this.kind === "capital" || this.kind === "place";
    return {
      ...NO_MARKS,
      sources: isPlain ? targets(choose, null) : sources(choose),
      targets: isPlain ? new Set() : targets(choose, selection.from),
      from: choose === null ? null : this.kind === "occupy" ? (this.mover?.state.view.front?.from ?? null) : selection.from,
      to: choose === null ? null : this.kind === "occupy" ? (this.mover?.state.view.front?.to ?? null) : selection.to,
      staged: choose === null ? new Map() : selection.staged,
      touched: choose === null && this.session.event ? touched(this.session.event.move) : NO_MARKS.touched,
      capitals: this.session.current?.view.capitals ?? [],
    };
  });

  private select(selection: Selection): void {
    if (this.choose !== null) this.chosen = { id: this.choose.id, selection };
  }

  pick(territory: number, isTakingBack: boolean): void {
    const { choose, selection, kind } = this;
    if (choose === null) return;
    if (kind === "place") return this.put(territory, isTakingBack);
    const isAgain = territory === selection.to && kind !== "occupy";
    if (isAgain) return this.act();
    this.select(pick(choose, selection, territory, 1));
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

  /** The main button. */
  act(): void {
    const { choose, selection, mode } = this;
    if (choose === null || !this.canAct) return;
    if (this.kind === "attack" && mode !== null && mode !== "once") {
      this.session.attack(selection.from!, selection.to!, mode === "end" ? 1 : this.until);
    } else {
      this.session.play(moves(choose, selection));
    }
  }

  end(): void {
    if (this.mayEnd) this.session.play(["end"]);
  }

  confirm(): void {
    this.confirmed = this.mover?.seat ?? null;
  }
}

const hasSecrets = (state: State): boolean => (state.view.cards?.length ?? 0) > 0 || (state.view.mission ?? null) !== null;
