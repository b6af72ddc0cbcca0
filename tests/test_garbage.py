"""The garbage collector is paused while much comes into being, and left as it was."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import karat
from karat.garbage import without_collection

_SEEN = """
import gc
from karat.garbage import without_collection
seen = []
gc.callbacks.append(lambda phase, found: seen.append(found["generation"]))
with without_collection():
    made = [[] for _ in range(200_000)]
print(seen, gc.get_count()[0] < 1000, gc.get_freeze_count(), gc.isenabled())
"""


def test_frozen_objects_stay_frozen_and_a_collector_that_is_off_stays_off() -> None:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        frozen = gc.get_freeze_count()
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
        gc.enable()
        gc.freeze()
        with without_collection():
            assert not gc.isenabled()
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_what_came_into_being_is_not_gone_through_at_once() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", _SEEN], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[] True 0 True\n"
