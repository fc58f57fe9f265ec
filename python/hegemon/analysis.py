"""What a position and a move are worth: luck, skill, hints, campaigns, threat.

`docs/analysis.md` says what each number means.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hegemon import _hegemon
from hegemon.reports import html_table, text_table
from hegemon.runs import Progress


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


@dataclass(frozen=True)
class Luck:
    """What chance decided (dice, cards or deal), and the luck by seat in win chance."""

    kind: str
    by_seat: tuple[float, ...]


@dataclass(frozen=True)
class Skill:
    """How good a decision was: the win chance that it gave away, with its standard error.

    `mark` is inaccuracy, error, blunder, or None; `best` are the moves of the best candidate.
    """

    loss: float
    error: float
    chance: float
    mark: str | None
    done: str
    best: tuple[str, ...]
    best_words: str


@dataclass(frozen=True)
class Point:
    """The game after an event: what happened, and the chances to win by seat."""

    n_events: int
    round: int
    seat: int
    event: str
    words: str
    chances: tuple[float, ...]
    errors: tuple[float, ...] | None
    luck: Luck | None
    skill: Skill | None


@dataclass(frozen=True)
class PlayerTotals:
    """A player's game: result, luck, the result without luck, accuracy and marks."""

    seat: int
    player: str
    result: float
    dice_luck: float
    cards_luck: float
    deal_luck: float
    adjusted: float
    decisions: int
    loss: float
    loss_error: float
    accuracy: float | None
    inaccuracies: int
    errors: int
    blunders: int


@dataclass(frozen=True)
class Analysis:
    """A game analysed: luck and skill of every event, and totals by seat."""

    map: str
    players: tuple[str, ...]
    level: str
    seed: int
    n_decisions: int
    n_judged: int
    points: tuple[Point, ...] = field(repr=False)
    totals: tuple[PlayerTotals, ...]

    @staticmethod
    def from_json(text: str) -> Analysis:
        """Read an analysis, also one of `hegemon analyze --json`."""
        facts: dict[str, Any] = json.loads(text)
        return Analysis(
            **{
                **facts,
                "players": tuple(facts["players"]),
                "points": tuple(_point(point) for point in facts["points"]),
                "totals": tuple(
                    PlayerTotals(**{"accuracy": None, **totals}) for totals in facts["totals"]
                ),
            }
        )

    @property
    def mistakes(self) -> list[Point]:
        """The decisions with a mark, the worst first."""
        marked = [point for point in self.points if point.skill and point.skill.mark]
        return sorted(marked, key=lambda point: -point.skill.loss if point.skill else 0.0)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        head = ["player", "result", "dice", "cards", "deal", "adjusted", "accuracy"]
        rows = [
            [
                f"{of.seat} {of.player}",
                f"{100 * of.result:.0f}",
                _points(of.dice_luck),
                _points(of.cards_luck),
                _points(of.deal_luck),
                f"{100 * of.adjusted:.1f}",
                "" if of.accuracy is None else f"{100 * of.accuracy:.1f}",
                *(str(n) for n in (of.inaccuracies, of.errors, of.blunders)),
            ]
            for of in self.totals
        ]
        return [*head, "?!", "?", "??"], rows

    @property
    def caption(self) -> str:
        """What was judged, in a line."""
        return (
            f"luck in points of win chance; {self.n_judged} of {self.n_decisions} decisions "
            f"judged, level {self.level}, seed {self.seed}"
        )

    def __str__(self) -> str:
        """Show the table."""
        return f"{text_table(*self._cells())}\n{self.caption}"

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), self.caption)


def _point(facts: dict[str, Any]) -> Point:
    luck, skill, errors = facts.get("luck"), facts.get("skill"), facts.get("errors")
    if skill is not None:
        skill = Skill(**{"mark": None, **skill, "best": tuple(skill["best"])})
    return Point(
        **{
            **facts,
            "chances": tuple(facts["chances"]),
            "errors": None if errors is None else tuple(errors),
            "luck": None if luck is None else Luck(luck[0], tuple(luck[1])),
            "skill": skill,
        }
    )


