"""Environment steps a second with random legal actions.

Every step includes what a learner pays for: the choice of a legal action in Rust (`sample`),
the move and its chance, and the observation and the mask of the next step in NumPy arrays.
A finished game is dealt anew. On a machine that is busy with other things, the steps for each
second of processor time tell more than those for each second.

Example: python python/benches/steps.py --games 4096 --seconds 10
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import hegemon
from hegemon import _hegemon


class Clock:
    """Counts steps for each second, and for each second of processor time."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.n = seconds, 0
        self.start, self.used = time.perf_counter(), time.process_time()

    def goes_on(self) -> bool:
        """Say whether there is time left."""
        return time.perf_counter() - self.start < self.seconds

    def __str__(self) -> str:
        """Show both speeds."""
        wall = self.n / (time.perf_counter() - self.start)
        processor = self.n / (time.process_time() - self.used)
        return f"{wall:,.0f} steps a second, {processor:,.0f} for each second of a processor"


def batched(arguments: argparse.Namespace, threads: int) -> Clock:
    """Measure `VecEnv.step(VecEnv.sample())`."""
    env = hegemon.VecEnv(
        arguments.games,
        map=arguments.map,
        rules=arguments.rules,
        players=arguments.players,
        seed=1,
        threads=threads,
    )
    for _ in range(200):
        env.step(env.sample())
    clock = Clock(arguments.seconds)
    while clock.goes_on():
        for _ in range(10):
            env.step(env.sample())
        clock.n += 10 * arguments.games
    return clock


def single(arguments: argparse.Namespace) -> Clock:
    """Measure one game: `step`, `observe` and `mask`, actions chosen by NumPy."""
    game = hegemon.Game(arguments.map, arguments.rules, arguments.players)
    episode = _hegemon.Episode(game, [None] * game.players, 1)
    generator = np.random.default_rng(1)
    clock, seed = Clock(arguments.seconds), 1
    while clock.goes_on():
        if episode.player is None:
            seed += 1
            episode.reset(seed)
        legal = np.flatnonzero(episode.mask())
        episode.step(int(legal[generator.integers(len(legal))]))
        episode.observe(episode.player or 0)
        clock.n += 1
    return clock


def pettingzoo(arguments: argparse.Namespace) -> Clock:
    """Measure PettingZoo's environment: `last` and `step`, actions chosen by NumPy."""
    env = hegemon.env(map=arguments.map, rules=arguments.rules, players=arguments.players)
    generator = np.random.default_rng(1)
    clock, seed = Clock(arguments.seconds), 1
    env.reset(seed=seed)
    while clock.goes_on():
        observation, _, is_over, is_cut, _ = env.last()
        if is_over or is_cut:
            seed += 1
            env.reset(seed=seed)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[generator.integers(len(legal))]))
        clock.n += 1
    return clock


def main() -> None:
    """Print the measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4096, help="games of the batch")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each measure")
    parser.add_argument("--map", default="classic")
    parser.add_argument("--rules", default="classic")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    for threads in arguments.threads:
        print(f"VecEnv({arguments.games}), {threads} threads: {batched(arguments, threads)}")
    print(f"one game at a time: {single(arguments)}")
    try:
        print(f"PettingZoo's env: {pettingzoo(arguments)}")
    except ImportError:
        print("PettingZoo's env: not installed")


if __name__ == "__main__":
    main()
