// What a person set once and expects to find again.

import { SPEEDS, type Speed } from "./queue";

export const ATTACK_MODES = ["once", "end", "until"] as const;
export type AttackMode = (typeof ATTACK_MODES)[number];

export interface Preferences {
  speed: Speed;
  attack: AttackMode;
  shortcuts: boolean;
}

const KEY = "hegemon.preferences";
const DEFAULTS: Preferences = { speed: "normal", attack: "end", shortcuts: true };

export function loadPreferences(store: Pick<Storage, "getItem">): Preferences {
  let value: Partial<Preferences>;
  try {
    value = JSON.parse(store.getItem(KEY) ?? "{}") as Partial<Preferences>;
  } catch {
    return DEFAULTS;
  }
  return {
    speed: SPEEDS.find((speed) => speed === value.speed) ?? DEFAULTS.speed,
    attack: ATTACK_MODES.find((mode) => mode === value.attack) ?? DEFAULTS.attack,
    shortcuts: value.shortcuts ?? DEFAULTS.shortcuts,
  };
}

export function savePreferences(store: Pick<Storage, "setItem">, preferences: Preferences): void {
  store.setItem(KEY, JSON.stringify(preferences));
}
