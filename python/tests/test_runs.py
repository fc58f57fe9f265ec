"""Matches, tests, pools, ratings, data sets and bots in Python."""

import json
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import hegemon
from hegemon import _hegemon
from hegemon.datasets import join


def test_a_match_does_not_depend_on_threads():
    arguments = {"rules": "sampling", "games": 40, "seed": 3}
    one = hegemon.match(["baseline", "random"], threads=1, **arguments)
    two = hegemon.match(["baseline", "random"], threads=2, **arguments)
    assert one == two and one.games == 40
    assert "<table>" in one._repr_html_() and "baseline" in str(one)


def test_parts_make_the_match():
    game = hegemon.Game("classic", "sampling", 2)
    bots = ["baseline", "random"]
    n_blocks, size = _hegemon.match_size(2, 40)
    assert (n_blocks, size) == (20, 2)
    parts = [
        _hegemon.match_part(game, bots, games=40, seed=3, first=first, end=first + 6)
        for first in (12, 0, 18, 6, 0)
    ]
    whole = hegemon.match(bots, rules="sampling", games=40, seed=3)
    assert _hegemon.merge_match(parts) == whole.text
    with pytest.raises(hegemon.HegemonError, match="6 of 20 blocks are missing"):
        _hegemon.merge_match(parts[1:])


def test_a_bot_in_python_plays_and_forfeits():
    @hegemon.bot
    def first_move(view):
        return view.legal_moves()[0]

    @hegemon.bot(name="broken")
    class Broken:
        def __init__(self):
            self.n = 0

        def choose(self, view):
            self.n += 1
            if self.n > 3:
                raise RuntimeError("out of ideas")
            return str(view.legal_moves()[0])

    report = hegemon.match([first_move, Broken], rules="sampling", games=4, threads=2)
    assert [player.spec for player in report.players] == ["first-move", "broken"]
    assert report.players[1].forfeits == 4 and report.endings == {"crash": 4}
    record = hegemon.play([Broken, "random"], rules="sampling", seed=1)
    assert record.ending == "forfeit:0:crash"
    with pytest.raises(hegemon.HegemonError, match="there is a bot of that name"):
        hegemon.match([hegemon.bot(name="random")(lambda view: "end"), "quo"], games=2)


def test_progress_is_told_and_may_stop():
    told = []
    hegemon.match(
        ["baseline", "random"],
        rules="sampling",
        games=10,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told[-1] == (10, 10)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hegemon.match(["baseline", "random"], rules="sampling", games=10**9, progress=stop)


def test_sprt_decides():
    report = hegemon.sprt("baseline", "random", rules="sampling", elo1=50, max_games=400)
    assert report.verdict == "a-better" and report.llr >= report.upper
    assert "a-better" in str(report)


def test_a_pool_is_the_same_wherever_it_is_played(tmp_path):
    game = hegemon.Game("duel6", "sampling", 2)
    bots = ["baseline", "random", "simulation"]
    here = hegemon.pool(tmp_path / "a.db", bots, map="duel6", rules="sampling", games=60)
    elsewhere = _hegemon.run_pool(
        tmp_path / "b.db",
        game,
        bots,
        games=60,
        play_wave=lambda jobs: _hegemon.play_jobs(game, jobs),
    )
    assert json.loads(elsewhere) == json.loads(_hegemon.standing(tmp_path / "a.db"))
    assert here == hegemon.standing(tmp_path / "a.db") and here.games == 60
    assert here.rows[-1].spec == "random"


def test_careless_calls_get_a_sentence():
    game = hegemon.Game("duel6", "sampling", 2)
    many = [{"a": 1, str(number): 2} for number in range(3000)]
    job = '{"number": 1, "deal_seed": 1, "bots": ["quo"]}'
    field = {"rules": "lux", "players": 2, "field": ["quo"]}
    for call, sentence in (
        (lambda: hegemon.match("quo"), "bots are a list"),
        (lambda: hegemon.match(["quo", "random"], rules="lux", games=0), "at least one game"),
        (lambda: hegemon.sprt("quo", "random", **field), "has no field of others"),
        (lambda: hegemon.bot(3), "a bot is a function from view to move"),
        (lambda: hegemon.rate(many), "at most 2000 players can be rated together, not 3001"),
        (lambda: _hegemon.play_jobs(game, [job]), "it is not a job of a pool"),
    ):
        with pytest.raises(hegemon.HegemonError, match=sentence):
            call()


def test_ratings_from_places():
    games = [{"a": 1, "b": 2, "c": 3}] * 5 + [{"b": 1, "c": 2}] * 3
    ratings = hegemon.rate(games)
    assert ratings["a"].elo > ratings["b"].elo > ratings["c"].elo
    assert ratings["a"].ci95[0] < ratings["a"].elo < ratings["a"].ci95[1]


def test_data_sets_can_be_cut_and_joined(tmp_path):
    whole, game = tmp_path / "whole.csv", hegemon.Game("classic", "sampling", 2)
    bots = ["baseline", "random"]
    n_rows = hegemon.dataset(whole, bots, rules="sampling", games=8, seed=2)
    parts = []
    for first in range(4):
        part = tmp_path / f"part-{first}.csv"
        _hegemon.write_dataset(part, game, bots, games=8, seed=2, blocks=(first, first + 1))
        parts.append(part)
    assert join(tmp_path / "joined.csv", parts) == n_rows
    assert (tmp_path / "joined.csv").read_bytes() == whole.read_bytes()
    table = hegemon.read_dataset(whole)
    assert len(table["moves"]) == n_rows and table["p0_score"].dtype == np.float64
    assert set(table["player"]) == set(bots)


def test_a_served_bot_speaks_the_protocol(tmp_path):
    program = tmp_path / "bot.py"
    program.write_text(
        textwrap.dedent("""
        import hegemon

        @hegemon.bot
        def last_move(view):
            print("thinking")
            return view.legal_moves()[-1]

        if __name__ == "__main__":
            hegemon.serve(last_move)
        """)
    )
    spec = f"cmd({sys.executable} {program})"
    record = hegemon.play([spec, "random"], map="duel6", rules="sampling", seed=4)
    assert record.verify().hash
    hello = subprocess.run(
        [sys.executable, str(program)],
        input='{"type":"hello","protocol":1,"program":"test"}\n',
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(hello.stdout) == {"type": "hello", "protocol": 1, "name": "last-move"}
