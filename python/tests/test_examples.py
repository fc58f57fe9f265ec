"""The examples run, at small size; those that need PyTorch or scikit-learn where these are."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
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
@needs("torch")
def test_ppo(tmp_path):
    out = run("ppo.py", "--small", "--svg", str(tmp_path / "curve.svg"))
    assert out.count('"steps"') >= 2
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
