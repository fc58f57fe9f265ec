// Events told as a story: rounds, turns, one line a battle.

import { armies, listed } from "../lib/format";
import { t } from "../lib/texts";
import { NOBODY, type Frame, type GameEvent, type GameMap, type Rules } from "../lib/wire";
import { parseTrade, WILD } from "./cards";
import { touched, type Touched } from "./notation";
import { noteText } from "./notes";

export type LineKind = "start" | "claim" | "place" | "trade" | "battle" | "elimination" | "continent" | "march" | "card" | "note";

export interface Line {
  /** The events that it tells, first and last. */
  first: number;
  last: number;
  kind: LineKind;
  text: string;
  /** Who acted. */
  seat: number | null;
  /** Others whom it concerns. */
  others: number[];
  /** What to show on the board. */
  places: Touched;
}

/** A turn, or the time before the first one. */
export interface Chapter {
  key: string;
  /** 0 before the first turn. */
  round: number;
  /** Whether a new round begins here. */
  opensRound: boolean;
  seat: number | null;
  lines: Line[];
}

export interface Cast {
  map: GameMap;
  rules: Pick<Rules, "cards">;
  seats: readonly { name: string }[];
}

interface Battle extends Touched {
  line: Line;
  attackers: number;
  defenders: number;
  losses: { attacker: number; defender: number };
  isWon: boolean;
}

const NOWHERE: Touched = { from: null, to: null };

export function story(events: readonly GameEvent[], cast: Cast): Chapter[] {
  return new Narrator(cast).tell(events);
}

class Narrator {
  private readonly chapters: Chapter[] = [];
  private before: Frame | null = null;
  private battle: Battle | null = null;
  private placed: { line: Line; at: Map<number, number> } | null = null;
  private dealt: Line | null = null;

  constructor(private readonly cast: Cast) {}

  tell(events: readonly GameEvent[]): Chapter[] {
    let last = 0;
    for (const event of events) {
      // What came between two events that do not follow each other is not known.
      if (event.seq !== last + 1) this.before = null;
      this.add(event);
      this.before = event.after;
      last = event.seq;
    }
    return this.chapters.filter(({ lines }) => lines.length > 0);
  }

  private add(event: GameEvent): unknown {
    const move = event.move ?? "";
    if (event.kind === "deal") return this.deal(event);
    if (event.kind === "card") return this.say(event, "card", t("log.card"));
    if (event.kind === "note") return this.say(event, "note", noteText(event.text));
    if (event.kind === "dice") return this.roll(event);
    switch (move[0]) {
      case "a":
        return this.engage(event);
      case "o":
        return this.extend(event);
      case "p":
        return this.place(event);
      case "t":
        return this.trade(event);
      case "f":
        return this.march(event);
      case "c":
        return this.say(event, "claim", t("log.claim", { place: this.nameOf(touched(move).to) }), touched(move));
      case "k":
        return this.say(event, "claim", t("log.capital", { place: this.nameOf(touched(move).to) }), touched(move));
    }
  }

  private readonly nameOf = (territory: number | null): string => (territory === null ? "" : (this.cast.map.territories[territory]?.name ?? ""));
  private readonly name = (seat: number): string => (seat < 0 ? t("board.neutral") : (this.cast.seats[seat]?.name ?? ""));

  private chapter(event: GameEvent): Chapter {
    const round = this.before?.round ?? event.after.round;
    const seat = round === 0 ? null : event.seat;
    const key = `${round}:${seat}`;
    const last = this.chapters.at(-1);
    if (last?.key === key) return last;
    const chapter = { key, round, opensRound: last?.round !== round, seat, lines: [] };
    this.chapters.push(chapter);
    return chapter;
  }

  private say(event: GameEvent, kind: LineKind, text: string, places: Touched = NOWHERE, others: number[] = []): Line {
    this.battle = this.placed = this.dealt = null;
    const line: Line = { first: event.seq, last: event.seq, kind, text, seat: event.seat, others, places };
    this.chapter(event).lines.push(line);
    return line;
  }

  private deal(event: GameEvent): void {
    // In a draft nothing has been dealt but the order of play.
    if (event.after.owners.every((owner) => owner === NOBODY)) return;
    if (this.dealt === null) {
      const line = this.say(event, "start", t("log.dealt"));
      line.seat = null;
      this.dealt = line;
    }
    this.dealt.last = event.seq;
  }

  private place(event: GameEvent): void {
    const match = /^p(\d+)x(\d+)/.exec(event.move ?? "");
    if (match === null) return;
    const [to, n] = [Number(match[1]), Number(match[2])];
    const isMore = this.placed !== null && this.placed.line.seat === event.seat;
    const { line, at } = isMore ? this.placed! : { line: this.say(event, "place", "", { from: null, to }), at: new Map<number, number>() };
    this.placed = { line, at };
    at.set(to, (at.get(to) ?? 0) + n);
    line.last = event.seq;
    line.text = t("log.place", { list: listed([...at].map(([place, count]) => t("log.place_one", { n: count, place: this.nameOf(place) }))) });
  }

  private trade(event: GameEvent): void {
    const trade = parseTrade(event.move ?? "");
    const cards = (trade?.cards ?? []).map((card) => (card === WILD ? t("log.wild") : this.nameOf(Number(card))));
    const worth = event.after.to_place - (this.before?.to_place ?? 0);
    const text = this.before === null || worth <= 0 ? t("log.trade_plain", { cards: listed(cards) }) : t("log.trade", { cards: listed(cards), armies: armies(worth) });
    this.say(event, "trade", text);
  }

