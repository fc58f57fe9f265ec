// A game as this browser sees it: connections, the paced board, whose decision it is.

import { api } from "../lib/api";
import { t } from "../lib/texts";
import type { Choose, Frame, FromClient, GameEvent, GameInfo, Phrase, Seat, SeatInfo, State, ToClient } from "../lib/wire";
import { touched, type Touched } from "./notation";
import type { Speed } from "./queue";
import { EventQueue } from "./queue";
import { settled } from "./settle";
import { SeatSocket, socketAddress, together, type Link } from "./socket";

/** Enough for the story of a long round, and to show it again. */
const LOG_LENGTH = 4000;

/** The clock of a turn. */
export interface Clock {
  /** Whose time runs; `null` if it stands still. */
  seat: Seat | null;
  /** Milliseconds that were left when it was told, and until when that is on this machine's clock. */
  left: number;
  until: number;
}

interface Token {
  token: string | null;
  /** Whether this socket's events drive the board. */
  isMain: boolean;
}

export interface SessionOptions {
  id: string;
  /** Tokens of the seats on this screen; none for a watcher. */
  tokens: string[];
  speed: Speed;
  /** Play events again that happened before the page was opened. */
  fromStart: boolean;
}

/** With several persons at one screen the log must not name the cards of one of them. */
function sockets(tokens: string[]): Token[] {
  if (tokens.length === 1) return [{ token: tokens[0]!, isMain: true }];
  return [{ token: null, isMain: true }, ...tokens.map((token) => ({ token, isMain: false }))];
}

const frameOf = (state: State): Frame => ({
  owners: state.view.owners,
  armies: state.view.armies,
  n_cards: state.view.n_cards,
  income: state.income,
  to_place: state.view.to_place,
  round: state.view.round,
  phase: state.view.phase,
  mover: state.mover,
});

/** The roll to show after some events: a battle's dice stay for its rolls and its march, and for nothing else. */
export function diceAfter(dice: GameEvent | null, events: GameEvent[]): GameEvent | null {
  for (const event of events) {
    if (event.losses !== null) dice = event;
    else if (event.move !== null && !event.move.startsWith("o")) dice = null;
  }
  return dice;
}

export class GameSession {
  info = $state.raw<GameInfo | null>(null);
  seats = $state.raw<SeatInfo[]>([]);
  /** What the board shows. */
  frame = $state.raw<Frame | null>(null);
  /** The event that the board shows; `null` when it shows the present. */
  event = $state.raw<GameEvent | null>(null);
  /** The last roll of the battle that the board shows. */
  dice = $state.raw<GameEvent | null>(null);
  log = $state.raw<GameEvent[]>([]);
  /** The public state, once the board has caught up with it. */
  current = $state.raw<State | null>(null);
  /** The seat whose decision is to be made here and now. */
  mover = $state.raw<{ seat: Seat; state: State; choose: Choose } | null>(null);
  waiting = $state(0);
  isBusy = $state(false);
  link = $state<Link>("connecting");
  fault = $state<string | null>(null);
  hasClosed = $state(false);
  local = $state.raw<Seat[]>([]);
  /** The clock of the turn; `null` where turns have no limit. */
  clock = $state.raw<Clock | null>(null);
  /** What people said lately. */
  said = $state.raw<{ seat: Seat; phrase: Phrase; at: number }[]>([]);
  /** The game in which the people of this one play once more. */
  rematch = $state.raw<string | null>(null);
  /** What opens the seats on this screen. */
  readonly tokens = new Map<Seat, string>();

