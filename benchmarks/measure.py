"""Running a program and measuring it: wall time, CPU time, peak memory."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """What one run took; ``finished`` is false if it was stopped at the time limit."""

    wall: float
    cpu: float
    memory: float
    finished: bool


def run(command: Sequence[str], folder: Path, limit: float) -> Run:
    """Run a command in a folder; after ``limit`` seconds it is stopped. Memory is in mebibytes."""
    begin = time.perf_counter()
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        finished = True
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if time.perf_counter() - begin > limit and finished:
                process.kill()
                finished = False
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
    if finished and process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{(folder / 'output.txt').read_text(errors='replace')[-2000:]}")
    wall = time.perf_counter() - begin
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, finished)


def best(command: Sequence[str], folder: Path, *, limit: float, repeats: int) -> Run:
    """Return that of several runs which took the least CPU time: how long one waits depends on who else is there."""
    runs = [run(command, folder, limit) for _ in range(repeats)]
    return min(runs, key=lambda one: one.cpu)
