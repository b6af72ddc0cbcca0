"""Many cases by several processes: shared among targets, resumed where a run was broken off, reported by target."""

from __future__ import annotations

import faulthandler
import gc
import json
import resource
import signal
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import FrameType
from typing import NoReturn

import msgspec

from tests.fuzz.cases import Case, make
from tests.fuzz.corpus import keep
from tests.fuzz.oracle import FaultError, Place, examine
from tests.fuzz.shrink import shrunk
from tests.fuzz.targets import Target, targets
from tests.work import TooMuchWorkError, steps

PART = 250
"""How many cases a process takes at a time."""
SUSPICIOUS = 0.25
"""Seconds of processor time after which the work of a case is counted; only the count can fail it."""
HANGING = 60
"""Seconds of processor time after which a case is stopped, to be reported as one that hangs."""
KILLED = 900
"""Seconds after which a process is ended that cannot be stopped in any other way."""
MEMORY = 3 << 30


class HangError(BaseException):
    """A case that did not end; no handler in between may hold it back."""


class Part(msgspec.Struct, frozen=True):
    """Some cases of a target: their seeds go from ``first`` up to ``last``, which is not among them."""

    target: str
    first: int
    last: int


class Fault(msgspec.Struct, frozen=True):
    """A broken promise: of which seed, which one, and where the case is kept."""

    target: str
    seed: int
    key: str
    told: str
    path: str = ""


class Report(msgspec.Struct):
    """What came of some cases of a target; ``most_steps`` is the largest work that was counted."""

    target: str
    cases: int = 0
    refused: int = 0
    scored: int = 0
    failed: int = 0
    counted: int = 0
    most_steps: int = 0
    seconds: float = 0.0
    faults: list[Fault] = []

    def add(self, other: Report) -> None:
        """Add what came of other cases of the same target."""
        for name in ("cases", "refused", "scored", "failed", "counted", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.most_steps = max(self.most_steps, other.most_steps)
        known = {fault.key for fault in self.faults}
        self.faults = self.faults + [fault for fault in other.faults if fault.key not in known]


def budget(case: Case) -> int:
    """Return how many steps a case may take: so many for each byte, and some for the tables that are read anyway."""
    return 3_000_000 + 3_000 * case.size


def parts(number: int, only: Iterable[str] = (), seed: int = 0) -> Iterator[Part]:
    """Yield the parts of a run with so many cases, spread over the targets by their shares, from a seed upwards."""
    chosen = [target for target in targets().values() if not only or any(name in target.title for name in only)]
    total = sum(target.share for target in chosen)
    waiting = {target.title: max(1, round(number * target.share / total)) for target in chosen}
    first = 0
    while waiting:
        for title, last in list(waiting.items()):
            yield Part(title, seed + first, seed + min(first + PART, last))
            if first + PART >= last:
                del waiting[title]
        first += PART


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise HangError


def prepare() -> None:
    """Make ready a process that tries many cases: limits for memory and for single cases, and few collections."""
    signal.signal(signal.SIGVTALRM, _stop)
    # what is written to counts, not addresses: the engine that draws charts reserves more of those than any machine has
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    targets()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def try_part(part: Part, folder: str = "", *, every: int = 500) -> Report:
    """Try the cases of a part; the work of suspicious ones, and of each so many-th, is counted."""
    report = Report(part.target)
    target = targets()[part.target]
    started = time.process_time()
    known: set[str] = set()
    faulthandler.dump_traceback_later(KILLED, exit=True)
    with Place() as place:
        for seed in range(part.first, part.last):
            report.cases += 1
            try:
                outcome = _tried(target, seed, place, report, always=seed % every == 0)
            except FaultError as fault:
                report.failed += 1
                if fault.key not in known:
                    known.add(fault.key)
                    report.faults.append(_kept(target, seed, fault, place, folder))
                continue
            setattr(report, outcome, getattr(report, outcome) + 1)
    faulthandler.cancel_dump_traceback_later()
    report.seconds = time.process_time() - started
    return report


def _tried(target: Target, seed: int, place: Place, report: Report, *, always: bool) -> str:
    case = make(target, seed)
    before = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGING)
    try:
        outcome = examine(case, place)
    except HangError as hang:
        raise FaultError("does not end", f"stopped after {HANGING} s") from hang
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if always or time.process_time() - before > SUSPICIOUS:
        report.counted += 1
        report.most_steps = max(report.most_steps, work(case, place))
    return outcome


def work(case: Case, place: Place) -> int:
    """Return how many steps a case takes; more than its budget is a fault."""
    try:
        return steps(lambda: examine(case, place), most=budget(case))
    except TooMuchWorkError as error:
        raise FaultError("does too much work", f"{case.size} bytes, {error}") from error


def _kept(target: Target, seed: int, fault: FaultError, place: Place, folder: str) -> Fault:
    """Make the case of a fault small and keep it, if there is a folder for it."""
    path = ""
    if folder:
        case = make(target, seed)
        if "end" not in fault.key.split() and "work" not in fault.key.split():
            case = shrunk(case, fault.key, place)
        path = str(keep(case, fault.key, Path(folder)))
    return Fault(target.title, seed, fault.key, fault.told[-2000:], path)


def campaign(number: int, folder: Path, workers: int, only: Iterable[str] = (), seed: int = 0) -> Iterator[Report]:
    """Yield the reports of the parts of a run as they end; what stands in the folder already is not tried again."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / f"run-{number}-{seed}.jsonl"
    waiting = dict.fromkeys(parts(number, only, seed))
    for line in done.read_text("utf-8").splitlines() if done.exists() else ():
        part, report = msgspec.convert(json.loads(line), tuple[Part, Report])
        if part in waiting:
            del waiting[part]
            yield report
    with ProcessPoolExecutor(workers, initializer=prepare) as pool, done.open("a", encoding="utf-8") as stream:
        under_way = {pool.submit(try_part, part, str(folder / "faults")): part for part in waiting}
        for future in as_completed(under_way):
            try:
                report = future.result()
            except BrokenProcessPool as error:
                raise SystemExit(f"a process ended while one of {_first(under_way)} was tried") from error
            stream.write(json.dumps(msgspec.to_builtins((under_way[future], report))) + "\n")
            stream.flush()
            yield report


def _first(under_way: dict[object, Part]) -> list[Part]:
    return [part for future, part in under_way.items() if not future.done() or future.exception()][:8]  # type: ignore[attr-defined]
