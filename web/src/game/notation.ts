// Reading move strings, to show on the board what they touch.

export interface Touched {
  from: number | null;
  to: number | null;
}

/** The territories that a move names. */
export function touched(move: string | null): Touched {
  const directed = /^[af](\d+)>(\d+)/.exec(move ?? "");
  if (directed) return { from: Number(directed[1]), to: Number(directed[2]) };
  const single = /^[ckp](\d+)/.exec(move ?? "");
  return { from: null, to: single ? Number(single[1]) : null };
}
