import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameEvent, Group, State, ToClient } from "../lib/wire";
import { GameSession } from "./session.svelte";

class FakeSocket {
  static all: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: unknown[] = [];
  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {}
  say(...messages: ToClient[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { origin: "http://here" });
});
afterEach(() => vi.unstubAllGlobals());

const after = (armies: number) => ({ owners: [0], armies: [armies], n_cards: [0, 0], income: [], to_place: 0, round: 1, phase: "attack", mover: 0 });
const event = (seq: number): GameEvent => ({ seq, seat: 0, kind: "move", move: "p0x1", dice: null, losses: null, expected: null, text: `event ${seq}`, after: after(seq) });
const events = (...seqs: number[]): ToClient => ({ type: "events", events: seqs.map(event) });
const PLACE: Group[] = [{ kind: "place", to: [0], armies: [1, 5] }];

function state(seq: number, isAsked: boolean): State {
  const choose = isAsked ? { id: seq, groups: PLACE, n_moves: 1, moves: null } : null;
  const view = { ...after(seq), cards: [], capitals: [] };
  return { type: "state", seq, status: "running", mover: 0, thinking: false, view, income: [], next_set: null, choose, result: null } as unknown as State;
}
const hello = (seat: number | null, seq: number): ToClient =>
  ({ type: "hello", protocol: 1, game: { id: "g", seats: [{ name: "Ann" }, { name: "Ben" }] }, seat, seq }) as never;

/** A game with these tokens, its sockets open and greeted. */
function open(tokens: string[], seq: number) {
  const session = new GameSession({ id: "g", tokens, speed: "instant", fromStart: false });
  for (const socket of FakeSocket.all) socket.onopen?.();
  const seats = tokens.length === 1 ? [0] : [null, ...tokens.map((_, i) => i)];
  FakeSocket.all.forEach((socket, i) => socket.say(hello(seats[i]!, seq)));
  return { session, sockets: FakeSocket.all };
}

describe("a game with one seat here", () => {
  it("shows the present at once, with the past in the log only", () => {
    const { session, sockets } = open(["t"], 7);
    sockets[0]!.say(events(6, 7), state(7, true));
    expect(session.frame?.armies).toEqual([7]);
    expect(session.log.map(({ seq }) => seq)).toEqual([6, 7]);
    expect(session.mover?.choose.id).toBe(7);
  });

  it("sends several moves, each as an answer to its own question", () => {
    const { session, sockets } = open(["t"], 7);
    sockets[0]!.say(events(7), state(7, true));
    session.play(["p0x1", "p0x2"]);
    expect(session.isBusy).toBe(true);
    sockets[0]!.say(events(8), state(8, true));
    expect(sockets[0]!.sent).toEqual([
      { type: "move", id: 7, move: "p0x1" },
      { type: "move", id: 8, move: "p0x2" },
    ]);
  });

  it("stops sending after a refusal, and says why", () => {
    const { session, sockets } = open(["t"], 7);
    sockets[0]!.say(events(7), state(7, true));
    session.play(["p0x9", "p0x2"]);
    sockets[0]!.say({ type: "error", code: "illegal-move", message: "Not legal.", id: 7 });
    sockets[0]!.say(state(7, true));
    expect(sockets[0]!.sent).toHaveLength(1);
    expect([session.fault, session.isBusy]).toEqual(["Not legal.", false]);
  });
});

describe("a game with two seats here", () => {
  it("takes its log from a watcher's socket", () => {
    const { sockets } = open(["t", "u"], 0);
    expect(sockets.map(({ address }) => new URL(address).searchParams.get("token"))).toEqual([null, "t", "u"]);
  });

  it("sends a move once, however often the same moment comes", () => {
    const { session, sockets } = open(["t", "u"], 7);
    const [watcher, ann, ben] = sockets;
    for (const socket of sockets) socket.say(events(7));
    watcher!.say(state(7, false));
    ann!.say(state(7, true));
    session.play(["p0x1"]);
    ben!.say(state(7, false));
    expect([session.isBusy, ann!.sent.length]).toEqual([true, 1]);
    for (const socket of [watcher!, ann!]) socket.say(events(8), state(8, socket === ann));
    expect(session.isBusy).toBe(false);
  });

  it("asks nobody before the board has caught up, in whatever order messages come", () => {
    const { session, sockets } = open(["t", "u"], 7);
    const [watcher, ann, ben] = sockets;
    for (const socket of sockets) socket.say(events(7));
    watcher!.say(state(7, false));
    ann!.say(state(7, true));
    ben!.say(state(7, false));
    expect(session.mover?.seat).toBe(0);

    session.play(["p0x1"]);
    ann!.say(events(8), state(8, true));
    expect([session.isBusy, session.frame?.armies[0]]).toEqual([true, 7]);
    watcher!.say(events(8));
    expect(session.mover?.choose.id).toBe(8);
    expect(session.frame?.armies[0]).toBe(8);

    session.play(["p0x1"]);
    watcher!.say(events(9));
    expect(session.mover).toBeNull();
    expect(session.frame?.armies[0]).toBe(9);
    watcher!.say(state(9, false));
    ann!.say(events(9), state(9, true));
    expect(session.mover?.choose.id).toBe(9);
  });
});
