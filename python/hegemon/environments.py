"""Makers of environments. The packages that they need are imported when one is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hegemon import _hegemon

if TYPE_CHECKING:
    from hegemon.gymnasium_env import HegemonGymEnv, HegemonVectorEnv
    from hegemon.pettingzoo_env import HegemonAECEnv


def _needs(package: str, error: ImportError) -> ImportError:
    names = "pettingzoo gymnasium" if package == "PettingZoo" else "gymnasium"
    return ImportError(f"{package} is not installed: pip install {names} ({error})")


def raw_env(
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    players: int | None = None,
    *,
    bots: Mapping[int, str | _hegemon.Bot] | None = None,
    render_mode: str | None = None,
) -> HegemonAECEnv:
    """Make the PettingZoo environment without PettingZoo's own checks around it."""
    try:
        from hegemon.pettingzoo_env import HegemonAECEnv
    except ImportError as error:
        raise _needs("PettingZoo", error) from error
    return HegemonAECEnv(map, rules, players, bots=bots or {}, render_mode=render_mode)


def env(
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    players: int | None = None,
    *,
    bots: Mapping[int, str | _hegemon.Bot] | None = None,
    render_mode: str | None = None,
) -> Any:
    """Make a PettingZoo AEC environment for 2 to 6 seats.

    Seats in `bots` are played by bots of the registry; the others are agents. Observations
    are dictionaries with "observation" and "action_mask".
    """
    raw = raw_env(map, rules, players, bots=bots, render_mode=render_mode)
    from pettingzoo.utils import wrappers

    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


def gym_env(
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    *,
    opponents: Sequence[str | _hegemon.Bot] = ("random",),
    seat: int = 0,
    illegal: str = "lose",
    render_mode: str | None = None,
) -> HegemonGymEnv:
    """Make a Gymnasium environment for one learner in `seat` against bots of the registry.

    An action that is not legal loses the game, or with `illegal="raise"` is an error.
    """
    try:
        from hegemon.gymnasium_env import HegemonGymEnv
    except ImportError as error:
        raise _needs("Gymnasium", error) from error
    return HegemonGymEnv(
        map, rules, opponents=opponents, seat=seat, illegal=illegal, render_mode=render_mode
    )


def gym_vector_env(
    num_envs: int,
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    *,
    opponents: Sequence[str | _hegemon.Bot] = ("random",),
    threads: int | None = None,
) -> HegemonVectorEnv:
    """Make a Gymnasium vector environment on `hegemon.VecEnv`."""
    try:
        from hegemon.gymnasium_env import HegemonVectorEnv
    except ImportError as error:
        raise _needs("Gymnasium", error) from error
    return HegemonVectorEnv(num_envs, map, rules, opponents=opponents, threads=threads)
