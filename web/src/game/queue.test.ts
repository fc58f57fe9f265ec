import { describe, expect, it } from "vitest";
import type { GameEvent } from "../lib/wire";
import { EventQueue } from "./queue";

const event = (seq: number, kind: GameEvent["kind"] = "move", seat = 1): GameEvent => ({
  seq,
  seat,
  kind,
  move: null,
  dice: null,
  losses: null,
  expected: null,
  text: "",
  after: { owners: [], armies: [], n_cards: [], income: [], to_place: 0, round: 1, phase: "attack", mover: seat },
});
const seqs = (events: GameEvent[]): number[] => events.map(({ seq }) => seq);
const queue = (speed: "instant" | "fast" | "normal" | "slow", own: number[] = []): EventQueue => new EventQueue(speed, () => new Set(own));

describe("the event queue", () => {
  it("shows one event after the other, each for its time", () => {
    const q = queue("normal");
    q.push([event(1), event(2), event(3)]);
    expect(seqs(q.take(0))).toEqual([1]);
    expect(seqs(q.take(100))).toEqual([]);
    expect(seqs(q.take(q.nextAt()!))).toEqual([2]);
    expect(q.length).toBe(1);
    expect(q.shown).toBe(2);
  });

  it("is faster or slower by the same factor for all", () => {
    const wait = (speed: "fast" | "normal" | "slow"): number => {
      const q = queue(speed);
      q.push([event(1), event(2)]);
      q.take(0);
      return q.nextAt()!;
    };
    expect(wait("fast")).toBeLessThan(wait("normal"));
    expect(wait("normal")).toBeLessThan(wait("slow"));
  });

  it("gives everything at once when instant", () => {
    const q = queue("instant");
    q.push([event(1), event(2)]);
    expect(seqs(q.take(0))).toEqual([1, 2]);
    expect(q.nextAt()).toBeNull();
  });

  it("does not wait for one's own moves, but for one's own dice", () => {
    const q = queue("normal", [0]);
    q.push([event(1, "move", 0), event(2, "dice", 0), event(3, "move", 0)]);
    expect(seqs(q.take(0))).toEqual([1, 2]);
  });

  it("drops what a resumed connection repeats", () => {
    const q = queue("normal");
    q.push([event(1), event(2)]);
    q.push([event(1), event(2), event(3)]);
    expect(q.length).toBe(3);
    q.take(0);
    q.push([event(1)]);
    expect(q.length).toBe(2);
  });

  it("skips on request and goes on after it", () => {
    const q = queue("slow");
    q.push([event(1), event(2), event(3)]);
    q.take(0);
    expect(seqs(q.flush(5))).toEqual([2, 3]);
    q.push([event(4)]);
    expect(seqs(q.take(5))).toEqual([4]);
  });

  it("does not play the past again", () => {
    const q = queue("normal");
    q.startAfter(10);
    q.push([event(9), event(10), event(11)]);
    expect(seqs(q.take(0))).toEqual([11]);
  });

  it("catches up when it has fallen far behind", () => {
    const q = queue("slow");
    q.push(Array.from({ length: 10_001 }, (_, i) => event(i + 1)));
    expect(q.take(0)).toHaveLength(10_001);
  });
});
