"""A draft evaluator from a data set: who wins, from what the deal or the draft left behind.

Plays games, takes the first row of each (the position before the first turn), and fits a
logistic regression with scikit-learn. Prints how often it names the winner of games that it
has not seen, next to guessing.

Example: python python/examples/draft_evaluator.py --games 2000
         python python/examples/draft_evaluator.py --small
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hegemon

BOTS = ["quo", "killbot", "boscoe"]


def first_rows(table: dict[str, Any]) -> NDArray[np.int64]:
    """Give the number of the first row of every game."""
    _, first = np.unique(table["game"], return_index=True)
    return np.asarray(first, np.int64)


def inputs(table: dict[str, Any], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give all numbers of the positions before the first turn; the mover is player 0."""
    names = sorted(name for name in table if name.startswith("before_"))
    return np.column_stack([table[name][rows] for name in names])


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="few games, for a quick look")
    arguments = parser.parse_args()
    games = 120 if arguments.small else arguments.games
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        hegemon.dataset(
            path, BOTS, map="classic-lux", rules="draft", games=games, seed=arguments.seed
        )
        table = hegemon.read_dataset(path)
    rows = first_rows(table)
    # A deal is played in six seat orders: all of them are on the same side of the cut.
    deals = np.unique(table["deal_seed"][rows])
    known = np.isin(table["deal_seed"][rows], deals[: len(deals) * 3 // 4])
    numbers, won = inputs(table, rows), table["p0_score"][rows] > 0.5
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000))
    model.fit(numbers[known], won[known])
    right = float(model.score(numbers[~known], won[~known]))
    guess = max(float(won[~known].mean()), 1 - float(won[~known].mean()))
    n = int((~known).sum())
    half = 1.96 * float(np.sqrt(right * (1 - right) / n))
    print(f"{len(rows)} games of {', '.join(BOTS)}, seed {arguments.seed}; {n} not seen")
    print(f"says rightly whether the first player wins: {100 * right:.1f} % (+- {100 * half:.1f})")
    print(f"always the same answer: {100 * guess:.1f} %")


if __name__ == "__main__":
    main()
