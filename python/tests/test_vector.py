"""Many games at once: the same as one at a time, in arrays that stay where they are."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

import hegemon
from hegemon import _hegemon


def test_arrays_stay_where_they_are():
    env = hegemon.VecEnv(8, rules="sampling", seed=1)
    before = env.observations.__array_interface__["data"]
    for _ in range(10):
        observations, masks, rewards, dones = env.step(env.sample())
    assert observations.__array_interface__["data"] == before
    assert np.shares_memory(env.nodes, observations) and np.shares_memory(env.globals, observations)
    assert np.from_dlpack(observations).ctypes.data == observations.ctypes.data
    # JAX copies what does not begin at such an address.
    arrays = (observations, env.final_observations, masks, rewards, dones, env.seats, env.utilities)
    assert all(array.ctypes.data % 64 == 0 and array.flags.c_contiguous for array in arrays)
    assert masks.dtype == np.bool_ and rewards.shape == dones.shape == (8,)


def test_threads_change_nothing():
    runs = []
    for threads in (1, 3):
        env = hegemon.VecEnv(600, map="duel6", rules="lux", players=3, seed=5, threads=threads)
        rewards = 0.0
        for _ in range(200):
            env.step(env.sample())
            rewards += env.utilities[:, 0].sum()
        runs.append((env.observations.copy(), env.seeds.copy(), rewards))
    assert (runs[0][0] == runs[1][0]).all() and (runs[0][1] == runs[1][1]).all()
    assert runs[0][2] == runs[1][2]


def test_a_game_of_the_batch_is_the_game_of_its_seed():
    """Step by step the same as an Episode, through the end into the next game."""
    seeds = np.arange(100, 104, dtype=np.uint64)
    env = hegemon.VecEnv(4, map="duel6", rules="lux", players=2)
    env.reset(seeds=seeds)
    episode = _hegemon.Episode(env.game, [None, None], int(seeds[2]))
    n_ended = 0
    for _ in range(1500):
        seat = int(env.seats[2])
        assert episode.player == seat
        assert (episode.observe(seat) == env.observations[2]).all()
        assert (episode.mask() == env.masks[2]).all()
        actions = env.sample().copy()
        episode.step(int(actions[2]))
        env.step(actions)
        assert env.utilities[2] == pytest.approx(episode.utilities())
        if env.dones[2]:
            n_ended += 1
            assert episode.is_over
            assert env.rewards[2] == pytest.approx(episode.utilities()[seat])
            assert (env.final_observations[2] == episode.observe(seat)).all()
            episode.reset(int(env.seeds[2]))
    assert n_ended > 1


def test_opponents_are_played_and_the_learner_moves_around():
    env = hegemon.VecEnv(16, map="duel6", rules="lux", opponents=["baseline"], seed=2)
    seats, rewards, n_ended = set(), 0.0, 0
    for _ in range(800):
        seats |= set(env.seats.tolist())
        env.step(env.sample())
        rewards += float(env.rewards[env.dones].sum())
        n_ended += int(env.dones.sum())
    assert seats == {0, 1} and n_ended > 16
    assert rewards / n_ended < 0, "baseline beats random steps"


def test_an_illegal_action_stops_all():
    env = hegemon.VecEnv(4, map="duel6", rules="sampling", seed=1)
    actions, before = env.sample().copy(), env.observations.copy()
    actions[3] = -1
    with pytest.raises(hegemon.IllegalMoveError, match="action -1 is not legal in game 3"):
        env.step(actions)
    assert (env.observations == before).all()
    with pytest.raises(hegemon.HegemonError, match="3 actions for 4 games"):
        env.step(actions[:3])


def test_after_writing_into_the_masks_an_illegal_action_asks_for_a_reset():
    env = hegemon.VecEnv(4, map="duel6", rules="sampling", seed=1)
    actions = env.sample().copy()
    actions[2] = (~env.masks[2]).argmax()
    env.masks[:] = True
    with pytest.raises(hegemon.IllegalMoveError, match="is not legal in game 2"):
        env.step(actions)
    with pytest.raises(hegemon.HegemonError, match="reset before the next one"):
        env.step(env.sample())
    env.reset()
    env.step(env.sample())


def test_actions_and_seeds_are_whole_numbers():
    env = hegemon.VecEnv(4, map="duel6", rules="sampling", seed=1)
    for actions in (env.sample() + 0.5, [None] * 4, env.sample().reshape(2, 2), env.masks[:, 0]):
        with pytest.raises(hegemon.HegemonError, match="actions are a row of whole numbers, not"):
            env.step(actions)
    with pytest.raises(hegemon.HegemonError, match="actions are numbers from"):
        env.step(np.full(4, 2**64 - 1, np.uint64))
    with pytest.raises(hegemon.HegemonError, match="seeds are numbers from 0"):
        env.reset(seeds=np.array([-1, 2, 3, 4]))
    for form in (lambda row: np.repeat(row, 2)[::2], lambda row: row.astype(">i4"), list):
        env.step(form(env.sample()))


def test_gymnasium_makes_many_by_name():
    import hegemon.gymnasium_env  # noqa: F401

    env = gymnasium.make_vec("Hegemon-v0", num_envs=3, rules="sampling")
    first, _ = env.reset(seed=4)
    first = first.copy()
    later = env.reset()[0].copy()
    assert (env.reset(seed=4)[0] == first).all() and (env.reset()[0] == later).all()
    assert env.reset(seed=[1, None, 3])[0].shape == first.shape
    env.close()


def test_gymnasium_vector_interface():
    env = hegemon.gym_vector_env(6, "duel6", "lux", opponents=["random"])
    observations, info = env.reset(seed=4)
    assert env.observation_space.contains(observations)
    first = observations.copy()
    for _ in range(300):
        actions = [env.single_action_space.sample(mask) for mask in info["action_mask"]]
        observations, rewards, ended, cut, info = env.step(np.array(actions))
        assert rewards.shape == ended.shape == cut.shape == (6,)
        if ended.any():
            assert info["final_obs"].shape == observations.shape
    again, _ = env.reset(seed=4)
    assert (again == first).all()
    one_each, _ = env.reset(seed=[1, 2, 3, 4, 5, 6])
    assert one_each.shape == first.shape
    env.close()


def test_a_batch_says_that_it_cannot_be_sent():
    env = hegemon.VecEnv(2, map="duel6", rules="sampling")
    for send in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="make one in each process, with a seed of its own"):
            send(env)
