"""Matches, arenas, data sets, training and the lab, cut into blocks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hegemon import _hegemon
from hegemon.cluster.tasks import Progress, Tasks, show
from hegemon.datasets import join
from hegemon.lab import Cells, ComputedCell, LabSummary
from hegemon.lab import run as run_lab
from hegemon.reports import MatchReport, Standing
from hegemon.training import BeamGame, BeamReport, BeamTerms, DraftReport, DraftTerms
from hegemon.training import train_beam as evolve
from hegemon.training import train_draft as learn

# By default a run is cut into about this many tasks.
N_TASKS = 400


@dataclass(frozen=True)
class Part:
    """Some blocks of a match or a data set."""

    game: _hegemon.Game
    bots: tuple[str, ...]
    games: int
    seed: int
    first: int
    end: int


def cut(
    game: _hegemon.Game, bots: Sequence[str], games: int, seed: int, chunk: int | None = None
) -> list[Part]:
    """Cut a match into parts of `chunk` blocks."""
    n_blocks, _ = _hegemon.match_size(len(bots), games)
    size = max(1, n_blocks // N_TASKS) if chunk is None else max(1, chunk)
    return [
        Part(game, tuple(bots), games, seed, first, min(first + size, n_blocks))
        for first in range(0, n_blocks, size)
    ]


def play_part(part: Part) -> str:
    """Play some blocks of a match."""
    return _hegemon.match_part(
        part.game,
        part.bots,
        games=part.games,
        seed=part.seed,
        first=part.first,
        end=part.end,
    )


def match(
    tasks: Tasks,
    game: _hegemon.Game,
    bots: Sequence[str],
    *,
    games: int,
    seed: int = 1,
    chunk: int | None = None,
    progress: Progress | None = show,
) -> MatchReport:
    """Play a match; the report is equal to that of `hegemon.match`."""
    parts = tasks.run(play_part, cut(game, bots, games, seed, chunk), progress)
    return MatchReport.from_json(_hegemon.merge_match(parts))


def write_part(part: Part) -> bytes:
    """Play some blocks of a data set and give its rows as a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.csv"
        _hegemon.write_dataset(
            path,
            part.game,
            part.bots,
            games=part.games,
            seed=part.seed,
            blocks=(part.first, part.end),
        )
        return path.read_bytes()


def dataset(
    tasks: Tasks,
    path: str | os.PathLike[str],
    game: _hegemon.Game,
    bots: Sequence[str],
    *,
    games: int,
    seed: int = 1,
    chunk: int | None = None,
    progress: Progress | None = show,
) -> int:
    """Write a data set; the file is equal to that of `hegemon.dataset`. Give its rows."""
    parts = tasks.run(write_part, cut(game, bots, games, seed, chunk), progress)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.csv" for number in range(len(parts))]
        for file, part in zip(files, parts, strict=True):
            file.write_bytes(part)
        return join(path, files)


@dataclass(frozen=True)
class Wave:
    """Some blocks of a wave of an arena."""

    game: _hegemon.Game
    jobs: tuple[str, ...]


def play_some(wave: Wave) -> list[str]:
    """Play some blocks of a wave."""
    return _hegemon.play_jobs(wave.game, wave.jobs)


def arena(
    tasks: Tasks,
    path: str | os.PathLike[str],
    game: _hegemon.Game,
    bots: Sequence[str],
    *,
    games: int,
    seed: int = 1,
    floor: int = 0,
    chunk: int = 4,
    progress: Progress | None = show,
) -> Standing:
    """Play a pool until its file has this many games; the file is that of `hegemon.pool`.

    The file is on this machine; an interrupted run goes on where it was.
    """

    def play_wave(jobs: list[str]) -> list[str]:
        waves = [Wave(game, tuple(jobs[n : n + chunk])) for n in range(0, len(jobs), chunk)]
        return [block for blocks in tasks.run(play_some, waves, None) for block in blocks]

    text = _hegemon.run_pool(
        Path(path),
        game,
        list(bots),
        games=games,
        seed=seed,
        floor=floor,
        progress=progress,
        play_wave=play_wave,
    )
    return Standing.from_json(text)


@dataclass(frozen=True)
class Drafts:
    """Some drafts of a training."""

    terms: DraftTerms
    first: int
    end: int


def play_drafts(drafts: Drafts) -> list[str]:
    """Play some drafts."""
    return _hegemon.draft_lines(drafts.terms, drafts.first, drafts.end)


def train_draft(
    tasks: Tasks,
    terms: DraftTerms,
    out: str | os.PathLike[str] | None = None,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    chunk: int = 8,
    progress: Progress | None = show,
) -> DraftReport:
    """Learn the value of a draft; report and files are those of `hegemon.train_draft`.

    The files are on this machine; a run with a checkpoint goes on where it was.
    """

    def play_wave(first: int, end: int) -> list[str]:
        parts = [Drafts(terms, n, min(n + chunk, end)) for n in range(first, end, chunk)]
        return [line for lines in tasks.run(play_drafts, parts, None) for line in lines]

    return learn(terms, out, checkpoint=checkpoint, progress=progress, play_wave=play_wave)


@dataclass(frozen=True)
class BeamGames:
    """Some games of beam agents, with the agents that play them."""

    agents: list[list[float]]
    games: list[BeamGame]

    @staticmethod
    def of(agents: list[list[float]], games: list[BeamGame]) -> BeamGames:
        """Leave out the agents that do not play."""
        players = sorted({player for _, seats in games for player in seats})
        number = {player: n for n, player in enumerate(players)}
        renumbered = [(seed, [number[player] for player in seats]) for seed, seats in games]
        return BeamGames([agents[player] for player in players], renumbered)


def play_games(part: BeamGames) -> list[list[float]]:
    """Play some games of beam agents."""
    return _hegemon.play_beam_games(part.agents, part.games)


def train_beam(
    tasks: Tasks,
    terms: BeamTerms,
    out: str | os.PathLike[str],
    *,
    chunk: int = 16,
    progress: Progress | None = show,
) -> BeamReport:
    """Evolve the beam agents; report and files are those of `hegemon.train_beam`.

    The folder is on this machine; an interrupted run goes on where it was.
    """

    def play_wave(agents: list[list[float]], games: list[BeamGame]) -> list[list[float]]:
        parts = [BeamGames.of(agents, games[n : n + chunk]) for n in range(0, len(games), chunk)]
        return [score for scores in tasks.run(play_games, parts, None) for score in scores]

    return evolve(terms, out, progress=progress, play_wave=play_wave)


@dataclass(frozen=True)
class Cell:
    """A cell of the lab."""

    experiment: str
    key: str
    scale: str
    seed: int


def compute_cell(cell: Cell) -> tuple[str, float]:
    """Compute a cell."""
    return _hegemon.lab_cell(cell.experiment, cell.key, cell.scale, cell.seed)


def lab(
    tasks: Tasks,
    names: Sequence[str],
    *,
    scale: str = "quick",
    seed: int = 1,
    store: str | os.PathLike[str] = "lab.db",
    mix: bool = False,
    progress: Progress | None = show,
) -> LabSummary:
    """Run experiments; the cells in the store are those of `hegemon.lab.run`.

    The store is on this machine; an interrupted run goes on where it was.
    """

    def compute(cells: Cells) -> Iterator[ComputedCell]:
        return tasks.each(compute_cell, [Cell(name, key, scale, seed) for name, key in cells])

    return run_lab(
        names, scale=scale, seed=seed, store=store, mix=mix, progress=progress, compute=compute
    )
