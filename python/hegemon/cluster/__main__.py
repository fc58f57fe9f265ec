"""The command `python -m hegemon.cluster`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from hegemon import HegemonError, _hegemon

EPILOG = """\
Without --address a cluster is made on this machine.

Example: python -m hegemon.cluster match baseline simulation --rules sampling --games 2000
         python -m hegemon.cluster match quo killbot boscoe --rules lux --address auto
"""


def parser() -> argparse.ArgumentParser:
    """Give the arguments of the command."""
    top = argparse.ArgumentParser(
        prog="python -m hegemon.cluster",
        description="Play games on a Ray cluster; the result is that of one machine.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("bots", nargs="+", metavar="SPEC", help="the players")
    shared.add_argument("--map", default="classic", help="a name or a file")
    shared.add_argument("--rules", default="classic", help="a preset or a file")
    shared.add_argument("--games", type=int, default=1000, metavar="N", help="games to play")
    shared.add_argument("--seed", type=int, default=1, help="seed of everything")
    shared.add_argument("--chunk", type=int, metavar="N", help="blocks of a task")
    shared.add_argument("--address", help="of a Ray cluster, such as auto or ray://host:10001")
    jobs = top.add_subparsers(dest="job", required=True)
    match = jobs.add_parser("match", parents=[shared], help="bots against each other")
    match.add_argument("--json", action="store_true", help="print JSON")
    arena = jobs.add_parser("arena", parents=[shared], help="a pool of bots in a file")
    arena.add_argument("--pool", required=True, metavar="FILE", help="the file of the pool")
    arena.add_argument("--players", type=int, metavar="N", help="seats of a game")
    dataset = jobs.add_parser("dataset", parents=[shared], help="games as a table")
    dataset.add_argument("--out", required=True, metavar="FILE.csv", help="the file to write")
    return top


def run(arguments: argparse.Namespace) -> str:
    """Do the job and give its answer as text."""
    from hegemon import cluster

    is_arena = arguments.job == "arena"
    players = arguments.players if is_arena else len(arguments.bots)
    game = _hegemon.Game(arguments.map, arguments.rules, players)
    for bot in arguments.bots:
        _hegemon.Bot(bot)
    sizes = {"games": arguments.games, "seed": arguments.seed}
    if arguments.chunk is not None:
        sizes["chunk"] = arguments.chunk
    with cluster.Tasks(arguments.address) as tasks:
        if is_arena:
            standing = cluster.arena(tasks, arguments.pool, game, arguments.bots, **sizes)
            return f"{standing}"
        if arguments.job == "dataset":
            n_rows = cluster.dataset(tasks, arguments.out, game, arguments.bots, **sizes)
            return f"{n_rows} rows in {arguments.out}"
        report = cluster.match(tasks, game, arguments.bots, **sizes)
        return report.text if arguments.json else f"{report}"


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; an error is one sentence."""
    arguments = parser().parse_args(words)
    try:
        print(run(arguments))
    except (HegemonError, ImportError, ConnectionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
