"""Maps, rules, games, states, moves, odds, records, bots: the engine from Python."""

import copy
import pickle
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import hegemon


def playout(game: hegemon.Game, seed: int) -> hegemon.State:
    state, chance = game.start(), hegemon.Chance(seed)
    state.draw(chance)
    generator = np.random.default_rng(seed)
    for _ in range(300):
        if state.is_over:
            break
        moves = state.legal_moves()
        state.play(moves[generator.integers(len(moves))])
        state.draw(chance)
    return state


@pytest.mark.parametrize("rules", hegemon.Rules.names())
def test_positions_and_pickles_come_back(rules):
    game = hegemon.Game("classic", rules, max(2, hegemon.Rules(rules).players[0]))
    state = playout(game, 5)
    assert hegemon.State(game, state.position) == state
    for value in (game, game.map, game.rules, state):
        assert pickle.loads(pickle.dumps(value)) == value
    twin = copy.deepcopy(state)
    assert twin == state and twin is not state
    view = pickle.loads(pickle.dumps(state.view(1)))
    assert view.seat == 1 and (view.armies == state.armies).all()


def test_odds_and_values_can_be_sent(tmp_path):
    for found in (hegemon.odds(5, 4, reserve=1), hegemon.chain_odds(8, [2, 2])):
        assert pickle.loads(pickle.dumps(found)) == found
    assert hegemon.odds(5, 4) != hegemon.odds(5, 4, reserve=1)
    state = hegemon.Game("classic", "lux", 3).deal(7)
    shipped = Path(__file__).parents[2] / "weights" / "value-classic.toml"
    kept = tmp_path / "value.toml"
    kept.write_text(shipped.read_text())
    values = [hegemon.Value("classic"), hegemon.Value("classic", str(kept))]
    # The receiver need not have the file.
    kept.unlink()
    for value in values:
        assert pickle.loads(pickle.dumps(value)).chances(state) == value.chances(state)


def test_large_questions_are_answered_or_refused_with_a_sentence():
    assert hegemon.odds(3000, 3000).win > 0.99
    assert hegemon.smallest_force(1100, 0.5, rules="beam") < 1100
    for call, sentence in (
        (lambda: hegemon.odds(30_001, 5), "at most 30000 armies on a side, not 30001"),
        (lambda: hegemon.smallest_force(30_001, 0.5), "at most 30000 armies"),
        (
            lambda: hegemon.chain_odds(30_000, [30_000] * 11),
            "a chain of 11 battles with 30000 fighters would take more than half a minute",
        ),
    ):
        with pytest.raises(hegemon.HegemonError, match=sentence):
            call()


def test_a_copy_of_chance_goes_on_alike():
    game, chance = hegemon.Game("duel6", "sampling", 2), hegemon.Chance(5)
    game.start().draw(chance)
    twin = copy.copy(chance)
    assert game.start().draw(chance) == game.start().draw(twin)


def test_errors_are_the_sentences_of_the_engine():
    with pytest.raises(hegemon.HegemonError, match='there is no map "clasic"; did you mean'):
        hegemon.Map("clasic")
    with pytest.raises(hegemon.HegemonError, match='there is no bot "quoo"; did you mean "quo"'):
        hegemon.Bot("quoo")
    with pytest.raises(hegemon.HegemonError, match="is not a move or outcome"):
        hegemon.Move("nonsense")
    state = hegemon.Game("classic", "sampling", 2).deal(1)
    before = state.copy()
    with pytest.raises(hegemon.IllegalMoveError, match="end is not legal"):
        state.play("end")
    assert state == before
    with pytest.raises(hegemon.HegemonError, match="for 2 players, not for 3"):
        hegemon.Game("classic", "sampling", 3)
    assert issubclass(hegemon.HegemonError, ValueError)


def test_wrong_types_get_a_sentence():
    state = hegemon.Game("classic", "sampling", 2).deal(1)
    for call, sentence in (
        (lambda: hegemon.Game(5), "a map is a name, a path or a hegemon.Map, not int"),
        (lambda: hegemon.Game("classic", 5), "rules are a name, a path or hegemon.Rules, not int"),
        (lambda: state.play(None), "a move is a hegemon.Move or its notation, not NoneType"),
        (
            lambda: state.map.territory(-1),
            "a territory is its number, from 0, or its name, not int",
        ),
    ):
        with pytest.raises(TypeError, match=re.escape(sentence)):
            call()


