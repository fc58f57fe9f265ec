"""The examples run, at small size; those that need PyTorch or scikit-learn where these are.

`HEGEMON_TORCH_PYTHON` is a Python with PyTorch, where that of the tests has none.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


TORCH_PYTHON = os.environ.get("HEGEMON_TORCH_PYTHON", sys.executable)


def run(name: str, *arguments: str, python: str = sys.executable) -> str:
    done = subprocess.run(
        [python, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs(package: str):
    return pytest.mark.skipif(
        importlib.util.find_spec(package) is None, reason=f"{package} is not installed"
    )


def test_the_tour():
    assert "as a graph" in run("tour.py")


@needs("sklearn")
def test_the_draft_evaluator():
    assert "says rightly" in run("draft_evaluator.py", "--small")


@pytest.mark.slow
@pytest.mark.skipif(
    sys.executable == TORCH_PYTHON and importlib.util.find_spec("torch") is None,
    reason="torch is not installed",
)
def test_ppo(tmp_path):
    files = ["--svg", str(tmp_path / "curve.svg"), "--table", str(tmp_path / "curve.md")]
    lines = run("ppo.py", "--small", *files, python=TORCH_PYTHON).splitlines()
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    for rival in ("random", "simulation"):
        assert last[rival] > first[rival] + 0.1, "it learns"
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
    assert f"{last['steps']:,}" in (tmp_path / "curve.md").read_text()
