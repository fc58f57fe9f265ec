// What a person set once and expects to find again.

import { SPEEDS, type Speed } from "./queue";

export const ATTACK_MODES = ["once", "end", "until"] as const;
export type AttackMode = (typeof ATTACK_MODES)[number];

export interface Preferences {
  speed: Speed;
  attack: AttackMode;
  shortcuts: boolean;
  /** An attack with a smaller chance, in percent, is asked about once. */
  threshold: number;
  /** Phases in which nothing can be done end by themselves. */
  advances: boolean;
  sound: boolean;
  /** Dice that roll. */
  motion: boolean;
}

export const DEFAULTS: Preferences = { speed: "normal", attack: "end", shortcuts: true, threshold: 40, advances: true, sound: true, motion: true };

const KEY = "hegemon.preferences";

export function loadPreferences(store: Pick<Storage, "getItem">): Preferences {
  let value: Partial<Preferences>;
  try {
    value = JSON.parse(store.getItem(KEY) ?? "{}") as Partial<Preferences>;
  } catch {
    return DEFAULTS;
  }
  const flag = (name: "shortcuts" | "advances" | "sound" | "motion"): boolean => value[name] ?? DEFAULTS[name];
  const { threshold } = value;
  return {
    speed: SPEEDS.find((speed) => speed === value.speed) ?? DEFAULTS.speed,
    attack: ATTACK_MODES.find((mode) => mode === value.attack) ?? DEFAULTS.attack,
    shortcuts: flag("shortcuts"),
    threshold: typeof threshold === "number" && threshold >= 0 && threshold <= 100 ? threshold : DEFAULTS.threshold,
    advances: flag("advances"),
    sound: flag("sound"),
    motion: flag("motion"),
  };
}

export function savePreferences(store: Pick<Storage, "setItem">, preferences: Preferences): void {
  store.setItem(KEY, JSON.stringify(preferences));
}
