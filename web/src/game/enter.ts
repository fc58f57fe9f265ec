// Sitting down at a game that was just made.

import { gameHash } from "../lib/route";
import type { CreatedGame, SeatKind } from "../lib/wire";
import { markFresh } from "../setup/fresh";
import { hold } from "./seats";

export function enter(game: CreatedGame): void {
  const held = (kind: SeatKind) => game.seats.flatMap((seat) => (seat.kind === kind && seat.token !== null ? [{ seat: seat.seat, token: seat.token, name: seat.name }] : []));
  hold(localStorage, game.id, { here: held("human"), invitations: held("remote") });
  markFresh(sessionStorage, game.id);
  location.hash = gameHash(game.id);
}
