"""Processes that work for another one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import karat

KILLED = """
import os, signal, time
from karat.scoring.engines import Processes

workers = Processes(2)
print(*[workers.submit(os.getpid).result() for _ in range(2)], flush=True)
for _ in range(2):
    workers.submit(time.sleep, 3600)
os.kill(os.getpid(), signal.SIGKILL)
"""
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1])}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals")
def test_workers_end_with_the_process_that_has_started_them_even_if_it_is_killed() -> None:
    """What was printed has come to its end when nobody holds the pipe any more, the workers included."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED], env=ENVIRONMENT, stdout=subprocess.PIPE, timeout=600, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert len(done.stdout.split()) == 2
