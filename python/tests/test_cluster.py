"""Blocks on Ray: a worker and a machine die, and the result is that of one machine.

`HEGEMON_CLUSTER_BLOCKS=2000 pytest -m slow tests/test_cluster.py` is the size of the docs.
"""

import os
import signal
import time

import pytest

import hegemon
from hegemon import _hegemon

ray = pytest.importorskip("ray")

from hegemon import cluster  # noqa: E402
from hegemon.cluster.__main__ import main  # noqa: E402
from hegemon.cluster.jobs import cut, play_part  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

N_BLOCKS = int(os.environ.get("HEGEMON_CLUSTER_BLOCKS", "120"))
BOTS = ["baseline", "random"]


@pytest.fixture(scope="module")
def machines():
    """Three machines with a processor each, on this one."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes = [made.add_node(num_cpus=1) for _ in range(2)]
    made.wait_for_nodes()
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    yield made, nodes
    ray.shutdown()
    made.shutdown()


def test_a_dead_worker_and_a_lost_machine_change_nothing(machines, tmp_path):
    made, nodes = machines
    game = hegemon.Game("classic", "sampling", 2)
    parts = cut(game, BOTS, 2 * N_BLOCKS, seed=3, chunk=max(1, N_BLOCKS // 100))
    mark, victim = tmp_path / "killed", parts[len(parts) // 3].first
    lost, told = [], []

    def progress(done, total):
        told.append(done)
        if done == total // 2:
            made.remove_node(nodes[0], allow_graceful=False)
            lost.append(nodes[0])

    def play(part):
        # Its worker is killed once, in the middle.
        if part.first == victim and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return play_part(part)

    with cluster.Tasks() as tasks:
        texts = tasks.run(play, parts, progress)
    assert mark.exists() and lost
    assert told == list(range(1, len(parts) + 1)), "each result is counted once"
    whole = hegemon.match(BOTS, rules="sampling", games=2 * N_BLOCKS, seed=3)
    assert _hegemon.merge_match(texts) == whole.text


def test_jobs_are_those_of_one_machine(machines, tmp_path, capsys):
    game = hegemon.Game("duel6", "sampling", 2)
    with cluster.Tasks() as tasks:
        n_rows = cluster.dataset(tasks, tmp_path / "there.csv", game, BOTS, games=12, chunk=2)
        assert n_rows == hegemon.dataset(
            tmp_path / "here.csv", BOTS, map="duel6", rules="sampling", games=12
        )
        here = (tmp_path / "here.csv").read_bytes()
        assert (tmp_path / "there.csv").read_bytes() == here
        there = cluster.arena(tasks, tmp_path / "a.db", game, [*BOTS, "simulation"], games=40)
    here = hegemon.pool(
        tmp_path / "b.db", [*BOTS, "simulation"], map="duel6", rules="sampling", games=40
    )
    assert there == here
    words = "match baseline random --map duel6 --rules sampling --games 20 --json"
    assert main(words.split()) == 0
    report = hegemon.match(BOTS, map="duel6", rules="sampling", games=20)
    # Ray itself may print above it.
    assert capsys.readouterr().out.strip().splitlines()[-1] == report.text


def test_errors_of_a_task_are_sentences(machines, capsys):
    assert main(["match", "baseline", "nobody", "--rules", "sampling"]) == 1
    assert 'there is no bot "nobody"' in capsys.readouterr().err
