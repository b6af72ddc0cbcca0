"""Runs a program and measures the CPU time and the memory of its process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

LAUNCHER = """
import resource, subprocess, sys
status = subprocess.call(sys.argv[2:], stderr=subprocess.STDOUT)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, file=file)
"""
"""Starts the program from a small process: a peak of memory counts that of the parent when the process was forked."""


class Cost(NamedTuple):
    """What a run took: CPU seconds of the whole process, imports included, and its peak memory in MiB."""

    seconds: float
    memory: float


def cost(command: Sequence[str], folder: Path, stdin: Path | None = None, path: str = "") -> Cost:
    """Run a command and return its cost.

    Args:
        command: the program and its arguments; a status other than 0 ends the benchmark.
        folder: where it runs, and where ``output.txt`` keeps what it prints.
        stdin: the file that it reads as standard input, if any.
        path: the value of ``PYTHONPATH``.

    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = path or environment.get("PYTHONPATH", "")
    launched = [sys.executable, "-S", "-c", LAUNCHER, str(folder / "cost.txt"), *command]
    with (stdin or Path(os.devnull)).open("rb") as given, (folder / "output.txt").open("wb") as output:
        subprocess.run(launched, cwd=folder, stdin=given, stdout=output, env=environment, check=True)
    status, seconds, memory = (folder / "cost.txt").read_text("utf-8").split()
    if status != "0":
        printed = (folder / "output.txt").read_text("utf-8", errors="replace")
        raise SystemExit(f"{' '.join(command)} failed:\n{printed[-2000:]}")
    return Cost(float(seconds), float(memory))
