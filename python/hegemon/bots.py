"""Bots written in Python."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import Any, overload

from hegemon import _hegemon

Choose = Callable[[_hegemon.View], "_hegemon.Move | str"]


class PythonBot:
    """A bot written in Python: `@hegemon.bot` makes it of a function or a class."""

    def __init__(self, maker: Callable[[], Choose], name: str) -> None:
        self.name = name
        self._maker = maker

    def _new_game(self) -> Choose:
        """Give the function that plays one game; the native half calls it."""
        return self._maker()

    def choose(self, view: _hegemon.View) -> _hegemon.Move | str:
        """Choose a move at one view."""
        return self._new_game()(view)

    def __repr__(self) -> str:
        """Show the name."""
        return f"PythonBot({self.name!r})"


@overload
def bot(player: Callable[..., Any], /) -> PythonBot: ...


@overload
def bot(*, name: str) -> Callable[[Callable[..., Any]], PythonBot]: ...


def bot(
    player: Callable[..., Any] | None = None, /, *, name: str | None = None
) -> PythonBot | Callable[[Callable[..., Any]], PythonBot]:
    """Make a bot of a function from view to move, or of a class with `choose(view)`.

    A class is made anew for every game, so that it may remember things. The name stands in
    tables and records.

    >>> import hegemon
    >>> @hegemon.bot
    ... def first_move(view):
    ...     return view.legal_moves()[0]
    >>> report = hegemon.match([first_move, "random"], rules="sampling", games=4)
    >>> [player.spec for player in report.players]
    ['first-move', 'random']
    """

    def make(player: Callable[..., Any]) -> PythonBot:
        if not callable(player):
            raise _hegemon.HegemonError("a bot is a function from view to move, or a class")
        title = name or getattr(player, "__name__", "python-bot").lower().replace("_", "-")
        if isinstance(player, type):
            return PythonBot(lambda: player().choose, title)
        return PythonBot(lambda: player, title)

    return make if player is None else make(player)


def serve(player: PythonBot | _hegemon.Bot | str) -> None:
    """Speak the bot protocol on the standard input and output until the input ends.

    Such a program plays wherever `cmd(...)` does: in matches, tests and pools of the command
    line, and in the page (`hegemon play --bot Mine='cmd(python3 my_bot.py)'`). What the bot
    prints goes to the standard error output.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    standard_output, sys.stdout = sys.stdout, sys.stderr
    try:
        _hegemon.serve(player)
    finally:
        sys.stdout = standard_output
