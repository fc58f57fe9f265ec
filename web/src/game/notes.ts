// Notes of the server beside the game, in the language of the reader. They are stored as sentences, so that a record reads
// well anywhere; those that are known here are translated, and any other stays as it is.

import { t, type TextKey } from "../lib/texts";

const NOTES: [RegExp, TextKey][] = [
  [/^(.+) is away; a bot plays on for them until they are back\.$/, "log.note_away"],
  [/^(.+) does not move; a bot plays on for them until they are back\.$/, "log.note_idle"],
  [/^(.+) is back\.$/, "log.note_back"],
  [/^(.+) resigns; a bot plays on\.$/, "log.note_resigns"],
  [/^(.+) takes a hint\.$/, "log.note_hint"],
  [/^The time of (.+) is up; a bot finishes the turn\.$/, "log.note_time"],
];

export function noteText(text: string): string {
  for (const [pattern, key] of NOTES) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return t(key, { name });
  }
  return text;
}
