"""Tasks on Ray: retried when a worker or a machine dies, each result counted once."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, TypeVar

from hegemon import _hegemon

try:
    import ray
except ImportError:
    ray = None

Argument = TypeVar("Argument")
Result = TypeVar("Result")
Progress = Callable[[int, int], Any]

# Tasks handed out for each processor: enough that none waits, few enough that little is lost.
AHEAD = 3
# A task whose workers die so often is at fault itself.
MAX_DEATHS = 10
# How long a cluster may take to answer at all; Ray itself would try for minutes.
ANSWER_SECONDS = 10.0


def show(done: int, total: int) -> None:
    """Show the progress, where somebody looks."""
    if not sys.stderr.isatty():
        return
    end = "\n" if done == total else ""
    print(f"\r{done} of {total} tasks", end=end, file=sys.stderr, flush=True)


def _connect(address: str | None) -> None:
    """Connect to a cluster, or make one here; whatever prevents it is one sentence."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    local = {} if address else {"include_dashboard": False}
    try:
        if host and port.isdecimal():
            socket.create_connection((host, int(port)), ANSWER_SECONDS).close()
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **local)
    except (OSError, OverflowError, RuntimeError, ValueError) as error:
        place = f"at {address}" if address else "on this machine"
        raise ConnectionError(f"cannot use Ray {place}: {error}") from error


class Tasks:
    """A connection to Ray: to a cluster by its address, else to one made on this machine."""

    def __init__(self, address: str | None = None) -> None:
        if ray is None:
            raise ImportError("Ray is not installed: pip install ray")
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            _connect(address)

    def run(
        self,
        function: Callable[[Argument], Result],
        arguments: Sequence[Argument],
        progress: Progress | None = show,
    ) -> list[Result]:
        """Call a function with every argument somewhere; give the results in order.

        What the function raises is raised here. If its worker or machine dies, it is called
        again elsewhere.
        """
        results: dict[int, Result] = {}
        for number, result in self.each(function, arguments):
            results[number] = result
            if progress:
                progress(len(results), len(arguments))
        return [results[number] for number in range(len(arguments))]

    def each(
        self, function: Callable[[Argument], Result], arguments: Sequence[Argument]
    ) -> Iterator[tuple[int, Result]]:
        """Do the same, and give each result with its number as soon as it is there."""
        # Ray's own retries are off, so that every death is seen and counted here.
        remote = ray.remote(num_cpus=1, max_retries=0)(function)
        deaths = [0] * len(arguments)
        waiting = list(reversed(range(len(arguments))))
        running: dict[Any, int] = {}
        while waiting or running:
            n_processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
            while waiting and len(running) < AHEAD * n_processors:
                number = waiting.pop()
                running[remote.remote(arguments[number])] = number
            ready, _ = ray.wait(list(running), num_returns=1)
            for reference in ready:
                number = running.pop(reference)
                try:
                    result = ray.get(reference)
                except ray.exceptions.RayTaskError as failure:
                    # The sentence, without the lines of code of another process.
                    if isinstance(failure.cause, _hegemon.HegemonError):
                        raise failure.cause from None
                    raise
                except ray.exceptions.TaskCancelledError:
                    raise
                except ray.exceptions.RayError as death:
                    deaths[number] += 1
                    if deaths[number] >= MAX_DEATHS:
                        raise _hegemon.HegemonError(
                            f"task {number} died {MAX_DEATHS} times: {death}"
                        ) from death
                    waiting.append(number)
                    continue
                yield number, result

    def close(self) -> None:
        """End the connection, and with it a cluster made here."""
        if self._is_ours:
            ray.shutdown()

    def __enter__(self) -> Tasks:
        """Use it in a `with` statement."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the connection."""
        self.close()
