"""Data sets: games as tables, one row for each phase of each turn."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hegemon import _hegemon
from hegemon.runs import Bots, make_game


def dataset(
    path: str | os.PathLike[str],
    bots: Bots,
    *,
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    games: int = 500,
    seed: int = 1,
    threads: int = 2,
) -> int:
    """Play games and write their rows to a CSV file; return how many there are.

    `docs/dataset.md` has the columns. The file is the same as that of
    `hegemon dataset play` with the same arguments.

    >>> import hegemon, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "games.csv")
    ...     n_rows = hegemon.dataset(path, ["baseline", "random"], rules="sampling", games=2)
    ...     table = hegemon.read_dataset(path)
    >>> len(table["round"]) == n_rows
    True
    """
    game = make_game(map, rules, len(bots))
    return _hegemon.write_dataset(
        Path(path), game, list(bots), games=games, seed=seed, threads=threads
    )


def read_dataset(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a data set: NumPy arrays of numbers and lists of texts by column."""
    return _hegemon.read_dataset(Path(path))


def join(path: str | os.PathLike[str], parts: Sequence[str | os.PathLike[str]]) -> int:
    """Write the rows of several data sets into one, in order; return how many there are."""
    return _hegemon.join_datasets(Path(path), [Path(part) for part in parts])
