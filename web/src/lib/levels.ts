// Levels of bots in plain words: how hard, in which style. What the catalogue does not know keeps the server's words.

import { t, type TextKey } from "./texts";
import type { Level } from "./wire";

const words = (level: Pick<Level, "id">, what: "grade" | "style" | "about"): string | null => {
  const key = `level.${level.id}.${what}` as TextKey;
  const text = t(key);
  return text === key ? null : text;
};

/** How hard it is, such as "Easy". */
export const levelGrade = (level: Pick<Level, "id" | "name">): string => words(level, "grade") ?? level.name;

/** How hard it is and what it is called, such as "Easy: Sergeant". */
export const levelName = (level: Pick<Level, "id" | "name">): string => {
  const grade = words(level, "grade");
  return grade === null || grade === level.name ? level.name : t("level.name", { grade, name: level.name });
};

/** How it plays, in one or two words. */
export const levelStyle = (level: Pick<Level, "id">): string => words(level, "style") ?? "";

/** How it plays, in one sentence. */
export const levelAbout = (level: Pick<Level, "id" | "about">): string => words(level, "about") ?? level.about;
