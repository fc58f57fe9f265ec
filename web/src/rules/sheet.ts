// The rules of a game in sentences, made from their value.

import { armies, listed } from "../lib/format";
import { t } from "../lib/texts";
import type { GameMap, Rules } from "../lib/wire";

export interface Section {
  title: string;
  lines: string[];
}

/** Worth of the next sets; empty where it depends on the kind of set, or there are no cards. */
export function nextSets(scheme: Rules["cards"]["scheme"], nTraded: number, count: number): number[] {
  const numbers = Array.from({ length: count }, (_, i) => nTraded + i);
  if (typeof scheme !== "object") return [];
  if ("step" in scheme) return numbers.map((n) => scheme.step.first + scheme.step.step * n);
  if (!("progressive" in scheme)) return [];
  const { values, step } = scheme.progressive;
  const last = values.at(-1) ?? 0;
  return numbers.map((n) => values[n] ?? last + step * (n - values.length + 1));
}

/** The rules by subject. `nTraded` sets were traded so far. */
export function rulesSheet(rules: Rules, map: GameMap, nTraded: number): Section[] {
  return [
    { title: t("rules.goal"), lines: goal(rules) },
    { title: t("rules.income"), lines: income(rules, map) },
    { title: t("rules.cards"), lines: cards(rules, nTraded) },
    { title: t("rules.battle"), lines: battle(rules) },
    { title: t("rules.fortify"), lines: [fortify(rules)] },
  ];
}

function goal({ victory, end }: Rules): string[] {
  const won =
    victory === "conquest" ? t("rules.win_conquest") : victory === "missions" ? t("rules.win_missions") : t("rules.win_capitals", { n: victory.capitals.hold });
  const judges = listed(end["tie-breaks"].map((judge) => t(`rules.by_${judge}`)));
  const limit = end["turn-limit"];
  const lead = end["early-stop"]?.lead;
  return [
    won,
    ...(limit === undefined ? [] : [judges === "" ? t("rules.limit_shared", { n: limit }) : t("rules.limit", { n: limit, judges })]),
    ...(lead === undefined ? [] : [t("rules.early_stop", { n: lead })]),
  ];
}

function income({ income: { divisor, minimum, growth } }: Rules, map: GameMap): string[] {
  const bonuses = [...map.continents].sort((a, b) => b.bonus - a.bonus).map(({ name, bonus }) => `${name} +${bonus}`);
  return [
    t("rules.land", { n: divisor, armies: armies(minimum) }),
    t("rules.continents", { list: bonuses.join(", ") }),
    ...(growth === 0 ? [] : [t("rules.growth", { n: growth })]),
  ];
}

function cards({ cards: rule }: Rules, nTraded: number): string[] {
  const { scheme } = rule;
  if (scheme === "off") return [t("rules.no_cards")];
  const worth =
    typeof scheme === "object" && "fixed" in scheme
      ? t("rules.sets_fixed", { infantry: scheme.fixed[0], cavalry: scheme.fixed[1], artillery: scheme.fixed[2], mixed: scheme.fixed[3] })
      : t("rules.sets_next", { list: nextSets(scheme, nTraded, 5).join(", ") });
  const bonus = rule["territory-bonus"];
  return [
    t("rules.card"),
    t("rules.set"),
    worth,
    ...(bonus === 0 ? [] : [t(rule["bonus-once"] ? "rules.bonus_once" : "rules.bonus_each", { armies: armies(bonus) })]),
    t("rules.forced", { n: rule["forced-from"] }),
    ...(rule.capture ? [t("rules.capture")] : []),
  ];
}

function battle({ battle: { attack, dice, occupy } }: Rules): string[] {
  return [
    t("rules.dice", { attacker: dice["attacker-max"], defender: dice["defender-max"] }),
    t(dice["ties-to-attacker"] ? "rules.ties_attacker" : "rules.ties_defender"),
    ...(dice["defender-second-from"] > 2 ? [t("rules.second_from", { n: dice["defender-second-from"] })] : []),
    t(`rules.attack_${attack}`),
    t(occupy === "one" ? "rules.occupy_one" : "rules.occupy_dice"),
  ];
}

const fortify = (rules: Rules): string => t(`rules.fortify_${rules.fortify}`);