  private readonly queue: EventQueue;
  private readonly seatSockets = new Map<Seat, SeatSocket>();
  private readonly latest = new Map<Seat | null, State>();
  /** What each seat knew when the board last caught up; newer hands wait like everything else. */
  private shownStates = $state.raw<ReadonlyMap<Seat | null, State>>(new Map());
  private readonly links = new Map<string | null, Link>();
  private all: SeatSocket[] = [];
  private pending: string[] = [];
  private isCaughtUp = false;
  /** The moment at which the last move was sent. */
  private sentAt = -1;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: SessionOptions) {
    this.queue = new EventQueue(options.speed, () => new Set(this.local));
    for (const socket of sockets(options.tokens)) this.connect(socket);
  }

  private connect({ token, isMain }: Token): void {
    let seat: Seat | null = null;
    const socket: SeatSocket = new SeatSocket(
      (from) => socketAddress(location.origin, this.options.id, token, from),
      isMain && this.options.fromStart ? 0 : null,
      (message) => {
        if (message.type === "hello") {
          seat = message.seat;
          if (seat !== null) {
            this.seatSockets.set(seat, socket);
            if (token !== null) this.tokens.set(seat, token);
          }
        }
        this.receive(message, seat, isMain);
      },
      (link) => {
        this.links.set(token, link);
        this.link = together(this.links.values());
        if (link === "lost") this.isBusy = false;
      },
      (address) => new WebSocket(address) as never,
      { setTimeout: (run, ms) => setTimeout(run, ms), clearTimeout: (timer) => clearTimeout(timer as never) },
      api.refusal,
    );
    this.all.push(socket);
  }

  private receive(message: ToClient, seat: Seat | null, isMain: boolean): void {
    switch (message.type) {
      case "hello":
        if (seat !== null && !this.local.includes(seat)) this.local = [...this.local, seat].sort((a, b) => a - b);
        if (isMain) this.greet(message.game, message.seq);
        break;
      case "events":
        if (isMain) this.accept(message.events);
        break;
      case "state":
        this.latest.set(seat, message);
        this.show();
        break;
      case "seats":
        this.seats = message.seats;
        break;
      case "clock":
        if (isMain) this.clock = { seat: message.seat, left: message.left_ms, until: performance.now() + message.left_ms };
        break;
      case "said":
        if (isMain) this.said = [...this.said, { seat: message.seat, phrase: message.phrase, at: performance.now() }].slice(-5);
        break;
      case "rematch":
        this.rematch = message.game;
        break;
      case "error":
        this.isBusy = false;
        this.pending = [];
        // A move that came too late needs no words: the newer question is on its way.
        if (message.code !== "stale") this.fault = message.message;
        this.hasClosed ||= message.code === "replaced";
        break;
      case "pong":
        break;
    }
  }

  private greet(game: GameInfo, seq: number): void {
    this.fault = null;
    this.info = game;
    this.seats = game.seats;
    this.rematch = game.rematch;
    if (!this.isCaughtUp && !this.options.fromStart) this.queue.startAfter(seq);
    this.isCaughtUp = true;
  }

  private accept(events: GameEvent[]): void {
    this.remember(events.filter((event) => event.seq <= this.queue.shown));
    this.queue.push(events);
    this.show();
  }

  private remember(events: GameEvent[]): void {
    const last = this.log.at(-1)?.seq ?? 0;
    const fresh = events.filter((event) => event.seq > last);
    if (fresh.length > 0) this.log = [...this.log, ...fresh].slice(-LOG_LENGTH);
  }

  /** Brings the board as far forward as the speed allows. */
  private show(): void {
    clearTimeout(this.timer);
    this.display(this.queue.take(performance.now()));
    const next = this.queue.nextAt();
    if (next === null) this.settle();
    else this.timer = setTimeout(() => this.show(), Math.max(0, next - performance.now()));
  }

  private display(events: GameEvent[]): void {
    this.remember(events);
    const last = events.at(-1);
    if (last !== undefined) {
      this.event = last;
      this.frame = last.after;
      this.dice = diceAfter(this.dice, events);
      this.mover = null;
    }
    this.waiting = this.queue.length;
  }

  /** Nothing waits: the newest state is what the board shows. */
  private settle(): void {
    const newest = settled(this.latest.values(), this.queue.shown);
    if (newest === null) return;
    // The same moment may come on several sockets; a move is answered by a later one.
    if (newest.seq > this.sentAt) this.isBusy = false;
    this.current = newest;
    this.shownStates = new Map(this.latest);
    this.frame = frameOf(newest);
    this.findMover(newest);
    this.sendPending();
  }

  private findMover(newest: State): void {
    this.mover = null;
    for (const seat of this.local) {
      const state = this.latest.get(seat);
      if (state && state.seq === newest.seq && state.choose) this.mover = { seat, state, choose: state.choose };
    }
  }

  /** The attack whose dice are shown. */
  battle(): Touched {
    const attack = this.log.findLast((event) => event.move?.startsWith("a") && event.seq < (this.dice?.seq ?? 0));
    return touched(attack?.move ?? null);
  }

  /** Somebody looks at another battle: the dice of the last one do not come back. */
  putDiceAway(): void {
    this.dice = null;
  }

  stateOf(seat: Seat): State | null {
    return this.shownStates.get(seat) ?? null;
  }

  /** Sends moves one after the other, each when the one before has been accepted. */
  play(moves: string[]): void {
    this.pending = [...moves];
    this.sendPending();
  }

  private sendPending(): void {
    if (this.isBusy || this.mover === null) return;
    const move = this.pending.shift();
    if (move === undefined) return;
    this.sendAs(this.mover.seat, { type: "move", id: this.mover.choose.id, move });
  }

  /** Attacks until few are left or the target falls. */
  attack(from: number, to: number, until: number): void {
    if (this.mover === null) return;
    this.sendAs(this.mover.seat, { type: "attack", id: this.mover.choose.id, from, to, until });
  }

  /** Says something of the table, which is no move. */
  tell(seat: Seat, message: FromClient): void {
    this.fault = null;
    if (!this.seatSockets.get(seat)?.send(message)) this.fault = t("game.no_connection");
  }

  private sendAs(seat: Seat, message: Parameters<SeatSocket["send"]>[0]): void {
    this.fault = null;
    this.sentAt = this.current?.seq ?? -1;
    this.isBusy = this.seatSockets.get(seat)?.send(message) ?? false;
    if (!this.isBusy) this.fault = t("game.no_connection");
  }

  setSpeed(speed: Speed): void {
    this.queue.speed = speed;
    this.show();
  }

  skip(): void {
    this.display(this.queue.flush(performance.now()));
    this.show();
  }

  /** Shows the events after this one once more. */
  showAgain(seq: number): void {
    this.queue.rewind(this.log.filter((event) => event.seq > seq));
    this.show();
  }

  close(): void {
    clearTimeout(this.timer);
    for (const socket of this.all) socket.close();
  }
}
