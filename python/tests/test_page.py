"""A bot in Python plays in the page: `hegemon play --bot Mine='cmd(python3 my_bot.py)'`."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import urllib.request

import pytest

import hegemon

PROGRAM = os.environ.get("HEGEMON_PROGRAM") or shutil.which("hegemon")

BOT = """
import hegemon

@hegemon.bot
def last_move(view):
    return view.legal_moves()[-1]

if __name__ == "__main__":
    hegemon.serve(last_move)
"""


def ask(address: str, body: dict | None = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(address, data, timeout=60) as answer:
        return answer.read().decode()


@pytest.fixture
def page(tmp_path):
    """Give the address of a server that offers the bot as Mine."""
    bot = tmp_path / "my_bot.py"
    bot.write_text(textwrap.dedent(BOT))
    words = ["play", "--port", "0", "--store", str(tmp_path / "games.db")]
    words += ["--bot", f"Mine=cmd({sys.executable} {bot})"]
    with subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, text=True) as server:
        try:
            first = server.stdout.readline()
            yield first.removeprefix("hegemon is at ").strip().rstrip("/")
        finally:
            server.send_signal(signal.SIGINT)


@pytest.mark.skipif(PROGRAM is None, reason="the program hegemon is not there")
def test_a_bot_in_python_plays_in_the_page(page):
    assert json.loads(ask(f"{page}/api/host-bots")) == ["Mine"]
    seats = [{"kind": "bot", "host_bot": "Mine"}, {"kind": "bot", "level": "recruit"}]
    game = {"map": "duel6", "rules": "lux", "seed": "7", "seats": seats}
    number = json.loads(ask(f"{page}/api/games", game))["id"]
    for _ in range(6000):
        if json.loads(ask(f"{page}/api/games/{number}"))["status"] == "over":
            break
        time.sleep(0.05)
    record = hegemon.Record(ask(f"{page}/api/games/{number}/record"))
    assert record.players[0] == "host:Mine" and record.verify().is_over
    chosen = [
        (event, str(state.legal_moves()[-1]))
        for state, event in zip(record.states(), record.events, strict=False)
        if state.player == 0 and not state.is_chance
    ]
    assert chosen and all(event == expected for event, expected in chosen)
