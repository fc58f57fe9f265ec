#!/usr/bin/env python3
"""A bot that misbehaves on purpose, to test what a host makes of it.

    misbehaving.py --crash 0.01 --hang 0.01 --garbage 0.01 ...

Each option is the probability, at each move, of one kind of misbehaviour; else
it plays a random legal move. What it does depends on the seed and the seat of
the game only, not on the process, so that runs can be repeated.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

KINDS = {
    "crash": "exit in the middle of a game",
    "orphan": "leave a child process behind and exit",
    "hang": "never answer",
    "slow": "answer after twice the time allowed",
    "garbage": "answer something that is no move",
    "illegal": "answer a move that is not legal",
    "flood": "write without end",
    "mute": "close the output but go on",
    "double": "answer twice",
}


def say(**message):
    print(json.dumps(message), flush=True)


def random_move(rng, message):
    """A random one of the moves, or of a random group's if they are not listed."""
    if message["moves"]:
        return rng.choice(message["moves"])
    group = rng.choice(message["groups"])
    if group["kind"] in ("trade", "end"):
        return group.get("move", "end")
    text = {"claim": "c", "capital": "k", "place": "p", "attack": "a", "occupy": "o", "fortify": "f"}[group["kind"]]
    if "from" in group:
        text += f"{group['from']}>"
    if "to" in group:
        text += str(rng.choice(group["to"]))
    if "armies" in group:
        text += ("x" if "to" in group else "") + str(rng.randint(*group["armies"]))
    return text


def misbehave(kind, rng, message, args):
    if kind == "crash":
        sys.stderr.write("Traceback: I meant to do that\n")
        sys.stderr.flush()
        os._exit(3)
    elif kind == "orphan":
        subprocess.Popen(["sleep", args.sleep])
        os._exit(4)
    elif kind == "hang":
        while True:
            time.sleep(1000)
    elif kind == "slow":
        time.sleep(message["budget"]["move_ms"] * 2 / 1000)
        say(type="move", move=random_move(rng, message))
    elif kind == "garbage":
        print(rng.choice(["attack!", "{}", "[", '{"type":"move","move":"a>x"}', "\0\xff", ""]), flush=True)
    elif kind == "illegal":
        say(type="move", move=rng.choice(["p127x1", "a0>0x1", "o29999", "c126", "f0>0x0"]))
    elif kind == "flood":
        while True:
            os.write(1, b"0123456789abcde\n" * 4096 if rng.random() < 0.5 else b"x" * 65536)
    elif kind == "mute":
        os.close(1)
        time.sleep(1000)
    elif kind == "double":
        # The second answer is out of turn: it is noticed at the next question.
        os.write(1, (json.dumps({"type": "move", "move": random_move(rng, message)}) + "\n").encode() * 2)


def main():
    parser = argparse.ArgumentParser()
    for kind, text in KINDS.items():
        parser.add_argument(f"--{kind}", type=float, default=0.0, help=text)
    parser.add_argument("--sleep", default="1000", help="seconds that the orphan sleeps")
    args = parser.parse_args()
    rng = random.Random(0)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", protocol=1, name="misbehaving")
        elif message["type"] == "new_game":
            rng = random.Random(f"{message['seed']} {message['seat']}")
        elif message["type"] == "choose":
            fate = rng.random()
            for kind in KINDS:
                fate -= getattr(args, kind)
                if fate < 0:
                    misbehave(kind, rng, message, args)
                    break
            else:
                say(type="move", id=message["id"], move=random_move(rng, message))


main()
