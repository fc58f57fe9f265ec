// Presets of rules in plain words. What the catalogue does not know keeps the server's words.

import { sentence } from "./format";
import { t, type TextKey } from "./texts";
import type { RulesPreset } from "./wire";

export function presetAbout({ name, about }: Pick<RulesPreset, "name" | "about">): string {
  const key = `preset.${name}` as TextKey;
  const text = t(key);
  return text === key ? sentence(about) : text;
}
