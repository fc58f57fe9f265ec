import { describe, expect, it } from "vitest";
import { botSeat, fault, humanSeat, newGame, resized, seatNames } from "./draft";
import type { Rules } from "../lib/wire";
import { remember, remembered } from "./remembered";

const RULES = { players: [2, 4] };
const LEVELS = [{ id: "easy", name: "Easy", spec: "random", about: "", rating: null }];
const preset = { name: "classic", about: "", rules: RULES as unknown as Rules };

describe("the last form", () => {
  const known = { maps: [{ name: "classic" }], presets: [preset], levels: LEVELS, hostBots: ["Mine"] };
  const form = { map: "classic", preset: "classic", rules: RULES, seats: [humanSeat([]), botSeat("easy")] };
  const after = (value: unknown) => remembered({ getItem: () => (typeof value === "string" ? value : JSON.stringify(value)) }, known);

  it("comes back as it was", () => {
    let kept = "";
    remember({ setItem: (_, text) => void (kept = text) }, form);
    expect(after(kept)).toEqual(form);
  });

  it("is forgotten where it names what is gone, or is nonsense", () => {
    expect(after({ ...form, map: "gone" })).toBeNull();
    expect(after({ ...form, seats: [humanSeat([]), botSeat("gone")] })).toBeNull();
    expect(after({ ...form, seats: [humanSeat([]), botSeat("host:gone")] })).toBeNull();
    expect(after({ ...form, seats: [humanSeat([]), botSeat("host:Mine")] })).not.toBeNull();
    expect(after({ ...form, seats: [humanSeat([])] })).toBeNull();
    expect(after("{")).toBeNull();
    expect(after("null")).toBeNull();
  });
});

describe("a new game", () => {
  it("adds and takes away seats at the end", () => {
    const seats = resized([humanSeat([])], 3, "easy");
    expect(seats.map(({ kind }) => kind)).toEqual(["human", "bot", "bot"]);
    expect(resized(seats, 1, "easy")).toEqual([seats[0]]);
    expect(humanSeat(["Ann"]).name).toBe("Ben");
  });

  it("names every seat, and no two alike", () => {
    const seats = [humanSeat([]), botSeat("easy"), botSeat("easy"), { ...botSeat(""), spec: "mcts(iterations=1000,policy=uct)" }];
    expect(seatNames(seats, LEVELS)).toEqual(["Ann", "Easy", "Easy 2", "mcts(iterations=1000,policy=uc"]);
  });

  it("says what is missing", () => {
    const two = [humanSeat([]), botSeat("easy")];
    expect(fault(two, RULES, "")).toBeNull();
    expect(fault(two.slice(1), RULES, "")).toBe("These rules are for 2 to 4 players.");
    expect(fault([two[0]!], { players: [2, 2] }, "")).toBe("These rules are for 2 players.");
    expect(fault([{ ...two[0]!, name: " " }, two[1]!], RULES, "")).toBe("Player 1 needs a name.");
    expect(fault([two[0]!, { ...two[1]!, level: "" }], RULES, "")).toBe("Player 2 needs the spec of a bot.");
    expect(fault(two, RULES, "18446744073709551616")).toContain("64 bits");
    expect(fault(two, RULES, "18446744073709551615")).toBeNull();
  });

  it("sends the name of unchanged rules and the value of changed ones", () => {
    const seats = [humanSeat([]), botSeat("easy"), { ...botSeat(""), spec: "mcts(n=10)", name: "M" }];
    expect(newGame("classic", preset, { players: [2, 4] }, seats, " 7 ", LEVELS)).toEqual({
      map: "classic",
      rules: "classic",
      seats: [{ kind: "human", name: "Ann" }, { kind: "bot", name: "Easy", level: "easy" }, { kind: "bot", name: "M", spec: "mcts(n=10)" }],
      seed: "7",
    });
    expect(newGame("classic", preset, { players: [3, 4] }, seats, "", LEVELS)).not.toHaveProperty("seed");
    expect(newGame("classic", preset, { players: [3, 4] }, seats, "", LEVELS).rules).toEqual({ players: [3, 4] });
  });
});
