// What the moves of a plan look like on the board.

export interface Arrow {
  from: number;
  to: number;
  label?: string;
}

export interface PlanDrawing {
  arrows: Arrow[];
  /** Armies to be placed by territory. */
  placed: Map<number, number>;
}

export const NO_PLAN: PlanDrawing = { arrows: [], placed: new Map() };

export function planDrawing(moves: readonly string[]): PlanDrawing {
  const arrows: Arrow[] = [];
  const placed = new Map<number, number>();
  for (const move of moves) {
    const directed = /^[af](\d+)>(\d+)/.exec(move);
    const place = /^p(\d+)x(\d+)/.exec(move);
    if (directed) arrows.push({ from: Number(directed[1]), to: Number(directed[2]) });
    else if (place) placed.set(Number(place[1]), (placed.get(Number(place[1])) ?? 0) + Number(place[2]));
  }
  return { arrows, placed };
}
