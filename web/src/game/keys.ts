// Single keys that work wherever the focus is, unless it is in a field.

import type { ChoiceKind } from "./choice";
import { ATTACK_MODES, type AttackMode } from "./preferences";

export type Shortcut =
  | { do: "act" | "end" | "cancel" | "board" | "skip" | "help" }
  | { do: "mode"; mode: AttackMode }
  | { do: "batch"; batch: "1" | "5" | "all" }
  | { do: "amount"; by: number };

const PLAIN: Record<string, Shortcut> = {
  g: { do: "act" },
  e: { do: "end" },
  b: { do: "board" },
  s: { do: "skip" },
  "?": { do: "help" },
  "+": { do: "amount", by: 1 },
  "-": { do: "amount", by: -1 },
};
const BATCH = ["1", "5", "all"] as const;

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}

const isField = (target: EventTarget | null): boolean =>
  target !== null && "matches" in target && (target as Element).matches("input:not([type=radio], [type=range], [type=checkbox]), select, textarea, dialog *");

export function shortcut(event: Key, kind: ChoiceKind, areOn: boolean): Shortcut | null {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return null;
  if (event.key === "Escape") return { do: "cancel" };
  if (!areOn) return null;
  const digit = Number(event.key) - 1;
  if (digit >= 0 && digit < 3) {
    if (kind === "attack") return { do: "mode", mode: ATTACK_MODES[digit]! };
    if (kind === "place") return { do: "batch", batch: BATCH[digit]! };
  }
  return PLAIN[event.key] ?? null;
}
