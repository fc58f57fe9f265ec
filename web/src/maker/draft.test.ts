import { describe, expect, it } from "vitest";
import classic from "../../../maps/classic.json";
import line4 from "../../../maps/line4.json";
import { areLinked, emptyDraft, fromFile, neighbors, storeDraft, storedDraft, toFile, toggledLink, withContinent, withNearLinks, withoutContinent, withoutTerritory, withTerritory } from "./draft";

const numbered = (n: number): string => `T${n}`;

/** Territories in a row, 100 apart. */
const row = (n: number) =>
  Array.from({ length: n }, (_, i) => i).reduce((draft, i) => withTerritory(draft, [100 + 100 * i, 300], 0, numbered), emptyDraft("mine", "Land"));

describe("a map that is being made", () => {
  it("is what its file says, and back", () => {
    for (const file of [classic, line4]) {
      const written = toFile(fromFile(JSON.stringify(file))!);
      const sorted = (map: typeof written): unknown[] => (map["territories"] as { name: string; connections: string[] }[]).map(({ name, connections }) => [name, [...connections].sort()]);
      expect(sorted(written)).toEqual(sorted(file as never));
      expect(written["continents"]).toEqual(file.continents);
      expect(toFile(fromFile(JSON.stringify(written))!)).toEqual(written);
    }
    for (const text of ["", "{}", "[1]", '{"territories":[]}']) expect(fromFile(text), text).toBeNull();
  });

  it("gives every territory a name of its own and keeps it on the sheet", () => {
    const draft = withTerritory(withoutTerritory(row(3), 0), [-500, 9000], 0, numbered);
    expect(new Set(draft.territories.map(({ name }) => name)).size).toBe(3);
    expect(draft.territories[2]!.at).toEqual([20, 620]);
  });

  it("connects and parts, and forgets the links of what is removed", () => {
    const linked = [[2, 1], [0, 1]].reduce((draft, [a, b]) => toggledLink(draft, a!, b!), row(3));
    expect(areLinked(linked, 1, 2) && areLinked(linked, 1, 0)).toBe(true);
    expect(toggledLink(linked, 1, 2).links).toEqual([[0, 1]]);
    expect(toggledLink(linked, 1, 1)).toBe(linked);
    expect(withoutTerritory(linked, 0).links).toEqual([[0, 1]]);
  });

  it("connects near ones so that everything hangs together", () => {
    expect(withNearLinks(row(4)).links).toEqual([[0, 1], [1, 2], [2, 3]]);
    const scattered = Array.from({ length: 40 }, (_, i) => i).reduce((draft, i) => withTerritory(draft, [(i * 367) % 960, (i * 211) % 600], 0, numbered), emptyDraft("mine", "Land"));
    const near = withNearLinks(scattered);
    const reached = new Set([0]);
    for (const here of reached) neighbors(near, here).forEach((there) => reached.add(there));
    expect(reached.size).toBe(40);
  });

  it("gives the territories of a removed continent to the first", () => {
    const two = withTerritory(withContinent(row(1), numbered), [500, 500], 1, numbered);
    expect(withoutContinent(two, 1).territories.map(({ continent }) => continent)).toEqual([0, 0]);
    expect(withoutContinent(row(1), 0).continents).toHaveLength(1);
  });

  it("outlives the page, and nonsense does not", () => {
    const store = new Map<string, string>();
    const storage = { getItem: (key: string) => store.get(key) ?? null, setItem: (key: string, value: string) => void store.set(key, value) };
    expect(storedDraft(storage)).toBeNull();
    storeDraft(storage, row(3));
    expect(storedDraft(storage)).toEqual(row(3));
    storage.setItem([...store.keys()][0]!, '{"territories":3}');
    expect(storedDraft(storage)).toBeNull();
  });
});