def analyze(
    record: _hegemon.Record,
    *,
    level: str = "normal",
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Tell luck and skill of a recorded game apart, as `hegemon analyze` does.

    `level` is fast, normal or deep. The answer does not depend on the number of threads.

    >>> import hegemon
    >>> record = hegemon.play(["baseline", "random"], map="duel6", rules="sampling", seed=1)
    >>> found = hegemon.analyze(record, level="fast")
    >>> found.n_judged == found.n_decisions, abs(sum(of.dice_luck for of in found.totals)) < 1e-5
    (True, True)
    """
    text = _hegemon.analyze_record(
        record, level=level, seed=seed, threads=threads, progress=progress
    )
    return Analysis.from_json(text)


@dataclass(frozen=True)
class Plan:
    """A plan: what to do now, the chance to win with it, and why."""

    moves: tuple[str, ...]
    words: str
    chance: float
    error: float
    losses: float
    kills: float
    why: str


@dataclass(frozen=True)
class Hints:
    """The best plans of a decision, and the chances to win by seat."""

    seat: int
    chances: tuple[float, ...]
    errors: tuple[float, ...]
    plans: tuple[Plan, ...]

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        head = ["plan", "win %", "±", "losses", "kills", "why"]
        rows = [
            [
                plan.words,
                f"{100 * plan.chance:.1f}",
                f"{100 * plan.error:.1f}",
                f"{plan.losses:.1f}",
                f"{plan.kills:.1f}",
                plan.why,
            ]
            for plan in self.plans
        ]
        return head, rows

    def __str__(self) -> str:
        """Show the table."""
        return text_table(*self._cells())

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), f"seat {self.seat} decides")


def hint(state: _hegemon.State, *, level: str = "normal", plans: int = 3, seed: int = 1) -> Hints:
    """Find the best plans of a decision, as `hegemon hint` does.

    >>> import hegemon
    >>> game = hegemon.Game("triangle3", "lux", players=2)
    >>> state = hegemon.State(game, "board=a3b2b1 phase=attack player=0 round=3")
    >>> found = hegemon.hint(state, level="fast", plans=2)
    >>> state.is_legal(found.plans[0].moves[0]), len(found.chances)
    (True, 2)
    """
    facts = json.loads(_hegemon.hint_at(state, level=level, plans=plans, seed=seed))
    made = [Plan(**{**plan, "moves": tuple(plan["moves"])}) for plan in facts["plans"]]
    return Hints(
        seat=facts["seat"],
        chances=tuple(facts["chances"]),
        errors=tuple(facts["errors"]),
        plans=tuple(made),
    )


@dataclass(frozen=True)
class Conquest:
    """A step of a campaign: the chance that a territory falls, and what stays behind."""

    territory: int
    source: int
    defenders: int
    moves_on: bool
    garrison: int
    taken: float


@dataclass(frozen=True)
class CampaignOdds:
    """The odds of a campaign: the chance to take everything, and the best order.

    If not `is_exact`, the chance is a lower bound. `by_armies` has it for every size of the
    stack, from 0.
    """

    source: int
    armies: int
    chance: float
    is_exact: bool
    losses: float
    by_armies: tuple[float, ...] = field(repr=False)
    steps: tuple[Conquest, ...]


def campaign(
    state: _hegemon.State,
    take: str | int | Sequence[int | str],
    *,
    source: int | str | None = None,
    garrison: int = 1,
    armies: int | None = None,
    need: float | None = None,
) -> CampaignOdds:
    """Give the odds that one stack takes a continent, all of a seat, or a list of territories.

    The stack is the largest of the player to move, or that in `source`. With `need`, it has as
    many armies as that chance takes.

    >>> import hegemon
    >>> game = hegemon.Game("triangle3", "lux", players=2)
    >>> state = hegemon.State(game, "board=a9b2b1 phase=attack player=0 round=3")
    >>> found = hegemon.campaign(state, 1)
    >>> len(found.steps), found.is_exact, found.chance > 0.9
    (2, True, True)
    >>> hegemon.campaign(state, 1, need=0.5).armies < 9
    True
    """
    text = _hegemon.campaign_odds(
        state, take, source=source, garrison=garrison, armies=armies, need=need
    )
    facts = json.loads(text)
    steps = tuple(Conquest(**step) for step in facts["steps"])
    return CampaignOdds(**{**facts, "by_armies": tuple(facts["by_armies"]), "steps": steps})


@dataclass(frozen=True)
class Held:
    """The chance that a territory holds until its owner's next turn."""

    territory: int
    chance: float
    ci95: tuple[float, float]


def threat(
    state: _hegemon.State, *, seat: int | None = None, rollouts: int = 1000, seed: int = 1
) -> list[Held]:
    """Give the chance of each territory of a seat to hold until its next turn, by rollouts.

    The least safe come first; the seat is by default that of the player to move.

    >>> import hegemon
    >>> state = hegemon.Game("duel6", "sampling", players=2).deal(1)
    >>> held = hegemon.threat(state, rollouts=20)
    >>> len(held), held[0].chance <= held[-1].chance
    (3, True)
    """
    rows = _hegemon.threat_to(state, seat=seat, rollouts=rollouts, seed=seed)
    held = [Held(territory, chance, (low, high)) for territory, chance, low, high in rows]
    return sorted(held, key=lambda one: one.chance)
