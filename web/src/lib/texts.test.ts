import { describe, expect, it } from "vitest";
import de from "../texts/de.json";
import en from "../texts/en.json";
import { cataloguesOf, LANGUAGES, nameOf, preferredLanguage, textIn } from "./texts";

/** Every text with its key; plural forms are texts of their own. */
function entries(section: object, path = ""): [string, string][] {
  return Object.entries(section).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : entries(value as object, `${path}${key}.`),
  );
}

const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map((match) => match[0]).sort();

describe("catalogue", () => {
  it("has the same keys and the same holes in every language", () => {
    const german = new Map(entries(de));
    const english = entries(en);
    expect([...german.keys()].sort()).toEqual(english.map(([key]) => key).sort());
    for (const [key, text] of english) expect(holes(german.get(key)!), key).toEqual(holes(text));
  });

  it("has a language for each file, with its own name", () => {
    expect(LANGUAGES.slice(0, 2)).toEqual(["en", "de"]);
    expect([...cataloguesOf({ "../texts/pl.json": {}, "../texts/en.json": en }).keys()]).toEqual(["en", "pl"]);
    expect(["en", "de", "fr", "pl"].map(nameOf)).toEqual(["English", "Deutsch", "Français", "Polski"]);
  });

  it("fills holes and chooses the plural", () => {
    expect(textIn("en", "count.armies", { n: 1 })).toBe("1 army");
    expect(textIn("en", "count.armies", { n: 3 })).toBe("3 armies");
    expect(textIn("de", "count.armies", { n: 3 })).toBe("3 Armeen");
  });

  it("takes the chosen language, then the browser's, then English", () => {
    expect(preferredLanguage("de", ["en"])).toBe("de");
    expect(preferredLanguage(null, ["fr-FR", "de-AT"])).toBe("de");
    expect(preferredLanguage(null, ["fr"])).toBe("en");
    expect(preferredLanguage("tlh", [])).toBe("en");
  });
});
