"""The examples in the docstrings run, of both halves of the package."""

import doctest
import importlib

import pytest

import hegemon
from hegemon import _hegemon

NAMES = (
    "analysis",
    "bots",
    "datasets",
    "encoding",
    "lab",
    "runs",
    "spiel",
    "training",
    "vector",
)
MODULES = ["hegemon", *(f"hegemon.{name}" for name in NAMES)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_python_half(name):
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0 and failed == 0


def test_examples_of_the_native_half():
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    tried = 0
    for name in dir(_hegemon):
        value = getattr(_hegemon, name)
        for test in finder.find(value, name, module=False, globs=vars(hegemon).copy()):
            tried += len(test.examples)
            runner.run(test)
    assert tried > 10 and runner.failures == 0


def test_everything_public_is_documented():
    for name in hegemon.__all__:
        assert name == "__version__" or getattr(hegemon, name).__doc__, name
