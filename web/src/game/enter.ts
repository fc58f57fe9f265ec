// Sitting down at a game that was just made.

import { gameHash } from "../lib/route";
import type { CreatedGame, Seat, SeatKind } from "../lib/wire";
import { markFresh } from "../setup/fresh";
import { held, hold, type Held } from "./seats";

export function enter(game: CreatedGame): void {
  const of = (kind: SeatKind) => game.seats.flatMap((seat) => (seat.kind === kind && seat.token !== null ? [{ seat: seat.seat, token: seat.token, name: seat.name }] : []));
  sitDown(game.id, { here: of("human"), invitations: of("remote") });
}

/** The same at the rematch of a game, where everybody's seat opens as it did before. */
export function enterRematch(game: CreatedGame, before: string, tokens: ReadonlyMap<Seat, string>): void {
  const here = [...tokens].map(([seat, token]) => ({ seat, token }));
  const others = held(localStorage, before).invitations.filter(({ seat }) => !tokens.has(seat));
  sitDown(game.id, { here, invitations: others.map((other) => ({ ...other, name: game.seats[other.seat]?.name ?? other.name })) });
}

function sitDown(id: string, seats: Held): void {
  hold(localStorage, id, seats);
  markFresh(sessionStorage, id);
  location.hash = gameHash(id);
}
