// Numbers and sentences for people.

import { language, t, type TextKey } from "./texts";
import type { GameMap, Mission, Result, SeatInfo } from "./wire";

const rounded = (value: number, digits: number): string => value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

export const percent = (share: number, digits = 0): string => {
  const value = share * 100;
  if (digits === 0 && share > 0.99 && share < 1) return "> 99 %";
  if (digits === 0 && share > 0 && share < 0.01) return "< 1 %";
  return `${rounded(value, digits)} %`;
};

export const decimal = (value: number, digits = 1): string => rounded(value, digits);

/** A rating, whose zero is the mean of a pool, with its sign. */
export const signed = (value: number): string => {
  const n = Math.round(value);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
};

export const armies = (n: number): string => t("count.armies", { n });

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** With a capital at the beginning and a full stop at the end. */
export const sentence = (words: string): string => (words === "" ? "" : `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`);

const LIST = new Intl.ListFormat(language === "en" ? "en-GB" : language);
export const listed = (words: string[]): string => LIST.format(words);

/** A phase in plain words; the server's own word where none is known. */
export const phaseName = (phase: string): string => {
  const key = `phase.${phase}` as TextKey;
  const name = t(key);
  return name === key ? phase : name;
};

/** How a game ended, as one sentence. */
export function resultSentence(result: Result, seats: readonly { name: string }[]): string {
  const best = Math.max(...result.scores);
  const winners = seats.filter((_, seat) => result.scores[seat] === best).map((seat) => seat.name);
  const key = `ending.${result.ending}` as TextKey;
  const how = t(key) === key ? "" : t(key);
  return t(winners.length === 1 ? "ending.wins" : "ending.share", { names: listed(winners), how }).replace(/ +\.$/, ".");
}

export function missionSentence(mission: Mission, map: GameMap, seats: Pick<SeatInfo, "name">[]): string {
  switch (mission.kind) {
    case "continents": {
      const names = mission.continents.map((continent) => map.continents[continent]?.name ?? "?");
      if (mission.n_further > 0) names.push(t("count.continents", { n: mission.n_further }));
      return t("mission.hold", { list: listed(names) });
    }
    case "territories": {
      const territories = t("count.territories", { n: mission.n });
      return mission.armies > 1 ? t("mission.hold_strong", { territories, armies: armies(mission.armies) }) : t("mission.hold", { list: territories });
    }
    case "eliminate":
      return t("mission.eliminate", { name: seats[mission.player]?.name ?? t("mission.somebody") });
  }
}

/** A moment as the reader's clock and calendar show it; seconds since 1970 or a date in words. */
export function moment(value: string | number): string {
  const date = typeof value === "number" ? new Date(value < 1e11 ? value * 1000 : value) : new Date(/^\d+$/.test(value) ? Number(value) * 1000 : value);
  if (Number.isNaN(date.getTime())) return String(value);
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
