import { describe, expect, it } from "vitest";
import { editorHash, parseRoute } from "../lib/route";
import { firstDraft, readDraft, toPlace, withSquare, withTurn, writeDraft } from "./position";

const TEXT = "board=a9b1n2-0b12f1 phase=fortify player=1 round=3 hand=0:1 arrived=0x2";

describe("a draft of a position", () => {
  it("is written as it was read", () => {
    const draft = readDraft(TEXT)!;
    expect(draft.board).toEqual([[0, 9], [1, 1], [-2, 2], [-1, 0], [1, 12], [5, 1]]);
    expect([draft.phase, draft.player]).toEqual(["fortify", 1]);
    expect(writeDraft(draft)).toBe(TEXT);
  });

  it("is none without a board", () => {
    for (const text of ["", "phase=attack", "board=", "board=x3", "board=a"]) expect(readDraft(text), text).toBeNull();
  });

  it("changes a territory and a turn, and drops what was under way", () => {
    const draft = withTurn(withSquare(readDraft(TEXT)!, 1, 0, 4), "reinforce", 0, 5);
    expect(writeDraft(draft)).toBe("board=a9a4n2-0b12f1 phase=reinforce player=0 round=3 hand=0:1 place=5");
    expect(toPlace(draft)).toBe(5);
    expect(writeDraft(firstDraft(3, 2))).toBe("board=a3b3a3 phase=attack player=0 round=2");
  });

  it("travels in a link", () => {
    const at = { map: "classic", rules: '{"cards":"off"}', players: 3, position: TEXT };
    expect(parseRoute(editorHash(at))).toEqual({ page: "editor", at: { ...at, isDamaged: false } });
    expect(parseRoute("#/editor")).toEqual({ page: "editor", at: { map: null, rules: null, players: null, position: null, isDamaged: false } });
  });

  it("is known to be damaged when its link was cut or changed anywhere", () => {
    const whole = editorHash({ map: "classic", rules: "lux", players: 3, position: TEXT });
    const isDamaged = (hash: string): boolean => {
      const route = parseRoute(hash);
      return route.page === "editor" && route.at.isDamaged;
    };
    expect(isDamaged(whole)).toBe(false);
    const start = whole.indexOf("check=") + "check=".length;
    for (let end = start; end < whole.length; end += 1) expect(isDamaged(whole.slice(0, end)), whole.slice(0, end)).toBe(true);
    for (const [from, to] of [["a9", "a8"], ["classic", "duel6"], ["lux", "draft"], ["players=3", "players=4"], ["round%3D3", "round%3D"], ["b1n2", "%E0%A4b1"]])
      expect(isDamaged(whole.replace(from!, to!)), to).toBe(true);
  });

  it("may come by a link that was made by hand, without a check", () => {
    const link = (players: string) => parseRoute(`#/editor?map=duel6&rules=lux&players=${players}&position=board`);
    expect(link("2")).toEqual({ page: "editor", at: { map: "duel6", rules: "lux", players: 2, position: "board", isDamaged: false } });
    expect(link("2x")).toMatchObject({ at: { isDamaged: true } });
  });
});