def test_moves_have_parts():
    move = hegemon.Move("a4>9x3")
    assert (move.kind, move.source, move.target, move.armies) == ("attack", 4, 9, 3)
    assert move == hegemon.Move.attack(4, 9, 3)
    assert len({move, hegemon.Move("a4>9x3"), hegemon.Move.end()}) == 2
    assert pickle.loads(pickle.dumps(move)) == move
    assert str(hegemon.Move.place(2, 5)) == "p2x5"


def test_a_view_hides_cards():
    game = hegemon.Game("classic", "lux", 3)
    state = playout(game, 11)
    for seat in range(3):
        view = state.view(seat)
        assert view.hand == state.hand(seat)
        for other in range(3):
            assert view.n_cards(other) == len(state.hand(other))
        guess = view.sample_state(1)
        assert guess.hand(seat) == state.hand(seat)
        assert (guess.armies == state.armies).all()


def test_chance_has_exact_outcomes():
    state = hegemon.Game("classic", "classic", 3).start()
    assert state.is_chance and state.legal_moves() == []
    assert [p for _, p in state.outcomes()] == pytest.approx([1 / 3] * 3)
    state.resolve("F1")
    assert state.player == 1


def test_odds_and_chains():
    odds = hegemon.odds(5, 4)
    assert odds.win == pytest.approx(0.638295, abs=1e-6)
    assert sum(p for _, _, p in odds.ends) == pytest.approx(1)
    assert hegemon.smallest_force(10, 0.5) == 10
    chain = hegemon.chain_odds(8, [2, 2], garrisons=[3])
    assert chain.prefixes[0] == 1 and chain.prefixes[-1] == pytest.approx(chain.success)
    with pytest.raises(hegemon.HegemonError, match="at most 30000 armies"):
        hegemon.odds(10**6, 4)


def test_a_record_names_the_commit_of_the_package():
    tracked = ["git", "-C", Path(__file__).parent, "ls-files", "--error-unmatch", __file__]
    if subprocess.run(tracked, check=False, capture_output=True).returncode:
        pytest.skip("built outside git")
    record = hegemon.play(["random", "random"], map="line4", rules="sampling", seed=1)
    program = record.program
    assert re.match(r"[0-9.]+, commit [0-9a-f]{12}.*, signature \d+$", program), program


def test_a_record_replays(tmp_path):
    record = hegemon.play(["quo", "baseline", "random"], rules="lux", seed=3)
    assert record.verify().hash == record.states()[-1].hash
    assert len(record.states()) == len(record) + 1
    record.save(tmp_path / "game.hgr")
    assert hegemon.Record.load(tmp_path / "game.hgr").text == record.text
    state = record.game.start()
    for event in record.events:
        state.apply(event)
    assert state.result == {
        "ending": record.ending,
        "scores": record.scores,
        "places": state.result["places"],
    }
    with pytest.raises(hegemon.HegemonError, match=r"game\.hgr: "):
        (tmp_path / "game.hgr").write_text(record.text[:-30])
        hegemon.Record.load(tmp_path / "game.hgr")


def test_bots_choose_and_value_judges():
    state = hegemon.Game("classic", "lux", 3).deal(7)
    for spec in ("random", "baseline", "quo"):
        bot = hegemon.Bot(spec)
        move = bot.choose(state, seed=1)
        assert state.is_legal(move) and bot.choose(state.view(), seed=1) == move
    chances = hegemon.Value("classic").chances(state, viewer=0, champions=[0])
    assert sum(chances) == pytest.approx(1) and len(chances) == 3
    with pytest.raises(hegemon.HegemonError, match="is of the map duel6"):
        hegemon.Value("duel6").chances(state)


def test_pictures_and_texts_are_pleasant():
    state = hegemon.Game("classic", "lux", 3).deal(7)
    for svg in (state._repr_svg_(), state.map._repr_svg_(), state.view()._repr_svg_()):
        assert svg.startswith("<svg") and "Kamchatka" in svg
    assert "42 territories" in repr(state.map)
    assert "player" in repr(state)
    assert state.describe("a4>9x3").startswith("attack ")
