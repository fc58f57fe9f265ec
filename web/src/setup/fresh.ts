// A game that this page has just created is shown from its first event on.

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;
const KEY = "hegemon.fresh";

export const markFresh = (store: Store, id: string): void => store.setItem(KEY, id);

/** Whether the game is new, once. */
export function takeFresh(store: Store, id: string): boolean {
  if (store.getItem(KEY) !== id) return false;
  store.removeItem(KEY);
  return true;
}
