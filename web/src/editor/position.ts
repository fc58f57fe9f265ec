// A position string as parts that can be changed; the server says whether it is a position.

import { NEUTRAL, NOBODY } from "../lib/wire";

export interface Draft {
  /** By territory: owner and armies. */
  board: [number, number][];
  phase: string;
  player: number;
  /** All other fields as they are written. */
  rest: string[];
}

const LETTERS = "abcdef";

export const ownerLetter = (owner: number): string => (owner === NEUTRAL ? "n" : owner === NOBODY ? "-" : (LETTERS[owner] ?? "-"));

const ownerOf = (letter: string): number => (letter === "n" ? NEUTRAL : letter === "-" ? NOBODY : LETTERS.indexOf(letter));

/** The parts of a text; `null` if it has no board. */
export function readDraft(text: string): Draft | null {
  const fields = text.trim().split(/\s+/);
  const valueOf = (name: string): string | undefined => fields.find((field) => field.startsWith(`${name}=`))?.slice(name.length + 1);
  const board = valueOf("board");
  if (board === undefined || !/^([a-fn-]\d+)+$/.test(board)) return null;
  return {
    board: [...board.matchAll(/([a-fn-])(\d+)/g)].map((match): [number, number] => [ownerOf(match[1]!), Number(match[2])]),
    phase: valueOf("phase") ?? "attack",
    player: Number(valueOf("player") ?? 0),
    rest: fields.filter((field) => !/^(board|phase|player)=/.test(field)),
  };
}

export function writeDraft({ board, phase, player, rest }: Draft): string {
  const squares = board.map(([owner, armies]) => `${ownerLetter(owner)}${armies}`).join("");
  return [`board=${squares}`, `phase=${phase}`, `player=${player}`, ...rest].join(" ");
}

/** A board to begin with: territories dealt in turn, three armies each, in the middle of a turn. */
export const firstDraft = (n_territories: number, players: number): Draft => ({
  board: Array.from({ length: n_territories }, (_, i): [number, number] => [i % players, 3]),
  phase: "attack",
  player: 0,
  rest: ["round=2"],
});

export const withSquare = (draft: Draft, territory: number, owner: number, armies: number): Draft => ({
  ...draft,
  board: draft.board.map((square, i) => (i === territory ? [owner, armies] : square)),
});

/** Fields that belong to what was under way. */
const UNDER_WAY = /^(front|last|arrived|place|conquered|mid-turn|ending|winners)=/;

/** The same board at the beginning of a phase of a player's turn. */
export const withTurn = (draft: Draft, phase: string, player: number, toPlace: number): Draft => ({
  ...draft,
  phase,
  player,
  rest: [...draft.rest.filter((field) => !UNDER_WAY.test(field)), ...(phase === "reinforce" ? [`place=${toPlace}`] : [])],
});

export const toPlace = (draft: Draft): number => Number(draft.rest.find((field) => field.startsWith("place="))?.slice(6) ?? 3);
