import { describe, expect, it } from "vitest";
import { armies, listed, missionSentence, moment, percent, plural, resultSentence, sentence, signed } from "./format";
import { presetAbout } from "./presets";
import { gameHash, parseRoute, replayHash } from "./route";
import type { GameMap } from "./wire";

describe("routes", () => {
  it("are read from the address", () => {
    expect(parseRoute("")).toEqual({ page: "new", map: null });
    expect(parseRoute("#/odds")).toEqual({ page: "odds" });
    expect(parseRoute("#/game/ab?token=x%2By")).toEqual({ page: "game", id: "ab", token: "x+y" });
    expect(parseRoute("#/replay/ab?frame=12")).toEqual({ page: "replay", id: "ab", frame: 12 });
    expect(parseRoute("#/replay/ab?frame=no")).toMatchObject({ frame: null });
    expect(parseRoute("#/nonsense")).toEqual({ page: "missing", path: "nonsense" });
    for (const path of ["%", "game/%", "replay/%E0%A4%A"]) expect(parseRoute(`#/${path}`)).toEqual({ page: "missing", path });
  });

  it("are written so that they read back", () => {
    expect(parseRoute(gameHash("a b", "t&1"))).toEqual({ page: "game", id: "a b", token: "t&1" });
    expect(parseRoute(gameHash("a"))).toMatchObject({ token: null });
    expect(parseRoute(replayHash("a", 3))).toEqual({ page: "replay", id: "a", frame: 3 });
  });
});

describe("numbers and sentences", () => {
  it("never round a chance to a certainty", () => {
    expect([1, 0.996, 0.5, 0.004, 0].map((share) => percent(share))).toEqual(["100 %", "> 99 %", "50 %", "< 1 %", "0 %"]);
    expect(percent(0.1234, 1)).toBe("12.3 %");
  });

  it("give a rating its sign", () => {
    expect([12.4, -7.6, 0.3].map(signed)).toEqual(["+12", "−8", "0"]);
  });

  it("agree in number", () => {
    expect([armies(1), armies(2), plural(1, "game"), plural(0, "territory", "territories")]).toEqual(["1 army", "2 armies", "1 game", "0 territories"]);
    expect([listed(["a"]), listed(["a", "b", "c"])]).toEqual(["a", "a, b and c"]);
    expect([sentence(""), sentence("the boxed game"), sentence("Strong.")]).toEqual(["", "The boxed game.", "Strong."]);
  });

  it("tell how a game ended", () => {
    const seats = [{ name: "Ann" }, { name: "Ben" }];
    expect(resultSentence({ ending: "conquest", scores: [0, 1], places: [2, 1] }, seats)).toBe("Ben won by conquest.");
    expect(resultSentence({ ending: "turn-limit", scores: [0.5, 0.5], places: [1, 1] }, seats)).toBe("Ann and Ben shared the win at the turn limit.");
  });

  it("tell a mission", () => {
    const map = { continents: [{ name: "Asia" }, { name: "Africa" }] } as GameMap;
    expect(missionSentence({ kind: "continents", continents: [0, 1], n_further: 1 }, map, [])).toBe("Hold Asia, Africa and 1 further continent.");
    expect(missionSentence({ kind: "territories", n: 18, armies: 2 }, map, [])).toBe("Hold 18 territories with at least 2 armies on each.");
    expect(missionSentence({ kind: "eliminate", player: 1 }, map, [{ name: "Ann" }, { name: "Ben" }])).toBe("Eliminate Ben.");
  });

  it("show a moment however it is written, and nonsense as it is", () => {
    expect(moment(1_700_000_000)).toBe(moment(1_700_000_000_000));
    expect(moment("1700000000")).toBe(moment(1_700_000_000));
    expect(moment("soon")).toBe("soon");
  });
});

describe("a preset of rules", () => {
  it("has plain words, or those of the server", () => {
    expect(presetAbout({ name: "classic", about: "the box" })).toMatch(/^The boxed game: /);
    expect(presetAbout({ name: "own", about: "my rules" })).toBe("My rules.");
  });
});
