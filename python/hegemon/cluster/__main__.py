"""The command `python -m hegemon.cluster`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hegemon import BeamTerms, DraftTerms, HegemonError, _hegemon

if TYPE_CHECKING:
    from hegemon.cluster import Tasks

EPILOG = """\
Without --address a cluster is made on this machine.

Example: python -m hegemon.cluster match baseline simulation --rules sampling --games 2000
         python -m hegemon.cluster match quo killbot boscoe --rules lux --address auto
         python -m hegemon.cluster train-draft --drafts 500 --games 20 --out draft
         python -m hegemon.cluster train-beam --population 64 --generations 100 --out my-run
         python -m hegemon.cluster lab all --scale smoke --store lab.db
"""


def game_of(arguments: argparse.Namespace, players: int | None) -> _hegemon.Game:
    """Make the game, and read the specs of the bots before anything is started."""
    for bot in arguments.bots:
        _hegemon.Bot(bot)
    return _hegemon.Game(arguments.map, arguments.rules, players)


def sizes_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Give games, seed and size of a task, as the jobs call them."""
    sizes = {"games": arguments.games, "seed": arguments.seed}
    return sizes if arguments.chunk is None else {**sizes, "chunk": arguments.chunk}


Job = Callable[["Tasks"], str]


def match(arguments: argparse.Namespace) -> Job:
    """Prepare a match."""
    from hegemon import cluster

    game = game_of(arguments, len(arguments.bots))

    def job(tasks: Tasks) -> str:
        report = cluster.match(tasks, game, arguments.bots, **sizes_of(arguments))
        return report.text if arguments.json else f"{report}"

    return job


def arena(arguments: argparse.Namespace) -> Job:
    """Prepare an arena."""
    from hegemon import cluster

    game = game_of(arguments, arguments.players)
    sizes = sizes_of(arguments)
    return lambda tasks: f"{cluster.arena(tasks, arguments.pool, game, arguments.bots, **sizes)}"


def dataset(arguments: argparse.Namespace) -> Job:
    """Prepare a data set."""
    from hegemon import cluster

    game = game_of(arguments, len(arguments.bots))

    def job(tasks: Tasks) -> str:
        sizes = sizes_of(arguments)
        n_rows = cluster.dataset(tasks, arguments.out, game, arguments.bots, **sizes)
        return f"{n_rows} rows in {arguments.out}"

    return job


def train_draft(arguments: argparse.Namespace) -> Job:
    """Prepare the training of a draft evaluator."""
    from hegemon import cluster

    terms = DraftTerms(
        drafts=arguments.drafts,
        games=arguments.games,
        bot=_hegemon.Bot(arguments.bot).spec,
        game=_hegemon.Game(arguments.map, arguments.rules, arguments.players),
        drafter=arguments.drafter,
        min_rows=arguments.min_rows,
        hidden=arguments.hidden,
        seed=arguments.seed,
    )
    sizes = {} if arguments.chunk is None else {"chunk": arguments.chunk}

    def job(tasks: Tasks) -> str:
        checkpoint = arguments.checkpoint
        report = cluster.train_draft(tasks, terms, arguments.out, checkpoint=checkpoint, **sizes)
        return f"{report}\nwritten to {arguments.out}"

    return job


def train_beam(arguments: argparse.Namespace) -> Job:
    """Prepare the evolution of the beam agents."""
    from hegemon import cluster

    terms = BeamTerms(
        population=arguments.population,
        generations=arguments.generations,
        method=arguments.method,
        seed=arguments.seed,
    )
    sizes = {} if arguments.chunk is None else {"chunk": arguments.chunk}

    def job(tasks: Tasks) -> str:
        report = cluster.train_beam(tasks, terms, arguments.out, **sizes)
        return f"{report}\nwritten to {arguments.out}"

    return job


def lab(arguments: argparse.Namespace) -> Job:
    """Prepare experiments of the lab."""
    from hegemon import cluster

    def job(tasks: Tasks) -> str:
        summary = cluster.lab(
            tasks,
            arguments.names,
            scale=arguments.scale,
            seed=arguments.seed,
            store=arguments.store,
            mix=arguments.mix,
        )
        return f"{summary.done} cells computed, {summary.known} were there already"

    return job


