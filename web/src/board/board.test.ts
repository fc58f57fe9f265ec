import { describe, expect, it } from "vitest";
import type { GameMap } from "../lib/wire";
import { arrowAround, arrowPath } from "./arrow";
import { ownerName, seatFill } from "./fill";
import { reorder, type Geometry } from "./geometry";
import { describe as sentence, NO_MARKS } from "./marks";
import classic from "./classic.json";
import { cycle, step } from "./roving";

const KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const;

//  0   1
//    4
//  2   3
const POINTS: [number, number][] = [[0, 0], [10, 0], [0, 10], [10, 10], [5, 5]];

describe("arrow keys", () => {
  it("lead to the nearest territory in their direction", () => {
    expect(step(POINTS, [], 0, "ArrowRight")).toBe(4);
    expect(step(POINTS, [], 4, "ArrowDown")).toBe(2);
    expect(step(POINTS, [], 3, "ArrowLeft")).toBe(4);
  });

  it("prefer neighbours on the map", () => {
    expect(step(POINTS, [1], 0, "ArrowRight")).toBe(1);
  });

  it("stay where nothing lies ahead", () => {
    expect(step(POINTS, [], 0, "ArrowLeft")).toBe(0);
    expect(step(POINTS, [], 9, "ArrowLeft")).toBe(9);
  });
});

describe("going through the choices", () => {
  it("runs around in both directions", () => {
    const choices = new Set([7, 2, 5]);
    expect(cycle(choices, 5, true)).toBe(7);
    expect(cycle(choices, 7, true)).toBe(2);
    expect(cycle(choices, 2, false)).toBe(7);
    expect(cycle(new Set(), 3, true)).toBe(3);
  });
});

describe("the drawing", () => {
  const drawing = { territories: ["A", "B"].map((name) => ({ name, path: name, label: [0, 0], room: 1 })) } as unknown as Geometry;
  const map = (...names: string[]) => ({ name: "m", continents: [{ name: "C", bonus: 2, territories: [0, 1] }], territories: names.map((name) => ({ name, continent: 0, neighbors: [] })) }) as unknown as GameMap;

  it("serves the same board in another order, and no other board", () => {
    expect(reorder(drawing, map("B", "A"))?.territories.map(({ name }) => name)).toEqual(["B", "A"]);
    expect(reorder(drawing, map("A", "C"))).toBeNull();
    expect(reorder(drawing, map("A"))).toBeNull();
  });

  it("says in words what it shows", () => {
    const frame = { owners: [1, -1], armies: [5, 0], n_cards: [], income: [], to_place: 0, round: 1, phase: "attack", mover: 0 };
    const seats = [{ name: "Ann" }, { name: "Ben" }];
    expect(sentence(0, map("A", "B"), frame, seats, { ...NO_MARKS, targets: new Set([0]) })).toBe("A, C. Ben, 5 armies. Possible target.");
    expect(sentence(1, map("A", "B"), frame, seats, { ...NO_MARKS, staged: new Map([[1, 2]]) })).toContain("2 more to be placed.");
  });

  it("names and fills every kind of owner", () => {
    expect([-2, -1, 1].map((owner) => ownerName(owner, [{ name: "Ann" }, { name: "Ben" }]))).toEqual(["the neutral army", "nobody", "Ben"]);
    expect(seatFill(3)).toBe("url(#seat-3)");
  });
});

describe("the classic board by keyboard", () => {
  it("lets the arrow keys reach every territory from any other", () => {
    const points = classic.territories.map(({ label }) => label as [number, number]);
    const index = new Map(classic.territories.map(({ name }, i) => [name, i]));
    const neighbors = points.map(() => [] as number[]);
    for (const [a, b] of [...classic.touching, ...classic.links.map((link) => [link.a, link.b])]) {
      const [i, j] = [index.get(a!)!, index.get(b!)!];
      neighbors[i]!.push(j);
      neighbors[j]!.push(i);
    }
    for (const start of points.keys()) {
      const seen = new Set([start]);
      for (const at of seen) for (const key of KEYS) seen.add(step(points, neighbors[at]!, at, key));
      expect(seen.size).toBe(points.length);
    }
  });
});

describe("arrows", () => {
  it("keep clear of the counters at both ends", () => {
    expect(arrowPath([0, 0], [100, 0], 10, 5)).toBe("M10,0L90,0M85,3L90,0L85,-3");
    expect(arrowPath([0, 0], [15, 0], 10, 5)).toBeNull();
  });

  it("go over the edge where the link does", () => {
    expect(arrowAround([50, 0], [950, 0], 1000, 10, 5)).toBe(`${arrowPath([50, 0], [-50, 0], 10, 5)}${arrowPath([1050, 0], [950, 0], 10, 5)}`);
  });
});
