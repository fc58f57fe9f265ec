// A game against bots that begins with a position.

import { hold } from "../game/seats";
import { api } from "../lib/api";
import { gameHash } from "../lib/route";
import { t } from "../lib/texts";
import type { GameRequest, PositionRequest } from "../lib/wire";
import { markFresh } from "../setup/fresh";

/** Makes the game, keeps its seat in this browser, and says where it is played. */
export async function playOn(at: PositionRequest, own: number, level: string): Promise<string> {
  const seats: GameRequest["seats"] = Array.from({ length: at.players }, (_, seat) =>
    seat === own ? { kind: "human", name: t("editor.you") } : { kind: "bot", level },
  );
  const game = await api.create({ map: at.map, rules: at.rules, seats, position: at.text });
  const here = game.seats.flatMap(({ seat, token }) => (token === null ? [] : [{ seat, token }]));
  hold(localStorage, game.id, { here, invitations: [] });
  markFresh(sessionStorage, game.id);
  return gameHash(game.id);
}
