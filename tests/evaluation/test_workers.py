"""Workers: what one that is killed had to do is done again, and all of them end with who has started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest

from karat.errors import KaratError
from karat.evaluation.workers import Processes, in_order


def dying(flag: str, number: int) -> int:
    """Return a number; the first who asks for the third dies."""
    if number == 3 and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_the_work_of_a_process_that_dies_is_done_again(tmp_path: Path) -> None:
    tasks = [(str(tmp_path / "died"), number) for number in range(6)]
    with Processes(2) as executor:
        assert list(in_order(executor, dying, tasks)) == list(range(6))
    assert (tmp_path / "died").exists()


def test_work_is_taken_as_it_comes_and_done_again_all_the_same(tmp_path: Path) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[tuple[str, int]]:
        for number in range(9):
            taken.append(number)
            yield str(tmp_path / "died"), number

    with Processes(2) as executor:
        done = in_order(executor, dying, tasks(), 4)
        assert (next(done), taken) == (0, [0, 1, 2, 3])
        assert list(done) == list(range(1, 9))
    assert (tmp_path / "died").exists()


def test_processes_whose_work_is_broken_off_end_in_the_middle_of_it() -> None:
    waiting: list[Future[None]] = []

    def broken_off() -> None:
        with Processes(2) as executor:
            waiting.extend(executor.submit(time.sleep, 600) for _ in range(4))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert all(future.done() for future in waiting)


ORPHANS = """
import os, signal, time
from karat.evaluation.workers import Processes
executor = Processes(2)
print(executor.submit(abs, -1).result(), flush=True)
for _ in range(4):
    executor.submit(time.sleep, 600)
os.kill(os.getpid(), signal.{})
"""


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_processes_end_with_the_one_that_has_started_them(name: str) -> None:
    """Their output is at its end when the last of them is gone."""
    command = [sys.executable, "-c", ORPHANS.format(name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert (done.returncode, done.stdout) == (-getattr(signal, name), "1\n")


class Broken(Executor):
    """Workers that have died, and that are not ours to start again."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor())
        return future


def test_workers_of_others_that_die_are_one_sentence() -> None:
    with pytest.raises(KaratError, match="workers have died before they were done"):
        list(in_order(Broken(), abs, [(1,)]))
