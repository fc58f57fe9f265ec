"""Environments against PettingZoo's and Gymnasium's own tests, and against the engine."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import hegemon
from hegemon import _hegemon, spiel
from hegemon.encoding import Encoding

SMALL = [("duel6", "sampling", 2), ("triangle3", "lux", 2), ("classic", "classic", 3)]


@pytest.mark.parametrize(("board", "rules", "players"), SMALL)
def test_pettingzoo_accepts_the_environment(board, rules, players, capsys):
    with warnings.catch_warnings():
        # PettingZoo's test warns of what it does not know: observations that are dictionaries.
        warnings.simplefilter("ignore")
        api_test(hegemon.env(board, rules, players), num_cycles=200)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("bots", [None, {1: "baseline"}])
def test_pettingzoo_finds_seeds_kept(bots):
    seed_test(lambda: hegemon.env("duel6", "sampling", 2, bots=bots), num_cycles=200)


@pytest.mark.parametrize("opponents", [["random"], ["baseline", "random"]])
def test_gymnasium_accepts_the_environment(opponents):
    rules = "lux"
    env = hegemon.gym_env("classic", rules, opponents=opponents)
    with warnings.catch_warnings():
        # It wants an action of its own choice to be played, and knows no masks.
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_gymnasium_makes_it_by_name():
    import hegemon.gymnasium_env  # noqa: F401

    env = gymnasium.make("Hegemon-v0", rules="sampling", disable_env_checker=True)
    _, info = env.reset(seed=3)
    assert info["action_mask"].sum() > 0
    env.close()


def random_game(env, seed):
    """Play with masks; return rewards of all agents and the number of steps."""
    generator = np.random.default_rng(seed)
    env.reset(seed=seed)
    total, n = dict.fromkeys(env.possible_agents, 0.0), 0
    for agent in env.agent_iter():
        observation, reward, ended, cut, _ = env.last()
        total[agent] += reward
        if ended or cut:
            env.step(None)
            continue
        n += 1
        env.step(generator.choice(np.flatnonzero(observation["action_mask"])))
    return total, n


def test_rewards_add_up_to_zero():
    for players in (2, 3):
        total, n = random_game(hegemon.env("duel6", "lux", players), 5)
        assert sum(total.values()) == pytest.approx(0) and n > 10
        assert max(total.values()) == 1


def test_bots_fill_seats():
    env = hegemon.env("duel6", "lux", 3, bots={0: "quo", 2: "baseline"})
    assert env.possible_agents == ["player_1"]
    total, _ = random_game(env, 1)
    assert total["player_1"] in (1, -0.5)


def test_hidden_cards_are_hidden():
    game = hegemon.Game("classic", "lux", 3)
    encoding = Encoding.of(game)
    card = encoding.node_names.index("card")
    record = hegemon.play(["quo", "killbot", "boscoe"], rules="lux", seed=2)
    state = next(state for state in record.states() if all(state.hand(seat) for seat in range(3)))
    for seat in range(3):
        nodes, _ = encoding.split(_hegemon.Steps(game, state).observe(seat))
        held = {t for t in state.hand(seat) if t is not None}
        assert set(np.flatnonzero(nodes[:, card])) == held


@pytest.mark.parametrize(
    ("board", "rules", "players"), [*SMALL, ("classic", "beam", 4), ("classic", "lux", 6)]
)
def test_every_legal_move_can_be_made_and_nothing_else(board, rules, players):
    """The paths through the steps are exactly the legal moves of the engine."""
    game = hegemon.Game(board, rules, players)
    generator = np.random.default_rng(1)
    steps = _hegemon.Steps(game)
    checked = set()
    for _ in range(3000):
        if steps.is_over:
            break
        phase = steps.state.phase
        is_new_decision = steps.player is not None and steps.actions() == list(
            _hegemon.Steps(game, steps.state).actions()
        )
        if is_new_decision and (phase not in checked or generator.random() < 0.01):
            checked.add(phase)
            check_decision(steps)
        actions = steps.actions()
        steps.take(actions[generator.integers(len(actions))])
    assert {"reinforce", "attack"} <= checked


def check_decision(steps):
    before = steps.state
    if len(before.legal_moves()) > 2000:
        return
    reached, open_ends = [], [_hegemon.Steps(steps.game, before)]
    while open_ends:
        node = open_ends.pop()
        for action in node.actions():
            child = node.clone()
            child.take(action)
            if child.state == before:
                open_ends.append(child)
            else:
                reached.append(child.state.position)
    expected = []
    for move in before.legal_moves():
        after = before.copy()
        after.play(move)
        expected.append(after.position)
    assert sorted(reached) == sorted(expected)


def test_illegal_actions_are_refused_and_change_nothing():
    episode = _hegemon.Episode(hegemon.Game("duel6", "sampling", 2), [None, None], 1)
    before = episode.state
    for action in (-1, 0, 10**6, *np.flatnonzero(~episode.mask())):
        with pytest.raises(hegemon.IllegalMoveError, match="is not legal here"):
            episode.step(int(action))
    assert episode.state == before


def test_openspiel_interface_walks_a_game():
    game = spiel.Game("duel6", "lux", 2)
    state = game.new_initial_state()
    generator = np.random.default_rng(3)
    n_chance = 0
    while not state.is_terminal():
        if state.is_chance_node():
            n_chance += 1
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            action = int(generator.choice(actions, p=np.array(chances) / sum(chances)))
        else:
            player = state.current_player()
            assert state.legal_actions(1 - player) == []
            assert sum(state.legal_actions_mask()) == len(state.legal_actions())
            tensor = state.information_state_tensor()
            assert list(tensor.shape) == game.information_state_tensor_shape()
            action = int(generator.choice(state.legal_actions()))
            assert state.action_to_string(player, action)
        twin = state.child(action)
        state.apply_action(action)
        assert twin.state == state.state and twin.history() == state.history()
    assert n_chance > 10 and sum(state.returns()) == 0
    assert state.current_player() == spiel.PlayerId.TERMINAL
    assert state.legal_actions() == []


def test_openspiel_states_can_be_sent_away():
    game = spiel.Game("duel6", "lux", 2)
    state = game.state_of(game.game.deal(2))
    for _ in range(40):
        twin = pickle.loads(pickle.dumps(state))
        assert twin.legal_actions() == state.legal_actions()
        assert twin.information_state_string(0) == state.information_state_string(0)
        assert twin.history() == state.history()
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(hegemon.HegemonError, match="the state is of another game"):
        game.state_of(hegemon.Game("classic", "lux", 2).deal(1))


def test_a_flat_monte_carlo_player_for_openspiel_runs():
    """An algorithm that knows nothing but the interface."""
    game = spiel.Game("triangle3", "sampling", 2)
    generator = np.random.default_rng(1)

    def rollout(state):
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(generator.choice(actions, p=chances)))
            else:
                state.apply_action(int(generator.choice(state.legal_actions())))
        return state.returns()

    root = game.state_of(game.game.deal(1))
    player = root.current_player()
    values = {
        action: np.mean([rollout(root.child(action))[player] for _ in range(5)])
        for action in root.legal_actions()
    }
    assert values and all(-1 <= value <= 1 for value in values.values())
