"""Blocks on Ray: a worker and a machine die, and the result is that of one machine.

`HEGEMON_CLUSTER_BLOCKS=2000 pytest -m slow tests/test_cluster.py` is the size of the docs.
"""

import os
import signal
import sqlite3
import subprocess
import sys
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


def test_training_and_the_lab_are_those_of_one_machine(machines, tmp_path, capsys):
    def files_of(name):
        folder = tmp_path / name
        return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}

    draft = hegemon.DraftTerms(drafts=40, games=1, bot="random", seed=5)
    beam = hegemon.BeamTerms(
        population=8, generations=2, measure_games=4, playoff_games=2, final_games=8
    )
    with cluster.Tasks() as tasks:
        there = cluster.train_draft(tasks, draft, tmp_path / "draft-there", chunk=7)
        assert there == hegemon.train_draft(draft, tmp_path / "draft-here")
        assert files_of("draft-there") == files_of("draft-here")
        evolved = cluster.train_beam(tasks, beam, tmp_path / "beam-there", chunk=3)
        assert evolved == hegemon.train_beam(beam, tmp_path / "beam-here")
        assert files_of("beam-there") == files_of("beam-here")
    words = f"lab 002-weights --scale smoke --store {tmp_path / 'there.db'}"
    assert main(words.split()) == 0
    hegemon.lab.run(["002-weights"], scale="smoke", store=tmp_path / "here.db")
    cells = []
    for name in ("there.db", "here.db"):
        with sqlite3.connect(tmp_path / name) as database:
            cells.append(database.execute("SELECT experiment, key, value FROM cells").fetchall())
    assert cells[0] == cells[1] and cells[0]
    words = f"train-draft --bot random --drafts 40 --games 1 --seed 5 --out {tmp_path / 'word'}"
    assert main(words.split()) == 0
    assert files_of("word") == files_of("draft-here")
    assert "40 drafts" in capsys.readouterr().out


def test_a_dead_worker_changes_no_training(machines, tmp_path, monkeypatch):
    mark = tmp_path / "killed"
    terms = hegemon.DraftTerms(drafts=40, games=1, bot="random", seed=5)

    def play(drafts):
        if drafts.first == 16 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return _hegemon.draft_lines(drafts.terms, drafts.first, drafts.end)

    monkeypatch.setattr(cluster.jobs, "play_drafts", play)
    with cluster.Tasks() as tasks:
        there = cluster.train_draft(tasks, terms, chunk=8)
    assert mark.exists() and there == hegemon.train_draft(terms)


def test_a_command_joins_a_cluster_by_its_address(machines, tmp_path):
    """In a process of its own, which knows the cluster by nothing else."""
    made, _ = machines
    words = ["-m", "hegemon.cluster", "match", *BOTS, "--rules", "sampling", "--games", "20"]
    words += ["--json", "--address", made.address]
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    report = hegemon.match(BOTS, rules="sampling", games=20)
    assert done.stdout.strip().splitlines()[-1] == report.text


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere.invalid:6379", "nonsense"])
def test_a_wrong_address_is_told_at_once(address, tmp_path):
    """In a process of its own, since this one has a cluster."""
    words = ["-m", "hegemon.cluster", "match", *BOTS, "--rules", "sampling", "--address", address]
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert f"error: cannot use Ray at {address}: " in done.stderr


def test_errors_of_a_task_are_sentences(machines, capsys):
    assert main(["match", "baseline", "nobody", "--rules", "sampling"]) == 1
    assert 'there is no bot "nobody"' in capsys.readouterr().err
    assert main(["match", *BOTS, "--rules", "sampling", "--games", "0"]) == 1
    assert "error: a match has at least one game\n" in capsys.readouterr().err
