// The seats that this browser holds, kept so that a reload loses no game.

export interface HeldSeat {
  seat: number;
  token: string;
}

export interface Held {
  /** Played on this screen. */
  here: HeldSeat[];
  /** Given away by invitation; kept so that the link can be shown again. */
  invitations: (HeldSeat & { name: string })[];
}

const key = (id: string): string => `hegemon.game.${id}`;
const NONE: Held = { here: [], invitations: [] };

type Store = Pick<Storage, "getItem" | "setItem">;

export function hold(store: Store, id: string, held: Held): void {
  store.setItem(key(id), JSON.stringify(held));
}

/** Forgets a game that is gone. */
export const release = (store: Pick<Storage, "removeItem">, id: string): void => store.removeItem(key(id));

/** Games of which this browser holds a seat. */
export function heldGames(store: Pick<Storage, "key" | "length">): string[] {
  const keys = Array.from({ length: store.length }, (_, i) => store.key(i) ?? "");
  return keys.flatMap((name) => (name.startsWith(key("")) ? [name.slice(key("").length)] : []));
}

export function held(store: Store, id: string): Held {
  const text = store.getItem(key(id));
  if (text === null) return NONE;
  try {
    const value = JSON.parse(text) as Partial<Held>;
    return { here: value.here ?? [], invitations: value.invitations ?? [] };
  } catch {
    return NONE;
  }
}
