import { describe, expect, it } from "vitest";
import { shortcut } from "./keys";
import { touched } from "./notation";
import { OddsCache } from "./odds";
import { DEFAULTS, loadPreferences, savePreferences, type Preferences } from "./preferences";
import { held, hold } from "./seats";
import { settled } from "./settle";
import { markFresh, takeFresh } from "../setup/fresh";

function store(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as Storage;
}

describe("move strings", () => {
  it("name the territories they touch", () => {
    expect(touched("a4>9x3")).toEqual({ from: 4, to: 9 });
    expect(touched("f14>3x1")).toEqual({ from: 14, to: 3 });
    expect(touched("p7x2")).toEqual({ from: null, to: 7 });
    expect(touched("end")).toEqual({ from: null, to: null });
    expect(touched(null)).toEqual({ from: null, to: null });
  });
});

describe("shortcuts", () => {
  const key = (name: string, more = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, target: null, ...more });

  it("depend on the decision where they must", () => {
    expect(shortcut(key("2"), "attack", true)).toEqual({ do: "mode", mode: "end" });
    expect(shortcut(key("2"), "place", true)).toEqual({ do: "batch", batch: "5" });
    expect(shortcut(key("2"), "fortify", true)).toBeNull();
    expect(shortcut(key("g"), "none", true)).toEqual({ do: "act" });
  });

  it("can be switched off and leave the browser's own keys alone", () => {
    expect(shortcut(key("g"), "attack", false)).toBeNull();
    expect(shortcut(key("Escape"), "attack", false)).toEqual({ do: "cancel" });
    expect(shortcut(key("s", { ctrlKey: true }), "attack", true)).toBeNull();
    expect(shortcut(key("g", { target: { matches: () => true } }), "attack", true)).toBeNull();
  });
});

describe("what the browser keeps", () => {
  it("holds seats and invitations of a game", () => {
    const kept = store();
    expect(held(kept, "g")).toEqual({ here: [], invitations: [] });
    const value = { here: [{ seat: 0, token: "t" }], invitations: [{ seat: 1, token: "u", name: "Ben" }] };
    hold(kept, "g", value);
    expect(held(kept, "g")).toEqual(value);
    kept.setItem("hegemon.game.g", "{");
    expect(held(kept, "g").here).toEqual([]);
  });

  it("remembers preferences and survives nonsense", () => {
    const kept = store();
    const value: Preferences = { speed: "slow", attack: "once", shortcuts: false, threshold: 25, advances: false, sound: false, motion: false };
    savePreferences(kept, value);
    expect(loadPreferences(kept)).toEqual(value);
    kept.setItem("hegemon.preferences", '{"speed":"warp","threshold":-3}');
    expect(loadPreferences(kept)).toEqual(DEFAULTS);
    kept.setItem("hegemon.preferences", "no");
    expect(loadPreferences(kept)).toMatchObject({ attack: "end", threshold: 40 });
  });

  it("shows a new game from its start once", () => {
    const kept = store();
    markFresh(kept, "g");
    expect([takeFresh(kept, "h"), takeFresh(kept, "g"), takeFresh(kept, "g")]).toEqual([false, true, false]);
  });
});

describe("battle odds", () => {
  it("are asked for once, and again after a failure", async () => {
    let n = 0;
    const cache = new OddsCache(async () => {
      n += 1;
      if (n === 1) throw new Error("offline");
      return { win: 0.5 } as never;
    });
    const question = { attackers: 3, defenders: 2 };
    await expect(cache.battle(question)).rejects.toThrow("offline");
    expect(cache.known(question)).toBeNull();
    await cache.battle(question);
    await cache.battle(question);
    expect(n).toBe(2);
    expect(cache.known(question)).toEqual({ win: 0.5 });
    expect(cache.known({ ...question, once: true })).toBeNull();
  });
});

describe("the state that the board may show", () => {
  it("is neither ahead of the events nor behind them", () => {
    const states = [{ seq: 4 }, { seq: 6 }, { seq: 5 }];
    expect(settled(states, 6)).toEqual({ seq: 6 });
    expect(settled(states, 5)).toBeNull();
    expect(settled(states, 7)).toBeNull();
    expect(settled([], 0)).toBeNull();
  });
});
