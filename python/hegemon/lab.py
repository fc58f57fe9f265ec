"""The lab: published tables and figures, run again.

>>> import tempfile, pathlib
>>> with tempfile.TemporaryDirectory() as folder:
...     store = pathlib.Path(folder) / "lab.db"
...     summary = run(["003-policies"], scale="smoke", store=store)
...     report(store, folder, scale="smoke")[0].name
'report.html'
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hegemon import _hegemon
from hegemon._hegemon import Game, Rules, experiments
from hegemon.runs import Progress

__all__ = ["LabSummary", "SolvedPosition", "experiments", "report", "run", "solved_positions"]

Cells = list[tuple[str, str]]
ComputedCell = tuple[int, tuple[str, float]]


@dataclass(frozen=True)
class LabSummary:
    """How many cells were there already, were computed now, and are missing still."""

    known: int
    done: int
    missing: int


def run(
    names: Sequence[str],
    *,
    scale: str = "quick",
    seed: int = 1,
    store: str | os.PathLike[str] = "lab.db",
    mix: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    compute: Callable[[Cells], Iterable[ComputedCell]] | None = None,
) -> LabSummary:
    """Run experiments by their names, or "all", as `hegemon lab run` does.

    An experiment consists of cells. Each is stored when it is done, and what is stored is not
    computed again. `compute(cells)` computes them elsewhere: it gets pairs of experiment and
    key, and gives numbers of that list with what `_hegemon.lab_cell` returns for them.
    """
    text = _hegemon.run_lab(
        Path(store),
        list(names),
        scale=scale,
        seed=seed,
        mix=mix,
        threads=threads,
        progress=progress,
        compute=compute,
    )
    return LabSummary(**json.loads(text))


def report(
    store: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    scale: str = "quick",
    seed: int = 1,
    mix: bool = False,
) -> list[Path]:
    """Write the report of what a store holds as HTML and Markdown; return the files."""
    return _hegemon.lab_report(Path(store), Path(out), scale=scale, seed=seed, mix=mix)


@dataclass(frozen=True)
class SolvedPosition:
    """A small ending of two players, with the exact worth of every move."""

    game: Game
    """Map and rules."""
    position: str
    """In the notation of positions."""
    value: float
    """The chance of the player to move to win, if both play perfectly."""
    moves: dict[str, float]
    """Every legal move with the chance to win after it."""


def solved_positions() -> list[SolvedPosition]:
    """Load the frozen set of solved endings, a benchmark of single decisions.

    >>> first = solved_positions()[0]
    >>> abs(max(first.moves.values()) - first.value) < 1e-8
    True
    """
    solved = []
    for endings in json.loads(_hegemon.solved_endings())["endings"]:
        game = Game(endings["map"], Rules.from_json(json.dumps(endings["rules"])), 2)
        for entry in endings["positions"]:
            moves = dict(entry["moves"])
            solved.append(SolvedPosition(game, entry["position"], entry["value"], moves))
    return solved
