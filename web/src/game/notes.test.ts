import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { noteText } from "./notes";

const NOTES = [
  "Ann is away; a bot plays on for them until they are back.",
  "Ann does not move; a bot plays on for them until they are back.",
  "Ann is back.",
  "Ann resigns; a bot plays on.",
  "Ann takes a hint.",
  "The time of Ann is up; a bot finishes the turn.",
];

describe("a note", () => {
  it("that is known has the words of the catalogue", () => {
    expect(NOTES.map(noteText)).toEqual([
      "Ann went away; a bot plays on until they are back.",
      "Ann did not move; a bot plays on until they are back.",
      "Ann came back.",
      "Ann resigned; a bot plays on.",
      "Ann took a hint.",
      "The time of Ann is up; a bot finishes the turn.",
    ]);
    expect(noteText("Something else.")).toBe("Something else.");
  });

  it("is one that the server writes", () => {
    const source = ["company.rs", "table.rs", "table/people.rs"].map((file) => readFileSync(new URL(`../../../crates/hegemon-server/src/${file}`, import.meta.url), "utf8")).join("");
    for (const note of NOTES) expect(source).toMatch(new RegExp(note.replace("Ann", "\\{(name)?\\}").replaceAll(".", "\\.")));
  });
});
