import { describe, expect, it } from "vitest";
import type { SeatInfo } from "../lib/wire";
import { applyColors, colorTokens, freeColors } from "./colors";
import { absence, away, clockText, hasJoined, markJoined, timeLeft } from "./people";
import { invitationOrigins } from "./reach";

const seat = (name: string, more: Partial<SeatInfo> = {}): SeatInfo => ({ kind: "human", name, spec: null, host_bot: null, awaited: false, connected: true, color: null, hands: "own", idle: false, eliminated: false, votes: [], votes_needed: 1, ...more });
const bot = seat("Marshal", { kind: "bot" });

describe("people who are away", () => {
  const seats = [seat("Ann"), seat("Ben", { connected: false, votes: [2], votes_needed: 2 }), seat("Cy"), bot];
  it("are listed with the votes that are there and needed", () => {
    expect(away(seats, [0])).toEqual([{ seat: 1, name: "Ben", votes: 1, needed: 2, mayVote: true, hasStandIn: false, isAwaited: false, isIdle: false }]);
    expect(away(seats, [2])[0]?.mayVote).toBe(false);
    expect(away(seats, [])[0]?.mayVote).toBe(false);
  });
  it("are voted about once more where somebody left after the vote, so that those who stay are enough", () => {
    const left = seat("Cy", { connected: false });
    const ben = seat("Ben", { connected: false, votes: [0], votes_needed: 1 });
    expect(away([seat("Ann"), ben, left], [0])[0]).toMatchObject({ seat: 1, mayVote: true });
    expect(away([seat("Ann"), { ...ben, votes_needed: 2 }, seat("Cy")], [0])[0]).toMatchObject({ seat: 1, mayVote: false });
  });
  it("are not listed once they have resigned, and cannot be replaced twice", () => {
    expect(away([seat("Ann"), seat("Ben", { connected: false, hands: "resigned" })], [0])).toEqual([]);
    expect(away([seat("Ann"), seat("Ben", { connected: false, hands: "stand_in" })], [0])[0]).toMatchObject({ hasStandIn: true, mayVote: false });
  });
});

describe("people who are here and do not move", () => {
  const ben = (more: Partial<SeatInfo> = {}) => seat("Ben", { idle: true, ...more });
  const said = (person: SeatInfo, isWaiting = false) => absence(away([seat("Ann"), person], [0])[0]!, isWaiting);
  it("can be voted out by the others, not by those who are out of the game", () => {
    expect(away([seat("Ann"), ben(), seat("Cy")], [0])[0]).toMatchObject({ seat: 1, mayVote: true, isIdle: true });
    expect(away([seat("Ann", { eliminated: true }), ben(), seat("Cy")], [0])[0]?.mayVote).toBe(false);
    expect(away([seat("Ann", { eliminated: true }), ben()], [0])[0]?.mayVote).toBe(true);
    expect(away([seat("Ann"), ben()], [1])).toEqual([]);
  });
  it("are called other than those who are away or have not come", () => {
    expect(said(ben())).toBe("people.idle");
    expect(said(ben({ idle: false, hands: "stand_in" }))).toBe("people.idle_bot_plays");
    expect(said(ben({ idle: false, connected: false }))).toBe("people.away");
    expect(said(ben({ idle: false, connected: false, hands: "stand_in" }))).toBe("people.bot_plays");
    const awaited = ben({ idle: false, connected: false, awaited: true });
    expect([said(awaited, true), said(awaited, false)]).toEqual(["people.clock_waits", "people.not_come"]);
  });
  it("are not spoken of once they are out of the game", () => {
    expect(away([seat("Ann"), seat("Ben", { connected: false, awaited: true, eliminated: true })], [0])).toEqual([]);
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

it("a turn never has more time than it was given, though the second hand moves only now and then", () => {
  const clock = { left: 30_000, until: 130_200 };
  expect([100_000, 100_200, 101_000].map((now) => clockText(timeLeft(clock, now)))).toEqual(["0:30", "0:30", "0:30"]);
  expect(clockText(timeLeft(clock, 102_000))).toBe("0:29");
});

it("a person says once who they are", () => {
  const store = new Map<string, string>();
  const storage = { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => void store.set(key, value) };
  expect(hasJoined(storage, "g", 1)).toBe(false);
  markJoined(storage, "g", 1);
  expect(hasJoined(storage, "g", 1)).toBe(true);
  expect(hasJoined(storage, "g", 2)).toBe(false);
  markJoined(storage, "g", 2);
  expect([0, 1, 2].map((one) => hasJoined(storage, "g", one))).toEqual([false, true, true]);
});
