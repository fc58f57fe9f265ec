// Numbers and sentences for people.

import type { GameMap, Mission, Result, SeatInfo, View } from "./wire";

export const percent = (share: number, digits = 0): string => {
  const value = share * 100;
  if (digits === 0 && share > 0.99 && share < 1) return "> 99 %";
  if (digits === 0 && share > 0 && share < 0.01) return "< 1 %";
  return `${value.toFixed(digits)} %`;
};

export const decimal = (value: number, digits = 1): string => value.toFixed(digits);

/** A rating, whose zero is the mean of a pool, with its sign. */
export const signed = (value: number): string => {
  const n = Math.round(value);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
};

export const armies = (n: number): string => (n === 1 ? "1 army" : `${n} armies`);

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** With a capital at the beginning and a full stop at the end. */
export const sentence = (words: string): string => (words === "" ? "" : `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`);

export const listed = (words: string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const PHASES: Record<View["phase"], string> = {
  claim: "Draft",
  setup: "Setup",
  capital: "Capitals",
  trade: "Cards",
  reinforce: "Reinforce",
  attack: "Attack",
  occupy: "Occupy",
  fortify: "Fortify",
  over: "Game over",
};

export const phaseName = (phase: string): string => PHASES[phase as View["phase"]] ?? phase;

const ENDINGS: Record<string, string> = {
  conquest: "by conquest",
  mission: "by fulfilling a mission",
  capitals: "by holding the capitals",
  "turn-limit": "at the turn limit",
  "early-stop": "with a clear lead",
};

/** How a game ended, as one sentence. */
export function resultSentence(result: Result, seats: { name: string }[]): string {
  const best = Math.max(...result.scores);
  const winners = seats.filter((_, seat) => result.scores[seat] === best).map((seat) => seat.name);
  const how = ENDINGS[result.ending] ?? "";
  const verb = winners.length === 1 ? "wins" : "share the win";
  return `${listed(winners)} ${verb} ${how}`.trimEnd() + ".";
}

export function missionSentence(mission: Mission, map: GameMap, seats: Pick<SeatInfo, "name">[]): string {
  switch (mission.kind) {
    case "continents": {
      const names = mission.continents.map((continent) => map.continents[continent]?.name ?? "?");
      if (mission.n_further > 0) names.push(plural(mission.n_further, "further continent"));
      return `Hold ${listed(names)}.`;
    }
    case "territories":
      return mission.armies > 1
        ? `Hold ${plural(mission.n, "territory", "territories")} with at least ${armies(mission.armies)} on each.`
        : `Hold ${plural(mission.n, "territory", "territories")}.`;
    case "eliminate":
      return `Eliminate ${seats[mission.player]?.name ?? "a player"}.`;
  }
}

/** A moment as the reader's clock and calendar show it; seconds since 1970 or a date in words. */
export function moment(value: string | number): string {
  const date = typeof value === "number" ? new Date(value < 1e11 ? value * 1000 : value) : new Date(/^\d+$/.test(value) ? Number(value) * 1000 : value);
  if (Number.isNaN(date.getTime())) return String(value);
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