  private march(event: GameEvent): void {
    const places = touched(event.move);
    const n = Number(/x(\d+)/.exec(event.move ?? "")?.[1] ?? 0);
    this.say(event, "march", t("log.march", { armies: armies(n), from: this.nameOf(places.from), to: this.nameOf(places.to) }), places);
  }

  private engage(event: GameEvent): void {
    const places = touched(event.move);
    const { battle } = this;
    if (battle !== null && battle.from === places.from && battle.to === places.to && battle.line.seat === event.seat) {
      battle.line.last = event.seq;
      return;
    }
    const frame = this.before ?? event.after;
    const [from, to] = [places.from ?? 0, places.to ?? 0];
    const owner = frame.owners[to] ?? -1;
    const line = this.say(event, "battle", "", places, [owner]);
    this.battle = { ...places, line, attackers: frame.armies[from] ?? 0, defenders: frame.armies[to] ?? 0, losses: { attacker: 0, defender: 0 }, isWon: false };
    this.describe(this.battle);
  }

  private roll(event: GameEvent): void {
    const { battle, before } = this;
    if (battle === null) return;
    battle.line.last = event.seq;
    battle.losses.attacker += event.losses?.attacker ?? 0;
    battle.losses.defender += event.losses?.defender ?? 0;
    battle.isWon = battle.to !== null && event.after.owners[battle.to] === event.seat;
    this.describe(battle);
    if (battle.isWon && before !== null) this.consequences(event, before, battle.to!);
  }

  private describe({ line, from, to, attackers, defenders, losses, isWon }: Battle): void {
    const values = { from: this.nameOf(from), to: this.nameOf(to), attackers, defenders, lost: losses.attacker, killed: losses.defender };
    const isBegun = losses.attacker + losses.defender > 0;
    line.text = t(isWon ? "log.beats" : isBegun ? "log.holds" : "log.attacks", values);
  }

  /** Continents and players that a conquest decides; they follow the battle, which a march may still extend. */
  private consequences(event: GameEvent, before: Frame, to: number): void {
    const { battle } = this;
    const loser = before.owners[to] ?? -1;
    const seat = event.seat ?? -1;
    const continent = this.cast.map.continents[this.cast.map.territories[to]?.continent ?? -1];
    const holds = (frame: Frame, owner: number): boolean => continent?.territories.every((place) => frame.owners[place] === owner) ?? false;
    const lost = holds(before, loser);
    if (lost) this.say(event, "continent", t("log.breaks", { name: this.name(loser), continent: continent!.name, bonus: continent!.bonus }), { from: null, to }, [loser]);
    if (holds(event.after, seat)) this.say(event, "continent", t("log.takes", { continent: continent!.name, bonus: continent!.bonus }), { from: null, to });
    if (loser >= 0 && !event.after.owners.includes(loser)) this.eliminate(event, before, loser, to);
    this.battle = battle;
  }

  private eliminate(event: GameEvent, before: Frame, loser: number, to: number): void {
    const cards = this.cast.rules.cards.capture ? (before.n_cards[loser] ?? 0) : 0;
    const text = cards > 0 ? t("log.eliminates_cards", { name: this.name(loser), n: cards }) : t("log.eliminates", { name: this.name(loser) });
    this.say(event, "elimination", text, { from: null, to }, [loser]);
  }

  /** The march into a conquered territory belongs to its battle. */
  private extend(event: GameEvent): void {
    if (this.battle !== null) this.battle.line.last = event.seq;
    this.battle = null;
  }
}

/** Events before the one told that its line may begin with. */
const TOLD = 40;

/** What happens at an event, with the name of who does it; empty for what is not worth a line. */
export function tellingOf(events: readonly GameEvent[], seq: number, cast: Cast): string {
  const upTo = events.findLastIndex((event) => event.seq <= seq) + 1;
  const line = story(events.slice(Math.max(0, upTo - TOLD), upTo), cast)
    .flatMap(({ lines }) => lines)
    .findLast(({ first, last }) => first <= seq && seq <= last);
  if (line === undefined) return "";
  return line.seat === null ? line.text : t("log.said", { name: cast.seats[line.seat]?.name ?? "", text: line.text });
}

/** The last event of the previous turn of these seats: what came after it happened while they were away. */
export function lastTurnOf(events: readonly GameEvent[], local: readonly number[]): number | null {
  const isOwn = (event: GameEvent): boolean => event.move !== null && event.seat !== null && local.includes(event.seat);
  let i = events.length - 1;
  // The turn that is being played here and now, if there is one.
  while (i >= 0 && (isOwn(events[i]!) || events[i]!.move === null)) i -= 1;
  while (i >= 0 && !isOwn(events[i]!)) i -= 1;
  return i >= 0 ? events[i]!.seq : null;
}

/** The chapters with only what concerns a seat. */
export function about(chapters: readonly Chapter[], seat: number): Chapter[] {
  const concerns = (line: Line): boolean => line.seat === seat || line.others.includes(seat);
  return chapters.map((chapter) => ({ ...chapter, lines: chapter.lines.filter(concerns) })).filter(({ lines }) => lines.length > 0);
}
