"""The PettingZoo environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from hegemon import _hegemon
from hegemon.encoding import Encoding
from hegemon.gymnasium_env import HIGHEST

Observation = dict[str, Any]


class HegemonAECEnv(AECEnv):  # type: ignore[misc]
    """Risk for 2 to 6 agents, one step of a move at a time.

    All agents stay until the game is over; one who is eliminated is not asked again.
    """

    metadata = {  # noqa: RUF012
        "name": "hegemon_v0",
        "render_modes": ["ansi", "svg"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        map: _hegemon.Map | str,
        rules: _hegemon.Rules | str,
        players: int | None,
        *,
        bots: Mapping[int, str | _hegemon.Bot],
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = _hegemon.Game(map, rules, players)
        self.encoding = Encoding.of(self.game)
        self.render_mode = render_mode
        n_players = self.game.players
        if not all(0 <= seat < n_players for seat in bots):
            raise _hegemon.HegemonError(f"the seats of bots are 0 to {n_players - 1}")
        self._seats = [bots.get(seat) for seat in range(n_players)]
        self.possible_agents = [
            f"player_{seat}" for seat, bot in enumerate(self._seats) if bot is None
        ]
        if not self.possible_agents:
            raise _hegemon.HegemonError("bots in all seats leave no agent")
        self._seat_of = {agent: int(agent.split("_")[1]) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self._episode = _hegemon.Episode(self.game, self._seats, 0)
        box = gymnasium.spaces.Box(0.0, HIGHEST, (self.encoding.size,), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (self.encoding.n_actions,), np.int8)
        self._observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": box, "action_mask": mask})
            for agent in self.possible_agents
        }
        self._action_spaces = {
            agent: gymnasium.spaces.Discrete(self.encoding.n_actions)
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space:
        """Give the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space:
        """Give the space of an agent's actions."""
        return self._action_spaces[agent]

    @property
    def state_of_game(self) -> _hegemon.State:
        """A copy of the full state."""
        return self._episode.state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; the same seed deals and rolls the same."""
        del options
        if seed is None:
            seed = int(self._random.integers(2**63))
        else:
            self._random = np.random.default_rng(seed)
        self._episode.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._select()

    def _select(self) -> None:
        """Ask whose turn it is, or end the game for all."""
        player = self._episode.player
        if player is not None:
            self.agent_selection = f"player_{player}"
            return
        utilities = self._episode.utilities()
        for agent in self.agents:
            self.rewards[agent] = utilities[self._seat_of[agent]]
            self.terminations[agent] = True
            self.infos[agent] = {"ending": self._episode.ending}

    def observe(self, agent: str) -> Observation:
        """Give what an agent sees; only who is to move may act."""
        seat = self._seat_of[agent]
        if self._episode.player == seat:
            mask = self._episode.mask().view(np.int8)
        else:
            mask = np.zeros(self.encoding.n_actions, np.int8)
        return {"observation": self._episode.observe(seat), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Take a step of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._episode.step(int(action))
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Show the state as text, or as a picture."""
        if self.render_mode == "svg":
            return self._episode.state._repr_svg_()
        if self.render_mode == "ansi":
            return repr(self._episode.state)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
