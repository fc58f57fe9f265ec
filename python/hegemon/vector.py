"""Many games at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from hegemon import _hegemon
from hegemon.encoding import Encoding
from hegemon.runs import as_list, make_game


def _whole(values: Any, dtype: type[np.integer[Any]], what: str) -> NDArray[Any]:
    """Give whole numbers as a row in memory; others are refused, not rounded."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise _hegemon.HegemonError(
            f"{what} are a row of whole numbers, not {array.dtype} of shape {array.shape}"
        )
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    fits = array.dtype == dtype or not array.size
    if not fits and not least <= int(array.min()) <= int(array.max()) <= most:
        raise _hegemon.HegemonError(f"{what} are numbers from {least} to {most}")
    return np.ascontiguousarray(array, dtype=dtype)


class VecEnv:
    """Thousands of games that take a step each in one call, on Rust threads.

    The arrays are made once and written in place by every call: copy what you keep. They are
    plain memory, so `torch.from_numpy(env.observations)` or `jax.dlpack` share it. A game that
    is over is dealt anew at once: `dones` and `rewards` tell of the old game,
    `final_observations` shows its end, and all else is of the new one.

    Without `opponents` every seat is asked (self-play), and `seats` says whose step it is.
    With them, only one seat of each game is asked, another one in every episode, and the
    registry's bots play the others.

    `threads` is taken as it is given; without it, small batches have one.

    >>> import hegemon
    >>> env = hegemon.VecEnv(8, rules="sampling", seed=1)
    >>> observations, masks, rewards, dones = env.step(env.sample())
    >>> observations.shape, masks.shape, bool(dones.any())
    ((8, 369), (8, 144), False)
    """

    def __init__(
        self,
        n: int,
        *,
        map: _hegemon.Map | str = "classic",
        rules: _hegemon.Rules | str = "classic",
        players: int | None = None,
        opponents: Sequence[str | _hegemon.Bot] = (),
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        rivals = as_list(opponents)
        if players is None and rivals:
            players = len(rivals) + 1
        self.game = make_game(map, rules, players)
        self.encoding = Encoding.of(self.game)
        self._batch = _hegemon.Batch(n, self.game, opponents=rivals, seed=seed, threads=threads)
        self.n = n
        self.n_actions = self.encoding.n_actions
        self.observations = self._batch.observations
        self.final_observations = self._batch.final_observations
        self.masks = self._batch.masks
        self.seats = self._batch.seats
        self.rewards = self._batch.rewards
        self.utilities = self._batch.utilities
        self.dones = self._batch.dones
        self.seeds = self._batch.seeds
        self.nodes, self.globals = self.encoding.split(self.observations)

    def reset(
        self, *, seed: int = 0, seeds: NDArray[np.uint64] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Deal all games anew, from one seed for all or one for each.

        The game with a seed of its own is that of `hegemon.env().reset(seed)`.
        """
        own = None if seeds is None else _whole(seeds, np.uint64, "seeds")
        self._batch.reset(seed=seed, seeds=own)
        return self.observations, self.masks

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32], NDArray[np.bool_]]:
        """Take a step in every game; if one of them is not legal, in none.

        Gives observations, masks, rewards of the seats that took the steps, and which games
        ended. A reward is 0 until the end, then 1 for the only winner and -1 / (players - 1)
        for all others; `utilities` has it for every seat.
        """
        self._batch.step(_whole(actions, np.int64, "actions"))
        return self.observations, self.masks, self.rewards, self.dones

    def sample(self) -> NDArray[np.int64]:
        """Draw a legal action for every game, each equally likely."""
        return self._batch.sample()

    def state(self, number: int) -> _hegemon.State:
        """Copy the state of one of the games."""
        return self._batch.state(number)

    def __len__(self) -> int:
        """Give the number of games."""
        return self.n

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled or copied: its arrays are the memory of running games."""
        raise TypeError(
            "a VecEnv cannot be pickled or copied: make one in each process, with a seed of its own"
        )

    def __repr__(self) -> str:
        """Show the size and the game."""
        return f"VecEnv({self.n}, {self.game!r})"
