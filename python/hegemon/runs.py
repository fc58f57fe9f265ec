"""Matches, sequential tests, pools and ratings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from hegemon import _hegemon
from hegemon.bots import PythonBot
from hegemon.reports import MatchReport, Rating, SprtReport, Standing

Player: TypeAlias = "str | _hegemon.Bot | PythonBot"
Bots: TypeAlias = "Sequence[Player]"
Progress: TypeAlias = "Callable[[int, int], Any]"


def make_game(
    map: _hegemon.Map | str,
    rules: _hegemon.Rules | str,
    players: int | None,
) -> _hegemon.Game:
    """Make the game of these names."""
    return _hegemon.Game(map, rules, players)


def as_list(bots: Sequence[Any]) -> list[Any]:
    """Give bots as a list; one string is not taken for a list of letters."""
    if isinstance(bots, str):
        raise _hegemon.HegemonError(f'bots are a list such as ["{bots}"], not one text')
    return list(bots)


def match(
    bots: Bots,
    *,
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    games: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    records: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> MatchReport:
    """Play bots against each other, in blocks of one deal under all seat orders.

    The result depends on the seed alone, not on the number of threads, and is that of
    `hegemon match` with the same arguments. `progress(done, total)` is called a few times a
    second.

    >>> import hegemon
    >>> report = hegemon.match(["quo", "random"], rules="lux", games=20, seed=3)
    >>> report.players[0].share
    0.85
    """
    folder = None if records is None else Path(records)
    text = _hegemon.play_match(
        as_list(bots),
        map=map,
        rules=rules,
        games=games,
        seed=seed,
        threads=threads,
        records=folder,
        progress=progress,
    )
    return MatchReport.from_json(text)


def sprt(
    a: str | _hegemon.Bot,
    b: str | _hegemon.Bot,
    *,
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    field: Sequence[str | _hegemon.Bot] = (),
    players: int | None = None,
    elo0: float = 0.0,
    elo1: float = 5.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = 100_000,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SprtReport:
    """Test whether A is better than B, and stop as soon as that is decided.

    >>> import hegemon
    >>> hegemon.sprt("baseline", "random", rules="sampling", elo1=50, max_games=400).verdict
    'a-better'
    """
    text = _hegemon.sprt(
        a,
        b,
        map=map,
        rules=rules,
        field=as_list(field),
        players=players,
        elo0=elo0,
        elo1=elo1,
        alpha=alpha,
        beta=beta,
        max_games=max_games,
        seed=seed,
        threads=threads,
        progress=progress,
    )
    return SprtReport.from_json(text)


def pool(
    path: str | os.PathLike[str],
    bots: Sequence[str | _hegemon.Bot],
    *,
    map: _hegemon.Map | str = "classic",
    rules: _hegemon.Rules | str = "classic",
    players: int | None = None,
    games: int = 1000,
    seed: int = 1,
    floor: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Standing:
    """Play a pool of bots until its file has this many games, and rate them.

    The file is one of `hegemon arena`; an interrupted run goes on where it was.
    """
    game = make_game(map, rules, players)
    text = _hegemon.run_pool(
        Path(path),
        game,
        as_list(bots),
        games=games,
        seed=seed,
        floor=floor,
        threads=threads,
        progress=progress,
    )
    return Standing.from_json(text)


def standing(path: str | os.PathLike[str]) -> Standing:
    """Rate the bots of a pool by what is in its file now."""
    return Standing.from_json(_hegemon.standing(Path(path)))


def rate(games: Sequence[Mapping[str, int]], *, prior_draws: float = 1.0) -> dict[str, Rating]:
    """Fit Elo ratings to games, each given as the places of its players, from 1.

    >>> ratings = rate([{"a": 1, "b": 2}, {"a": 1, "b": 2}, {"b": 1, "a": 2}])
    >>> ratings["a"].elo > ratings["b"].elo
    True
    """
    names = sorted({name for game in games for name in game})
    number = {name: n for n, name in enumerate(names)}
    rankings = [([number[name] for name in game], list(game.values())) for game in games]
    rows = _hegemon.fit_rankings(len(names), rankings, prior_draws=prior_draws)
    return {
        name: Rating(elo=elo, ci95=(low, high))
        for name, (elo, low, high) in zip(names, rows, strict=True)
    }
