"""Training: the value of a draft, and the evolution of the beam agents."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hegemon import _hegemon
from hegemon.runs import Progress


def paper_game() -> _hegemon.Game:
    """Make the game of Gibson, Desai and Zhao 2010."""
    return _hegemon.Game("classic-lux", "draft", 3)


@dataclass(frozen=True)
class DraftTerms:
    """What the value of a draft is learned from; the defaults are the paper's.

    Random drafts are played out by one bot in all seats, and a regression finds what they
    are worth. With `hidden` units, a net is fitted as well. A `drafter` makes the drafts less
    random.
    """

    drafts: int = 7364
    games: int = 100
    bot: str = "quo"
    game: _hegemon.Game = field(default_factory=paper_game)
    drafter: str | None = None
    min_rows: int = 1
    hidden: int | None = None
    seed: int = 1


@dataclass(frozen=True)
class DraftReport:
    """How well the value of a draft was learned, on drafts held out."""

    bot: str
    drafts: int
    games: int
    complete: bool
    seed: int
    held_out_r2: float
    held_out_correlation: float
    net_r2: float | None
    best_r2: float
    seat_shares: tuple[float, ...]

    @staticmethod
    def from_json(text: str) -> DraftReport:
        """Read a report."""
        facts: dict[str, Any] = json.loads(text)
        return DraftReport(**{**facts, "seat_shares": tuple(facts["seat_shares"])})

    def __str__(self) -> str:
        """Show the report in a line."""
        net = "" if self.net_r2 is None else f", {self.net_r2:.4f} by the net"
        return (
            f"{self.drafts} drafts, {self.games} games of {self.bot}, seed {self.seed}: "
            f"R2 {self.held_out_r2:.4f} held out{net}, of {self.best_r2:.4f} possible"
        )


def train_draft(
    terms: DraftTerms,
    out: str | os.PathLike[str] | None = None,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    play_wave: Callable[[int, int], list[str]] | None = None,
) -> DraftReport:
    """Learn the value of a draft, as `hegemon train draft` does.

    The folder `out` gets `linear.toml`, which `quo(draft=uct(weights=...))` plays with, and a
    table and a figure of it. With a `checkpoint`, a stopped run goes on where it was.
    `play_wave(first, end)` plays drafts elsewhere, as `_hegemon.draft_lines` does.

    >>> import hegemon
    >>> terms = hegemon.DraftTerms(drafts=40, games=1, bot="random", seed=3)
    >>> hegemon.train_draft(terms).drafts
    40
    """
    text = _hegemon.train_draft(
        terms,
        None if out is None else Path(out),
        checkpoint=None if checkpoint is None else Path(checkpoint),
        threads=threads,
        progress=progress,
        play_wave=play_wave,
    )
    return DraftReport.from_json(text)


@dataclass(frozen=True)
class BeamTerms:
    """How the 29 characteristics of the beam agents evolve; the defaults are the paper's.

    `method` is "beam" or "cma-es". The champion plays `measure_games` against three start
    agents every `measure_every` generations, and `final_games` at the end; the last survivors
    play `playoff_games` each.
    """

    population: int = 256
    generations: int = 1500
    method: str = "beam"
    seed: int = 1
    measure_every: int = 10
    measure_games: int = 400
    playoff_games: int = 400
    final_games: int = 4000


@dataclass(frozen=True)
class BeamReport:
    """What evolution found: the champion, and its share against three start agents."""

    games: int
    share: float
    margin: float
    seed: int
    champion: tuple[float, ...] = field(repr=False)

    @staticmethod
    def from_json(text: str) -> BeamReport:
        """Read a report."""
        facts: dict[str, Any] = json.loads(text)
        return BeamReport(**{**facts, "champion": tuple(facts["champion"])})

    def __str__(self) -> str:
        """Show the report in a line."""
        return (
            f"{self.games} games, seed {self.seed}: the champion wins {100 * self.share:.1f} % "
            f"+- {100 * self.margin:.1f} against three start agents (level is 25 %)"
        )


BeamGame = tuple[int, list[int]]
PlayBeamGames = Callable[[list[list[float]], list[BeamGame]], list[list[float]]]


def train_beam(
    terms: BeamTerms,
    out: str | os.PathLike[str],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    play_wave: PlayBeamGames | None = None,
) -> BeamReport:
    """Evolve the beam agents in a folder, as `hegemon train beam` does.

    Every generation is kept there, so that a stopped run goes on where it was. In the end
    it has `weights.toml`, which `beam(weights=...)` plays with, curves and findings.
    `play_wave(agents, games)` plays games elsewhere, as `_hegemon.play_beam_games` does.

    >>> import hegemon, tempfile
    >>> terms = hegemon.BeamTerms(population=4, generations=1, measure_games=1,
    ...                           playoff_games=1, final_games=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(hegemon.train_beam(terms, folder).champion)
    29
    """
    text = _hegemon.train_beam(
        terms, Path(out), threads=threads, progress=progress, play_wave=play_wave
    )
    return BeamReport.from_json(text)
