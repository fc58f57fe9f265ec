// Who is here, who is away, and what one may do about it: decided without a browser.

import type { TextKey } from "../lib/texts";
import type { Phrase, Seat, SeatInfo } from "../lib/wire";

export const PHRASES: readonly Phrase[] = ["hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "your_turn", "truce", "good_game"];

export const isPlayedByPerson = (seat: SeatInfo): boolean => seat.kind !== "bot" && seat.hands === "own";

export interface Away {
  seat: Seat;
  name: string;
  /** How many of those who are here want a bot to play. */
  votes: number;
  needed: number;
  /** Whether somebody at this screen has not asked for it yet, or may ask again because those who are left are enough. */
  mayVote: boolean;
  hasStandIn: boolean;
  /** Whether they have not been here yet. */
  isAwaited: boolean;
  /** Whether they are here, but leave their move unmade. */
  isIdle: boolean;
}

const isMissed = (seat: SeatInfo): boolean => seat.connected === false || seat.idle || seat.hands === "stand_in";

/** People who are away or do not move, as those at this screen see it. */
export function away(seats: readonly SeatInfo[], local: readonly Seat[]): Away[] {
  const isHere = (seat: SeatInfo): boolean => isPlayedByPerson(seat) && seat.connected === true;
  return seats.flatMap((seat, i) => {
    // Who is out of the game decides only if nobody else is there.
    const isDecided = seats.some((other, j) => j !== i && isHere(other) && !other.eliminated);
    const mayDecide = (voter: SeatInfo): boolean => isPlayedByPerson(voter) && !(voter.eliminated && isDecided);
    if (seat.kind === "bot" || seat.eliminated || !isMissed(seat) || seat.hands === "resigned" || local.includes(i)) return [];
    // Votes are counted when somebody votes: where another left since then, one's own decides, and is given once more.
    const isEnough = seat.votes.length >= seat.votes_needed;
    const voters = local.filter((voter) => mayDecide(seats[voter]!) && (isEnough || !seat.votes.includes(voter)));
    const hasStandIn = seat.hands === "stand_in";
    return [{ seat: i, name: seat.name, votes: seat.votes.length, needed: seat.votes_needed, mayVote: !hasStandIn && voters.length > 0, hasStandIn, isAwaited: seat.awaited, isIdle: seat.connected === true }];
  });
}

/** What to say of somebody who is away or does not move; `isWaiting` says whether the clock waits for who has not come. */
export function absence({ hasStandIn, isAwaited, isIdle }: Away, isWaiting: boolean): TextKey {
  if (hasStandIn) return isIdle ? "people.idle_bot_plays" : "people.bot_plays";
  if (isIdle) return "people.idle";
  if (!isAwaited) return "people.away";
  return isWaiting ? "people.clock_waits" : "people.not_come";
}

/** What somebody asked to be called, and which colour they asked for. */
export interface Introduction {
  seat: Seat;
  name: string;
  color: number;
}

/** Whether the server has granted it. */
export const isGranted = (asked: Introduction, seats: readonly Pick<SeatInfo, "name" | "color">[]): boolean =>
  seats[asked.seat]?.name === asked.name && seats[asked.seat]?.color === asked.color;

/** Milliseconds that are left at a moment, and never more than there were: that moment may lie a little before the message. */
export const timeLeft = (clock: { left: number; until: number }, now: number): number => Math.min(clock.left, clock.until - now);

/** `1:05`, for the time that is left. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

const joinedKey = (id: string): string => `hegemon.joined.${id}`;

const joinedSeats = (store: Pick<Storage, "getItem">, id: string): string[] => store.getItem(joinedKey(id))?.split(",") ?? [];

/** Whether the person of a link has already said who they are; several may have come to one browser. */
export const hasJoined = (store: Pick<Storage, "getItem">, id: string, seat: Seat): boolean => joinedSeats(store, id).includes(String(seat));
export const markJoined = (store: Pick<Storage, "getItem" | "setItem">, id: string, seat: Seat): void => store.setItem(joinedKey(id), [...joinedSeats(store, id), seat].join(","));