def shared() -> argparse.ArgumentParser:
    """Give what all jobs take."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--seed", type=int, default=1, help="seed of everything")
    parser.add_argument("--address", help="of a Ray cluster, such as auto or ray://host:10001")
    return parser


def chunked(what: str) -> argparse.ArgumentParser:
    """Give the size of a task."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--chunk", type=int, metavar="N", help=f"{what} of a task")
    return parser


def played() -> argparse.ArgumentParser:
    """Give what the jobs take that play bots against each other."""
    parser = argparse.ArgumentParser(add_help=False, parents=[shared(), chunked("blocks")])
    parser.add_argument("bots", nargs="+", metavar="SPEC", help="the players")
    parser.add_argument("--map", default="classic", help="a name or a file")
    parser.add_argument("--rules", default="classic", help="a preset or a file")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="games to play")
    return parser


def parser() -> argparse.ArgumentParser:
    """Give the arguments of the command."""
    top = argparse.ArgumentParser(
        prog="python -m hegemon.cluster",
        description="Play games on a Ray cluster; the result is that of one machine.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    jobs = top.add_subparsers(dest="job", required=True)

    def add(
        name: str,
        prepare: Callable[[argparse.Namespace], Job],
        about: str,
        *parents: argparse.ArgumentParser,
    ) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = jobs.add_parser(name, parents=list(parents), help=about)
        made.set_defaults(prepare=prepare)
        return made

    of_match = add("match", match, "bots against each other", played())
    of_match.add_argument("--json", action="store_true", help="print JSON")
    of_arena = add("arena", arena, "a pool of bots in a file", played())
    of_arena.add_argument("--pool", required=True, metavar="FILE", help="the file of the pool")
    of_arena.add_argument("--players", type=int, metavar="N", help="seats of a game")
    of_dataset = add("dataset", dataset, "games as a table", played())
    of_dataset.add_argument("--out", required=True, metavar="FILE.csv", help="the file to write")
    of_draft = add("train-draft", train_draft, "the value of a draft", shared(), chunked("drafts"))
    add_draft(of_draft)
    of_beam = add("train-beam", train_beam, "the beam agents, evolved", shared(), chunked("games"))
    add_beam(of_beam)
    of_lab = add("lab", lab, "published tables and figures, run again", shared())
    of_lab.add_argument("names", nargs="+", metavar="NAME", help="experiments, or all")
    of_lab.add_argument("--scale", default="quick", help="smoke, quick or paper")
    of_lab.add_argument("--store", default="lab.db", metavar="FILE", help="computed results")
    of_lab.add_argument("--mix", action="store_true", help="allow cells of other programs")
    return top


def add_draft(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of train-draft; the defaults are the paper's."""
    paper = DraftTerms()
    parser.add_argument("--bot", default=paper.bot, metavar="SPEC", help="plays all seats")
    parser.add_argument("--drafts", type=int, default=paper.drafts, metavar="N", help="drafts")
    parser.add_argument("--games", type=int, default=paper.games, metavar="N", help="of a draft")
    parser.add_argument("--map", default="classic-lux", help="a name or a file")
    parser.add_argument("--rules", default="draft", help="a preset or a file")
    parser.add_argument("--players", type=int, default=3, metavar="N", help="seats of a game")
    parser.add_argument("--drafter", metavar="SPEC", help="drafts, mixed with random picks")
    parser.add_argument("--min-rows", type=int, default=1, metavar="N", help="rows of a weight")
    parser.add_argument("--hidden", type=int, metavar="N", help="fit a net of N units, too")
    parser.add_argument("--checkpoint", metavar="FILE", help="resume from it, keep it up to date")
    parser.add_argument("--out", required=True, metavar="DIR", help="weights, table and figure")


def add_beam(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of train-beam; the defaults are the paper's."""
    paper = BeamTerms()
    for name in ("population", "generations"):
        default = getattr(paper, name)
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=name)
    parser.add_argument("--method", default=paper.method, help="beam or cma-es")
    parser.add_argument("--out", required=True, metavar="DIR", help="checkpoint, weights, curves")


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; an error is one sentence."""
    arguments = parser().parse_args(words)
    try:
        job: Job = arguments.prepare(arguments)
        from hegemon import cluster

        with cluster.Tasks(arguments.address) as tasks:
            print(job(tasks))
    except (HegemonError, ImportError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
