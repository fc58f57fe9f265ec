"""The interface of OpenSpiel, so that algorithms written for it run.

>>> from hegemon import spiel
>>> game = spiel.Game("triangle3", "sampling", players=2)
>>> state = game.new_initial_state()
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> sum(state.returns())
0.0
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hegemon import _hegemon
from hegemon.encoding import Encoding


class PlayerId(IntEnum):
    """Who acts when it is no player, with OpenSpiel's numbers."""

    CHANCE = -1
    TERMINAL = -4


class Game:
    """A game as OpenSpiel sees it."""

    def __init__(
        self,
        map: _hegemon.Map | str = "classic",
        rules: _hegemon.Rules | str = "classic",
        players: int | None = None,
    ) -> None:
        self.game = _hegemon.Game(map, rules, players)
        self.encoding = Encoding.of(self.game)

    def new_initial_state(self) -> State:
        """Give the state before the deal."""
        return State(self, _hegemon.Steps(self.game))

    def state_of(self, state: _hegemon.State) -> State:
        """Give any state of the game."""
        return State(self, _hegemon.Steps(self.game, state))

    def num_players(self) -> int:
        """Give the number of players."""
        return self.game.players

    def num_distinct_actions(self) -> int:
        """Give the number of actions of players; outcomes are numbered for themselves."""
        return self.encoding.n_actions

    def min_utility(self) -> float:
        """Give what a loser gets."""
        return -1.0 / (self.game.players - 1)

    def max_utility(self) -> float:
        """Give what an only winner gets."""
        return 1.0

    def utility_sum(self) -> float:
        """Give the sum of all returns."""
        return 0.0

    def information_state_tensor_shape(self) -> list[int]:
        """Give the shape of a tensor."""
        return [self.encoding.size]

    observation_tensor_shape = information_state_tensor_shape

    def __repr__(self) -> str:
        """Show the game."""
        return f"spiel.{self.game!r}"


class State:
    """A state as OpenSpiel sees it: at a player's step, at chance, or terminal.

    The information state is what a seat sees now (no history of what it saw before).
    """

    def __init__(self, game: Game, steps: _hegemon.Steps, history: list[int] | None = None) -> None:
        self._game = game
        self._steps = steps
        self._history = history or []

    def get_game(self) -> Game:
        """Give the game."""
        return self._game

    def current_player(self) -> int:
        """Give the player to move, or `PlayerId.CHANCE` or `PlayerId.TERMINAL`."""
        if self.is_terminal():
            return PlayerId.TERMINAL
        player = self._steps.player
        return PlayerId.CHANCE if player is None else player

    def is_terminal(self) -> bool:
        """Say whether the game is over."""
        return self._steps.is_over

    def is_chance_node(self) -> bool:
        """Say whether chance acts."""
        return self._steps.is_chance

    def is_player_node(self) -> bool:
        """Say whether a player acts."""
        return self._steps.player is not None

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Give the legal actions, in rising order; none for a player who is not to move."""
        if self.is_terminal() or (player is not None and player != self.current_player()):
            return []
        return self._steps.actions()

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Give a 1 for every legal action, else a 0."""
        mask = [0] * self._game.num_distinct_actions()
        if self.is_player_node():
            for action in self.legal_actions(player):
                mask[action] = 1
        return mask

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Give the outcomes and their probabilities, which sum to one."""
        outcomes, total = self._steps.chances()
        return [(number, weight / total) for number, (_, weight) in enumerate(outcomes)]

    def apply_action(self, action: int) -> None:
        """Take a step, or let an outcome happen."""
        self._steps.take(action)
        self._history.append(action)

    def child(self, action: int) -> State:
        """Give the state after an action."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> State:
        """Copy the state."""
        return State(self._game, self._steps.clone(), self._history[:])

    def returns(self) -> list[float]:
        """Give what the game was worth to every player; zeros before the end."""
        return self._steps.utilities()

    def player_return(self, player: int) -> float:
        """Give what the game was worth to a player."""
        return self.returns()[player]

    rewards = returns

    def history(self) -> list[int]:
        """Give all actions since the initial state."""
        return self._history[:]

    def action_to_string(self, player_or_action: int, action: int | None = None) -> str:
        """Say what an action means."""
        return self._steps.describe(player_or_action if action is None else action)

    def information_state_tensor(self, player: int | None = None) -> NDArray[np.float32]:
        """Give what a player sees as numbers."""
        return self._steps.observe(self._seat(player))

    observation_tensor = information_state_tensor

    def information_state_string(self, player: int | None = None) -> str:
        """Give what a player sees, as a text that is equal for equal views."""
        seat = self._seat(player)
        tensor = self._steps.observe(seat)
        return f"{seat}:{tensor.tobytes().hex()}"

    observation_string = information_state_string

    def _seat(self, player: int | None) -> int:
        seat = self.current_player() if player is None else player
        if seat < 0:
            raise _hegemon.HegemonError("name a player: none is to move here")
        return seat

    @property
    def state(self) -> _hegemon.State:
        """A copy of the state of the engine."""
        return self._steps.state

    def __str__(self) -> str:
        """Show the state."""
        return repr(self._steps.state)

    def __deepcopy__(self, memo: Any) -> State:
        """Copy the state."""
        return self.clone()
