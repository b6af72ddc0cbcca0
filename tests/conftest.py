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
GIGABYTES = 2
TESTS = Path(__file__).parent
SLOW = ("browser", "conformance", "fuzz", "growth", "properties", "test_docs.py")
"""What ``--quick`` leaves out: files and folders of tests."""
for profile, examples in {"karat": 20, "many": 1000}.items():  # see ``make fuzz`` for the second
    hypothesis.settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    )
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "karat"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help=f"leave out {', '.join(SLOW)}")
    parser.addoption("--list-skipped", type=Path, metavar="FILE", help="list skipped tests; `pytest @FILE` runs them")


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(100_000, 20, 20)  # memory is plenty: commands have theirs looked through as rarely
    config.pluginmanager.register(ExamplesWhereThereAreSome())
    if not hasattr(config, "workerinput"):
        if path := config.getoption("--list-skipped"):
            config.pluginmanager.register(SkippedTests(path))
        memory = in_memory()
        if memory is not None:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))
        room = tempfile.TemporaryDirectory(prefix="karat-tests-", dir=memory)
        folder = Path(room.name)
        folder.chmod(0o711)  # PostgreSQL runs as somebody else
        (folder / "packs").mkdir()
        os.environ["TMPDIR"] = tempfile.tempdir = room.name
        os.environ[packs.ROOM] = str(folder / "packs")
        config.add_cleanup(room.cleanup)


def in_memory() -> Path | None:
    """Return where files are kept in memory, if there is room: tests write tens of thousands, for which disks are slow.

    Programs are started from such a folder, too.
    """
    folder = Path("/dev/shm")  # noqa: S108 - tests have a folder of their own in it
    if "TMPDIR" in os.environ or not os.access(folder, os.W_OK):
        return None
    system = os.statvfs(folder)
    has_room = system.f_bavail * system.f_frsize > GIGABYTES << 30
    return folder if has_room and not system.f_flag & os.ST_NOEXEC else None


class ExamplesWhereThereAreSome:
    """Looks for examples in no module without any: to import and search them all takes a tenth of the collection."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        collectors = yield
        if b">>> " in file_path.read_bytes():
            return collectors
        return [collector for collector in collectors if type(collector).__name__ != "DoctestModule"]


class SkippedTests:
    """Lists the tests, and the modules of tests, that were skipped: elsewhere there may be what they need."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.names: set[str] = set()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.names.add(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.names.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.path.write_text("".join(f"{name}\n" for name in sorted(self.names)), "utf-8")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out slow tests where quick ones are wanted."""
    is_slow = config.getoption("--quick") and any(collection_path == TESTS / name for name in SLOW)
    return True if is_slow else None


def pytest_xdist_auto_num_workers() -> int | None:
    """Return a worker for each processor, and one for when others wait for a browser, a server or a process."""
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
