// Which state the board may show, where states and events come on several sockets.

/** The newest of some states, if the events up to it, and no more, have been shown. */
export function settled<T extends { seq: number }>(states: Iterable<T>, shown: number): T | null {
  let newest: T | null = null;
  for (const state of states) if (newest === null || state.seq > newest.seq) newest = state;
  return newest?.seq === shown ? newest : null;
}
