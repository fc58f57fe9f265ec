"""What is missing is named in a sentence, with the command that installs it."""

import subprocess
import sys

import pytest

# A module that is None cannot be imported.
WITHOUT = "import sys; sys.modules.update(ray=None, gymnasium=None, pettingzoo=None)\n"
CASES = {
    "import hegemon; hegemon.env()": "PettingZoo is not installed: pip install pettingzoo",
    "import hegemon; hegemon.gym_env()": "Gymnasium is not installed: pip install gymnasium",
    "import hegemon.cluster; hegemon.cluster.Tasks()": "Ray is not installed: pip install ray",
}


def run(code: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", WITHOUT + code]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("code", CASES)
def test_a_missing_package_is_named(code):
    done = run(code)
    assert done.returncode == 1 and f"ImportError: {CASES[code]}" in done.stderr


def test_the_command_needs_no_traceback_for_it():
    done = run(
        "import runpy; sys.argv[1:] = 'match baseline random --rules sampling'.split()\n"
        "runpy.run_module('hegemon.cluster', run_name='__main__')"
    )
    assert done.returncode == 1
    assert done.stderr == "error: Ray is not installed: pip install ray\n"
