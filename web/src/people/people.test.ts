import { describe, expect, it } from "vitest";
import type { SeatInfo } from "../lib/wire";
import { applyColors, colorTokens, freeColors } from "./colors";
import { away, clockText, hasJoined, markJoined } from "./people";
import { invitationOrigins } from "./reach";

const seat = (name: string, more: Partial<SeatInfo> = {}): SeatInfo => ({ kind: "human", name, spec: null, host_bot: null, awaited: false, connected: true, color: null, hands: "own", votes: [], ...more });
const bot = seat("Marshal", { kind: "bot" });

describe("people who are away", () => {
  const seats = [seat("Ann"), seat("Ben", { connected: false, votes: [2] }), seat("Cy"), bot];
  it("are listed with the votes that are there and needed", () => {
    expect(away(seats, [0])).toEqual([{ seat: 1, name: "Ben", votes: 1, needed: 2, mayVote: true, hasStandIn: false, isAwaited: false }]);
    expect(away(seats, [2])[0]?.mayVote).toBe(false);
    expect(away(seats, [])[0]?.mayVote).toBe(false);
  });
  it("are not listed once they have resigned, and cannot be replaced twice", () => {
    expect(away([seat("Ann"), seat("Ben", { connected: false, hands: "resigned" })], [0])).toEqual([]);
    expect(away([seat("Ann"), seat("Ben", { connected: false, hands: "stand_in" })], [0])[0]).toMatchObject({ hasStandIn: true, mayVote: false });
  });
});

describe("colours", () => {
  it("of other people are taken, and those of bots are not", () => {
    expect(freeColors([seat("Ann"), seat("Ben", { color: 4 }), bot], 0)).toEqual([0, 1, 2, 3, 5]);
  });
  it("are the tokens of the seats", () => {
    const seats = [seat("Ann", { color: 2 }), seat("Ben"), { ...bot, color: 0 }];
    expect(colorTokens(seats).map(([name, value]) => `${name}=${value}`)).toEqual([
      "--seat-0=var(--color-2)",
      "--seat-0-mark=var(--color-2-mark)",
      "--seat-2=var(--color-0)",
      "--seat-2-mark=var(--color-0-mark)",
    ]);
    const style = new Map<string, string>();
    const undo = applyColors({ setProperty: (name, value) => void style.set(name, value ?? ""), removeProperty: (name) => (style.delete(name), "") }, seats);
    expect(style.size).toBe(4);
    undo();
    expect(style.size).toBe(0);
  });
});

describe("invitations", () => {
  const lan = "http://192.168.1.5:4272";
  const here = "http://localhost:4272";
  it("name an address that others can reach", () => {
    expect(invitationOrigins(here, { is_local: false, addresses: [lan] })).toEqual([lan]);
    expect(invitationOrigins(lan, { is_local: false, addresses: [lan, "http://10.0.0.2:4272"] })).toEqual([lan, "http://10.0.0.2:4272"]);
    expect(invitationOrigins("https://play.example.org", { is_local: true, addresses: [] })).toEqual(["https://play.example.org"]);
  });
  it("name this machine where nobody else can come", () => {
    expect(invitationOrigins(here, { is_local: true, addresses: [] })).toEqual([here]);
    expect(invitationOrigins(here, null)).toEqual([here]);
  });
});

it("time that is left is minutes and seconds", () => {
  expect([65_000, 59_001, 400, -5].map(clockText)).toEqual(["1:05", "1:00", "0:01", "0:00"]);
});

it("a person says once who they are", () => {
  const store = new Map<string, string>();
  const storage = { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => void store.set(key, value) };
  expect(hasJoined(storage, "g", 1)).toBe(false);
  markJoined(storage, "g", 1);
  expect(hasJoined(storage, "g", 1)).toBe(true);
  expect(hasJoined(storage, "g", 2)).toBe(false);
});
