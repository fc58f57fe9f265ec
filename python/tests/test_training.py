"""Training and the lab: the same wherever the work is done."""

import sqlite3

import pytest

import hegemon
from hegemon import _hegemon

DRAFT = hegemon.DraftTerms(drafts=50, games=1, bot="random", hidden=8, seed=3)
BEAM = hegemon.BeamTerms(
    population=10, generations=2, seed=7, measure_games=4, playoff_games=2, final_games=8
)


def files_of(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_a_draft_evaluator_is_the_same_wherever_it_is_played(tmp_path):
    waves = []

    def play_wave(first, end):
        waves.append((first, end))
        middle = (first + end) // 2
        late = _hegemon.draft_lines(DRAFT, middle, end)
        return _hegemon.draft_lines(DRAFT, first, middle) + late

    here = hegemon.train_draft(DRAFT, tmp_path / "here", threads=2)
    there = hegemon.train_draft(DRAFT, tmp_path / "there", play_wave=play_wave)
    assert here == there and here.complete and here.drafts == 50
    assert files_of(tmp_path / "here") == files_of(tmp_path / "there")
    assert {"linear.toml", "net.toml", "weights.md", "figure-3.svg"} <= {
        file.name for file in (tmp_path / "here").iterdir()
    }
    assert waves == [(0, 50)] and "50 drafts" in str(here)
    weights = tmp_path / "here" / "linear.toml"
    assert hegemon.Bot(f"quo(draft=uct(weights={weights}))")


def test_a_stopped_draft_training_goes_on(tmp_path):
    log, folder = tmp_path / "drafts.log", tmp_path / "out"
    asked = []

    def fail(first, end):
        raise RuntimeError("the cluster is gone")

    with pytest.raises(RuntimeError, match="the cluster is gone"):
        hegemon.train_draft(DRAFT, checkpoint=log, play_wave=fail)
    first = hegemon.DraftTerms(drafts=30, games=1, bot="random", hidden=8, seed=3)
    hegemon.train_draft(first, checkpoint=log)

    def play_wave(first, end):
        asked.append((first, end))
        return _hegemon.draft_lines(DRAFT, first, end)

    report = hegemon.train_draft(DRAFT, folder, checkpoint=log, play_wave=play_wave)
    assert asked == [(30, 50)] and report == hegemon.train_draft(DRAFT)
    with pytest.raises(hegemon.HegemonError, match="came back damaged"):
        hegemon.train_draft(DRAFT, play_wave=lambda a, b: ["0 nonsense"] * (b - a))
    with pytest.raises(hegemon.HegemonError, match="1 lines came back"):
        hegemon.train_draft(DRAFT, play_wave=lambda a, b: ["0 nonsense"])


@pytest.mark.parametrize("method", ["beam", "cma-es"])
def test_evolution_is_the_same_wherever_it_is_played(tmp_path, method):
    terms = hegemon.BeamTerms(**{**vars(BEAM), "method": method})
    here = hegemon.train_beam(terms, tmp_path / "here", threads=2)
    there = hegemon.train_beam(terms, tmp_path / "there", play_wave=_hegemon.play_beam_games)
    assert here == there and len(here.champion) == 29
    assert files_of(tmp_path / "here") == files_of(tmp_path / "there")
    assert {"weights.toml", "findings.md", "history.jsonl"} <= set(files_of(tmp_path / "here"))
    assert "against three start agents" in str(here)


def test_errors_of_an_evolution_are_pythons_own(tmp_path):
    def fail(agents, games):
        raise RuntimeError("the cluster is gone")

    with pytest.raises(RuntimeError, match="the cluster is gone"):
        hegemon.train_beam(BEAM, tmp_path / "run", play_wave=fail)
    with pytest.raises(hegemon.HegemonError, match="other games came back"):
        hegemon.train_beam(BEAM, tmp_path / "run", play_wave=lambda agents, games: [])
    with pytest.raises(hegemon.HegemonError, match="no method"):
        hegemon.train_beam(hegemon.BeamTerms(method="magic"), tmp_path / "run")


def cells_of(store):
    with sqlite3.connect(store) as database:
        return database.execute("SELECT experiment, scale, seed, key, value FROM cells").fetchall()


def test_cells_of_the_lab_are_the_same_wherever_they_are_computed(tmp_path):
    name = "002-weights"
    assert name in [experiment["name"] for experiment in hegemon.lab.experiments()]
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    summary = hegemon.lab.run([name], scale="smoke", store=here)
    assert summary.done > 0 and summary.missing == 0

    def compute(cells):
        for number in reversed(range(len(cells))):
            yield number, _hegemon.lab_cell(*cells[number], "smoke", 1)

    assert hegemon.lab.run([name], scale="smoke", store=there, compute=compute) == summary
    assert cells_of(here) == cells_of(there)
    again = hegemon.lab.run([name], scale="smoke", store=there, compute=lambda cells: [])
    assert (again.known, again.done) == (summary.done, 0)
    files = hegemon.lab.report(there, tmp_path / "report", scale="smoke")
    assert all(file.exists() for file in files)


def test_errors_of_the_lab_are_sentences(tmp_path):
    store = tmp_path / "lab.db"
    with pytest.raises(hegemon.HegemonError, match="there is no experiment"):
        hegemon.lab.run(["000-nothing"], store=store)
    with pytest.raises(hegemon.HegemonError, match="there is no scale"):
        hegemon.lab.run(["002-weights"], scale="huge", store=store)

    def fail(cells):
        raise RuntimeError("the cluster is gone")

    with pytest.raises(RuntimeError, match="the cluster is gone"):
        hegemon.lab.run(["002-weights"], scale="smoke", store=store, compute=fail)
    twice = [(0, ("1", 0.1)), (0, ("1", 0.1))]
    with pytest.raises(hegemon.HegemonError, match="came back unasked"):
        hegemon.lab.run(["002-weights"], scale="smoke", store=store, compute=lambda cells: twice)
