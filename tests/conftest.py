"""What holds for every test: no time limits but one for the whole run, which only a hang can reach."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest

from tests.conformance import packs
from tests.postgresql import places, postgresql

__all__ = ["places", "postgresql"]

HOURS = 2
for profile, examples in {"karat": 20, "many": 1000}.items():  # see ``make fuzz`` for the second
    hypothesis.settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    )
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "karat"))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ExamplesWhereThereAreSome())
    if not hasattr(config, "workerinput"):
        room = tempfile.TemporaryDirectory(prefix="karat-packs-")
        os.environ[packs.ROOM] = room.name
        config.add_cleanup(room.cleanup)


class ExamplesWhereThereAreSome:
    """Looks for examples in no module without any: to import and search them all takes a tenth of the collection."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        collectors = yield
        if b">>> " in file_path.read_bytes():
            return collectors
        return [collector for collector in collectors if type(collector).__name__ != "DoctestModule"]


def pytest_xdist_auto_num_workers() -> int | None:
    """Return one more than there are processors: some tests wait for a browser, a server or a program they started."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else (os.cpu_count() or 1) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    os.fsync = lambda descriptor: None  # type: ignore[assignment]  # no test cuts the power: nobody waits for the disk
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell: programs would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    faulthandler.dump_traceback_later(HOURS * 3600, exit=True)


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.collect()
    gc.freeze()  # tens of thousands of tests stay until the end: no need to look at them again, or to count them


def pytest_sessionfinish(session: pytest.Session) -> None:
    faulthandler.cancel_dump_traceback_later()
