"""The Gymnasium environments: one learner, and many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from hegemon import _hegemon
from hegemon.encoding import Encoding
from hegemon.runs import as_list
from hegemon.vector import VecEnv

# Above every number of an observation: rounds are capped by the rules.
HIGHEST = 1e6

Info = dict[str, Any]


def _spaces(encoding: Encoding) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Discrete]:
    box = gymnasium.spaces.Box(0.0, HIGHEST, (encoding.size,), np.float32)
    return box, gymnasium.spaces.Discrete(encoding.n_actions)


class HegemonGymEnv(gymnasium.Env):  # type: ignore[misc]
    """One learner against bots. `info["action_mask"]` and `action_masks()` say what is legal."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        map: _hegemon.Map | str = "classic",
        rules: _hegemon.Rules | str = "classic",
        *,
        opponents: Sequence[str | _hegemon.Bot] = ("random",),
        seat: int = 0,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ("lose", "raise"):
            raise _hegemon.HegemonError(f'illegal is "lose" or "raise", not "{illegal}"')
        seats: list[str | _hegemon.Bot | None] = as_list(opponents)
        self.game = _hegemon.Game(map, rules, len(seats) + 1)
        if not 0 <= seat < self.game.players:
            raise _hegemon.HegemonError(f"there is no seat {seat} in a game of {self.game.players}")
        self.encoding = Encoding.of(self.game)
        self.seat = seat
        self.illegal = illegal
        self.render_mode = render_mode
        seats.insert(seat, None)
        self._episode = _hegemon.Episode(self.game, seats, 0)
        self.observation_space, self.action_space = _spaces(self.encoding)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        """Deal a new game; the same seed deals and rolls the same."""
        super().reset(seed=seed, options=options)
        while True:
            game_seed = int(self.np_random.integers(2**63)) if seed is None else seed
            self._episode.reset(game_seed)
            if not self._episode.is_over:
                return self._observe(), self._info()
            # A learner that is out before it is asked has nothing to learn.
            seed = None

    def _observe(self) -> NDArray[np.float32]:
        return self._episode.observe(self.seat)

    def action_masks(self) -> NDArray[np.bool_]:
        """Say which actions are legal."""
        return self._episode.mask()

    def _info(self) -> Info:
        return {"action_mask": self.action_masks().view(np.int8)}

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        """Take a step; chance and the bots act until the learner is asked again."""
        try:
            self._episode.step(int(action))
        except _hegemon.IllegalMoveError:
            if self.illegal == "raise":
                raise
            return self._observe(), -1.0, True, False, {**self._info(), "illegal": True}
        reward = self._episode.utilities()[self.seat]
        return self._observe(), reward, self._episode.is_over, False, self._info()

    def render(self) -> str | None:
        """Show the state as text, or as a picture."""
        if self.render_mode == "svg":
            return self._episode.state._repr_svg_()
        return repr(self._episode.state) if self.render_mode == "ansi" else None


class HegemonVectorEnv(VectorEnv):  # type: ignore[misc]
    """Many learners at once: Gymnasium's vector interface to `hegemon.VecEnv`.

    Observations and masks are the arrays of the batch, which the next step writes over.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int,
        map: _hegemon.Map | str = "classic",
        rules: _hegemon.Rules | str = "classic",
        *,
        opponents: Sequence[str | _hegemon.Bot] = ("random",),
        threads: int | None = None,
    ) -> None:
        self.batch = VecEnv(num_envs, map=map, rules=rules, opponents=opponents, threads=threads)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = _spaces(self.batch.encoding)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._truncated = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], Info]:
        """Deal all games anew, from one seed for all or one for each."""
        if seed is None or isinstance(seed, int | np.integer):
            super().reset(seed=seed, options=options)
            new = int(self.np_random.integers(2**63)) if seed is None else int(seed)
            self.batch.reset(seed=new)
        else:
            drawn = self.np_random.integers(2**63, size=len(seed)).tolist()
            own = [new if given is None else given for given, new in zip(seed, drawn, strict=True)]
            self.batch.reset(seeds=np.array(own))
        return self.batch.observations, self._info()

    def _info(self) -> Info:
        return {"action_mask": self.batch.masks.view(np.int8)}

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info
    ]:
        """Take a step in every game."""
        observations, _, rewards, dones = self.batch.step(np.asarray(actions))
        info = self._info()
        if dones.any():
            info["final_obs"] = self.batch.final_observations
            info["_final_obs"] = dones
        return observations, rewards, dones, self._truncated, info


gymnasium.register("Hegemon-v0", entry_point=HegemonGymEnv, vector_entry_point=HegemonVectorEnv)
