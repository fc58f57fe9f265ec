"""Ctrl-C ends a long call, and what it cut short says so."""

import signal
import subprocess
import sys
import textwrap

import pytest

import hegemon

START = """
import hegemon, os, signal, sys, threading, time

# Whoever starts the tests in the background may have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

@hegemon.bot
def slow(view):
    time.sleep(0.01)
    return view.legal_moves()[0]

def press():
    print("pressed", flush=True)
    os.kill(os.getpid(), signal.SIGINT)

def interrupted(call):
    threading.Timer(0.5, press).start()
    try:
        call()
    except KeyboardInterrupt:
        return
    sys.exit("it went on to its end")
"""
# Without Ctrl-C each of them takes many minutes.
LONG = "mcts(iters=2000000)"
CALLS = {
    "play": f'interrupted(lambda: hegemon.play(["{LONG}", "random"], rules="lux"))',
    "match": f'interrupted(lambda: hegemon.match(["{LONG}", "random"], rules="lux"))',
    "match of a bot in Python": """
interrupted(lambda: hegemon.match([slow, "random"], rules="lux", games=10**6, threads=1))
""",
    "sprt": f'interrupted(lambda: hegemon.sprt("{LONG}", "random", rules="lux"))',
    "choose": f"""
state = hegemon.Game("classic", "lux", 2).deal(1)
interrupted(lambda: hegemon.Bot("{LONG}").choose(state))
""",
    "smallest_force": """
interrupted(lambda: hegemon.smallest_force(30_000, 0.999, rules="beam"))
""",
    "VecEnv.step": """
env = hegemon.VecEnv(8, map="duel6", rules="sampling", opponents=["mcts(iters=1000)"], seed=1)
def steps():
    while True:
        env.step(env.sample())
interrupted(steps)
try:
    env.step(env.sample())
except hegemon.IllegalMoveError:
    sys.exit("it does not say what happened")
except hegemon.HegemonError as error:
    assert "stopped in the middle: reset" in str(error), error
env.reset()
env.step(env.sample())
""",
    "VecEnv": """
bots = ["mcts(iters=20000)"]
interrupted(lambda: hegemon.VecEnv(4096, rules="lux", opponents=bots, seed=1))
""",
    "Episode": """
bots = ["mcts(iters=20000)"] * 2
interrupted(lambda: hegemon._hegemon.Episode(hegemon.Game("classic", "lux", 2), bots, 1))
""",
}


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_a_long_call(name):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(START + CALLS[name])],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "pressed" in done.stdout


def test_a_handler_of_ones_own_may_let_it_go_on():
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        signal.raise_signal(signal.SIGINT)
        assert hegemon.match(["baseline", "random"], rules="sampling", games=4).games == 4
    finally:
        signal.signal(signal.SIGINT, before)
