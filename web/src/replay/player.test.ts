import { describe, expect, it } from "vitest";
import { advance, jump, roundAt } from "./player";

describe("the tape", () => {
  it("moves by the clock and keeps the rest of a frame", () => {
    let at = { position: 0, carry: 0 };
    for (let i = 0; i < 10; i += 1) at = advance(at.position, at.carry, 30, 5, 100);
    expect(at.position).toBe(1);
    expect(at.carry).toBeCloseTo(0.5);
  });

  it("stops at the end", () => {
    expect(advance(98, 0, 1000, 200, 100)).toEqual({ position: 99, carry: 0 });
  });

  it("knows rounds", () => {
    const rounds = [0, 10, 25];
    expect([0, 9, 10, 99].map((frame) => roundAt(rounds, frame))).toEqual([0, 0, 1, 2]);
    expect(jump(rounds, 10, 1, 40)).toBe(25);
    expect(jump(rounds, 30, 1, 40)).toBe(39);
    expect(jump(rounds, 10, -1, 40)).toBe(0);
  });
});
