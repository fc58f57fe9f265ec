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
from hegemon._hegemon import experiments
from hegemon.runs import Progress

__all__ = ["LabSummary", "experiments", "report", "run"]

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
