"""Games as numbers: the actions and the observations of all environments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hegemon import _hegemon


@dataclass(frozen=True)
class Encoding:
    """The actions and observations of a game.

    A move is made in steps, each of which is one of `n_actions` actions. With T territories:

    | action | meaning |
    |---|---|
    | 0 | end the phase |
    | 1 + t | territory t: to claim, to place on, to make the capital, to attack or move from |
    | 1 + T + t | territory t as a target, or as the one that gets the bonus of a set |
    | 1 + 2 T + t | the card of territory t; t = T is a wild card |
    | 2 + 3 T + k | an amount, k below the most; a range of more than 16 is first narrowed to \
one of 16 parts |

    An amount with only one value is not asked for. Every legal move can be made in exactly one
    way.

    An observation has a row of numbers for every territory, then the numbers of the table.
    Players are counted from the one who looks, in turn order. Counts n are `ln(1 + n) / 4`.

    >>> import hegemon
    >>> encoding = Encoding.of(hegemon.Game("classic", "lux", players=3))
    >>> encoding.n_actions, encoding.size, encoding.edges.shape
    (144, 417, (2, 166))
    """

    game: _hegemon.Game
    n_actions: int
    n_territories: int
    node_names: tuple[str, ...]
    global_names: tuple[str, ...]
    edges: NDArray[np.int64]

    @staticmethod
    def of(game: _hegemon.Game) -> Encoding:
        """Give the encoding of a game."""
        n_actions, node_names, global_names, edges = _hegemon.encoding(game)
        return Encoding(
            game=game,
            n_actions=n_actions,
            n_territories=game.map.n_territories,
            node_names=tuple(node_names),
            global_names=tuple(global_names),
            edges=edges,
        )

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return self.n_territories * len(self.node_names) + len(self.global_names)

    def split(self, observations: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Give observations as a graph: rows of territories, and the vector of the table.

        Both are views of the same memory; leading dimensions are kept.
        """
        n_nodes = self.n_territories * len(self.node_names)
        lead = observations.shape[:-1]
        nodes = observations[..., :n_nodes].reshape(*lead, self.n_territories, len(self.node_names))
        return nodes, observations[..., n_nodes:]
