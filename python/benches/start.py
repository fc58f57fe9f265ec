"""Processor time of starting Python and importing packages, the least of some tries.

Example: python python/benches/start.py
"""

from __future__ import annotations

import resource
import subprocess
import sys

TRIES = 15


def used() -> float:
    """Give the processor time of all programs that were started, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cost(code: str) -> float:
    """Give the processor time of a line of Python in a process of its own."""
    before = used()
    subprocess.run([sys.executable, "-c", code], check=True)
    return used() - before


def main() -> None:
    """Print the measures."""
    for code in ("pass", "import numpy", "import hegemon"):
        print(f"{code}: {1000 * min(cost(code) for _ in range(TRIES)):.0f} ms")


if __name__ == "__main__":
    main()
