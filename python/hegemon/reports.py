"""Reports of matches, tests and pools, with tables for terminals and notebooks."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from typing import Any


def text_table(head: list[str], rows: list[list[str]]) -> str:
    """Make a table for a terminal."""
    widths = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]

    def line(row: list[str]) -> str:
        first, *others = zip(row, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        return "  ".join(cells).rstrip()

    return "\n".join(line(row) for row in [head, *rows])


def html_table(head: list[str], rows: list[list[str]], caption: str) -> str:
    """Make a table for a notebook."""

    def line(row: list[str], tag: str) -> str:
        return "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row)

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead><tr>{line(head, 'th')}</tr></thead><tbody>{body}</tbody></table>"
    )


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f} %"


def _interval(ends: tuple[float, float] | None, factor: float = 100) -> str:
    return "" if ends is None else f"{factor * ends[0]:.2f}-{factor * ends[1]:.2f}"


def _pair(ends: list[float] | None) -> tuple[float, float] | None:
    return None if ends is None else (ends[0], ends[1])


@dataclass(frozen=True)
class PlayerResult:
    """Results of one player in a match."""

    spec: str
    wins: float
    share: float
    ci95: tuple[float, float]
    adjusted_share: float | None
    adjusted_ci95: tuple[float, float] | None
    mean_place: float
    share_by_seat: tuple[float, ...]
    forfeits: int


@dataclass(frozen=True)
class MatchReport:
    """The result of a match."""

    program: str
    map: str
    seed: int
    games: int
    blocks: int
    players: tuple[PlayerResult, ...]
    endings: dict[str, int]
    mean_rounds: float
    adjustment_factor: float | None
    text: str = field(repr=False, compare=True)

    @staticmethod
    def from_json(text: str) -> MatchReport:
        """Read a report."""
        facts: dict[str, Any] = json.loads(text)
        players = tuple(
            PlayerResult(
                **{
                    **player,
                    "ci95": _pair(player["ci95"]),
                    "adjusted_ci95": _pair(player["adjusted_ci95"]),
                    "share_by_seat": tuple(player["share_by_seat"]),
                }
            )
            for player in facts.pop("players")
        )
        return MatchReport(players=players, text=text, **facts)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        head = ["player", "wins", "share", "95 %", "adjusted", "95 %", "place"]
        rows = [
            [
                player.spec,
                f"{player.wins:g}",
                _percent(player.share),
                _interval(player.ci95),
                _percent(player.adjusted_share),
                _interval(player.adjusted_ci95),
                f"{player.mean_place:.2f}",
            ]
            for player in self.players
        ]
        return head, rows

    @property
    def caption(self) -> str:
        """What was played, in a line."""
        return f"{self.games} games in {self.blocks} blocks, seed {self.seed}, map {self.map}"

    def __str__(self) -> str:
        """Show the table."""
        return f"{text_table(*self._cells())}\n{self.caption}"

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), self.caption)


@dataclass(frozen=True)
class SprtReport:
    """The result of a sequential test: `verdict` is a-better, a-not-better or undecided."""

    a: str
    b: str
    verdict: str
    games: int
    blocks: int
    llr: float
    lower: float
    upper: float
    elo0: float
    elo1: float
    elo: float | None
    elo_ci95: tuple[float, float] | None
    nelo: float | None
    los: float | None
    share_a: float
    share_b: float
    seed: int
    program: str

    @staticmethod
    def from_json(text: str) -> SprtReport:
        """Read a report."""
        facts: dict[str, Any] = json.loads(text)
        facts["elo_ci95"] = _pair(facts["elo_ci95"])
        return SprtReport(**facts)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        head = ["A", "B", "verdict", "LLR", "bounds", "A won", "B won", "games"]
        bounds = f"{self.lower:.2f} {self.upper:.2f}"
        shares = [_percent(self.share_a), _percent(self.share_b)]
        return head, [
            [self.a, self.b, self.verdict, f"{self.llr:.2f}", bounds, *shares, str(self.games)]
        ]

    def __str__(self) -> str:
        """Show the table."""
        return text_table(*self._cells())

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), f"{self.games} games, seed {self.seed}")


@dataclass(frozen=True)
class RatedBot:
    """A bot of a pool."""

    spec: str
    title: str
    """What tables call it: a program by the name and version that it stated."""
    games: int
    share: float
    mean_place: float
    forfeits: int
    elo: float
    elo_ci95: tuple[float, float]
    glicko: float
    deviation: float


@dataclass(frozen=True)
class Standing:
    """The bots of a pool, the best first."""

    games: int
    rows: tuple[RatedBot, ...]
    endings: dict[str, int]
    programs: tuple[str, ...]
    superiority: tuple[tuple[float, ...], ...] = field(repr=False)

    @staticmethod
    def from_json(text: str) -> Standing:
        """Read a standing."""
        facts: dict[str, Any] = json.loads(text)
        rows = tuple(
            RatedBot(**{**row, "elo_ci95": (row["elo_ci95"][0], row["elo_ci95"][1])})
            for row in facts["rows"]
        )
        return Standing(
            games=facts["games"],
            rows=rows,
            endings=facts["endings"],
            programs=tuple(facts["programs"]),
            superiority=tuple(tuple(row) for row in facts["superiority"]),
        )

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        head = ["bot", "Elo", "95 %", "share", "games"]
        rows = [
            [
                row.spec,
                f"{row.elo:.1f}",
                f"{row.elo_ci95[0]:.1f} to {row.elo_ci95[1]:.1f}",
                _percent(row.share),
                str(row.games),
            ]
            for row in self.rows
        ]
        return head, rows

    def __str__(self) -> str:
        """Show the table."""
        return text_table(*self._cells())

    def _repr_html_(self) -> str:
        return html_table(*self._cells(), f"{self.games} games")


@dataclass(frozen=True)
class Rating:
    """A rating with its 95 % interval."""

    elo: float
    ci95: tuple[float, float]
