// The messages of the server, as its OpenAPI document and docs/protocol.md describe them.

export type Seat = number;
export const NOBODY = -1;
export const NEUTRAL = -2;

export interface Continent {
  name: string;
  bonus: number;
  territories: number[];
}

export interface Territory {
  name: string;
  continent: number;
  neighbors: number[];
}

export interface GameMap {
  name: string;
  continents: Continent[];
  territories: Territory[];
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Rules = { [key: string]: Json };

export type Phase = "claim" | "setup" | "capital" | "trade" | "reinforce" | "attack" | "occupy" | "fortify";
export type Card = string;

export type Mission =
  | { kind: "continents"; continents: number[]; n_further: number }
  | { kind: "territories"; n: number; armies: number }
  | { kind: "eliminate"; player: Seat };

export interface View {
  phase: Phase;
  player: Seat;
  round: number;
  owners: number[];
  armies: number[];
  to_place: number;
  neutral_to_place: number;
  reserves: number[];
  front: null | { from: number; to: number; fewest: number };
  cards?: Card[] | null;
  n_cards: number[];
  n_traded: number;
  mission?: number | null;
  capitals: (number | null)[];
  eliminations: (Seat | null)[];
}

export type Group =
  | { kind: "claim" | "capital"; to: number[] }
  | { kind: "trade"; move: string }
  | { kind: "place"; to: number[]; armies: [number, number] }
  | { kind: "attack" | "fortify"; from: number; to: number[]; armies: [number, number] }
  | { kind: "occupy"; armies: [number, number] }
  | { kind: "end" };

export interface Choose {
  id: number;
  groups: Group[];
  n_moves: number;
  moves: string[] | null;
}

export interface Result {
  ending: string;
  scores: number[] | null;
  places: number[] | null;
}

export interface Frame {
  owners: number[];
  armies: number[];
  n_cards: number[];
  round: number;
  phase: string;
  mover: Seat | null;
}

export interface GameEvent {
  seq: number;
  seat: Seat | null;
  kind: "move" | "dice" | "card" | "deal" | "note";
  move: string | null;
  dice: null | { attacker: number[]; defender: number[] };
  losses: null | { attacker: number; defender: number };
  text: string;
  after: Frame;
}

export interface SeatInfo {
  kind: "human" | "remote" | "bot";
  name: string;
  spec: string | null;
  connected?: boolean;
}

export interface GameInfo {
  id: string;
  map: GameMap;
  rules: Rules;
  rules_name: string;
  n_players: number;
  seats: SeatInfo[];
  created: string | number;
  missions?: Mission[];
}

export interface StateMessage {
  type: "state";
  seq: number;
  status: "running" | "over";
  mover: Seat | null;
  thinking: boolean;
  view: View;
  income: number[];
  next_set: number | null;
  choose: Choose | null;
  result: Result | null;
}

export type ServerMessage =
  | { type: "hello"; protocol: number; game: GameInfo; seat: Seat | null; seq: number }
  | { type: "events"; events: GameEvent[] }
  | StateMessage
  | { type: "seats"; seats: SeatInfo[] }
  | { type: "error"; code: string; message: string; id?: number | null }
  | { type: "pong" };

export type ClientMessage =
  | { type: "move"; id: number; move: string }
  | { type: "attack"; id: number; from: number; to: number; until: number }
  | { type: "ping" };

export interface GameSummary {
  id: string;
  map: string;
  rules_name: string;
  seats: SeatInfo[];
  round: number;
  status: "running" | "over";
  winner: Seat | null;
  created: string | number;
}

export interface Replay {
  map: GameMap;
  rules: Rules;
  rules_name: string;
  seats: { name: string; spec: string | null }[];
  seed: string;
  n_players: number;
  result: Result | null;
  frames: GameEvent[];
  charts: { rounds: number[]; territories: number[][]; armies: number[][]; income: number[][] };
}

export interface RulesPreset {
  name: string;
  about: string;
  rules: Rules;
}

export interface BotInfo {
  name: string;
  about: string;
  parameters: { name: string; default: string | number | boolean; about: string }[];
}

export interface Level {
  id: string;
  name: string;
  spec: string;
  about: string;
  rating: null | { elo: number; low: number; high: number; games: number; pool: string };
}

export type SeatSetup =
  | { kind: "human" | "remote"; name: string }
  | { kind: "bot"; name?: string; level?: string; spec?: string };

export interface NewGame {
  map: string;
  rules: string | Rules;
  seats: SeatSetup[];
  seed?: string;
}

export interface CreatedGame {
  id: string;
  seats: { seat: Seat; kind: string; name: string; token: string | null }[];
  watch_url: string;
}

export interface BattleOdds {
  attackers: number;
  defenders: number;
  win: number;
  expected_attackers_left: number;
  expected_defenders_left: number;
  expected_attacker_losses: number;
  expected_defender_losses: number;
  outcomes: { attackers: number; defenders: number; probability: number }[];
}

export interface ChainOdds {
  win: number;
  steps: { defenders: number; reached: number }[];
  expected_left: number;
  outcomes: { attackers: number; probability: number }[];
}

export interface NeedOdds {
  armies: number;
  win: number;
}

export interface ArenaRating {
  spec: string;
  rating: number;
  low: number;
  high: number;
  games: number;
  score: number;
}

export interface ArenaPool {
  file: string;
  rules: string;
  map: string;
  games: number;
  ratings: ArenaRating[];
  cross: { a: string; b: string; games: number; share: number }[];
  updated: string | number;
}

export interface Arena {
  pool: ArenaPool | null;
}
