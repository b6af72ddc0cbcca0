"""Where work is done: here, in processes of this machine, or wherever an executor has it done; always in order."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from karat._version import __version__
from karat.errors import KaratError, MissingExtraError
from karat.io import is_file
from karat.io.outputs import held_interrupts
from karat.io.progress import unwatch
from karat.plugins import keep_locations

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")

PAYS = 8_000_000
"""Bytes of input from which on a second process pays for its start."""

_MOST = 16
"""Processes that are started if nobody says how many."""
_PATIENCE = 10
"""Seconds in which a scheduler must answer."""
_TRIES = 3
"""How often work is begun again after a worker has died."""


def cores() -> int:
    """Return how many processes can work at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pays(executor: Executor, paths: Iterable[str | None]) -> bool:
    """Say whether it pays to have an executor read these files; how large those of a folder are is not known."""
    if not isinstance(executor, Processes):
        return True
    return executor.pays(sum(os.path.getsize(path) for path in paths if path is not None and is_file(path)))  # noqa: PTH202


class Processes(Executor):
    """Processes of this machine, started when there is work; so many, or as many as pay.

    Ctrl-C is for the process that has started them, and ends them at once, as any error does.
    """

    def __init__(self, count: int | None = None) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    def pays(self, size: int) -> bool:
        """Say whether input of so many bytes is worth more than one process, if nobody has said how many there are.

        >>> Processes().pays(1_000_000), Processes(2).pays(1), Processes(1).pays(10**12)
        (False, True, False)
        """
        return self._count > 1 if self._count is not None else min(cores(), size // PAYS) > 1

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Have a function called by one of the processes."""
        if self._pool is not None:
            return self._pool.submit(fn, *args, **kwargs)
        from concurrent.futures import ProcessPoolExecutor

        count = self._count or min(cores(), _MOST)
        self._pool = ProcessPoolExecutor(count, initializer=_begin)
        with held_interrupts() as interrupted:  # which a process that is about to begin would answer, too
            future = self._pool.submit(fn, *args, **kwargs)
        interrupted()
        return future

    def renew(self) -> None:
        """Let go of processes of which one has died; the next work starts others."""
        self.shutdown(wait=False)

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> bool | None:
        """End the processes: in the middle of their work if it is broken off, since nobody waits for it any more."""
        if kind is not None and self._pool is not None:
            for process in list((self._pool._processes or {}).values()):  # kill_workers() from Python 3.14 on
                process.kill()
        return super().__exit__(kind, *rest)  # type: ignore[arg-type]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes when they have done what they have begun."""
        if self._pool is not None:
            self._pool.shutdown(wait, cancel_futures=cancel_futures)
            self._pool = None


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Give the workers of a cluster of Dask, whose scheduler has that address (needs ``karat[cluster]``).

    What a worker has not done when it dies, another one does.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise MissingExtraError("--cluster", "cluster") from None
    for name in ("distributed", "distributed.client"):  # what they say with tracebacks is one sentence here
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:  # a scheduler that is not there is a timeout, which is one of these
        message = f"no scheduler of Dask answers at {address!r}"
        raise KaratError(f"{message}; expected an address such as tcp://host:8786") from error
    except Exception as error:  # each kind of connection has faults of its own, as one that lacks its certificates
        raise KaratError(f"the cluster at {address!r} cannot be reached: {' '.join(str(error).split())}") from error
    try:
        _check_versions(client.run(_version, on_error="return"))
        yield client.get_executor(retries=_TRIES)
    except Exception as error:
        if type(error).__name__ != "KilledWorker":
            raise
        message = "workers of the cluster die again and again over the same work"
        raise KaratError(f"{message}; give them more memory") from error
    finally:
        with suppress(OSError):  # a scheduler that is lost cannot be told
            client.close(timeout=_PATIENCE)


def _version() -> str:
    return __version__


def _check_versions(versions: Mapping[str, Any]) -> None:
    """Refuse workers that have another Karat or none, which would die of the first work, and others after them."""
    for worker, version in versions.items():
        if version != __version__:
            told = f"has Karat {version}" if isinstance(version, str) else f"cannot load Karat ({version})"
            raise KaratError(f"the worker {worker} {told}; install Karat {__version__} for all workers")


def _begin() -> None:
    """Begin as a worker: Ctrl-C and progress are for the process that has started it, and it ends when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    unwatch()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the process that has started this one, however it ends, and end, too."""
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None  # noqa: S101 - a worker has one
    parent.join()
    os._exit(1)


def _worked(function: Callable[..., T], *task: Any) -> T:
    """Return what a function makes of a task; an error that it ends in says where, also in another process."""
    try:
        return function(*task)
    except Exception as error:
        keep_locations(error)
        raise


def in_order(
    executor: Executor | None, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]], most: int | None = None
) -> Iterator[T]:
    """Yield what a function makes of tasks, in their order, here or by the workers of an executor.

    What a worker has not done because it, or another one, has died is done again. No more than ``most`` tasks, if that
    is said, are taken before the first of them is done.
    """
    if executor is None:
        yield from (function(*task) for task in tasks)
        return
    coming = iter(tasks)
    taken: deque[tuple[Any, ...]] = deque()
    futures: deque[Future[T]] = deque()
    tries = 0
    try:
        while True:
            taken.extend(islice(coming, None if most is None else most - len(taken)))
            if not taken:
                return
            try:
                if len(futures) < len(taken):
                    waiting = islice(taken, len(futures), None)
                    futures.extend(executor.submit(_worked, function, *task) for task in waiting)
                result = futures[0].result()
            except CancelledError as error:
                message = "the scheduler of the cluster was lost, or has let go of the work"
                raise KaratError(f"{message}; start it again, and score again") from error
            except BrokenExecutor as error:
                tries += 1
                if not isinstance(executor, Processes) or tries > _TRIES:
                    message = "workers have died before they were done, of too little memory or by a signal"
                    raise KaratError(f"{message}; try again with fewer of them") from error
                executor.renew()
                futures.clear()
                continue
            taken.popleft()
            futures.popleft()
            yield result
    finally:
        for future in futures:
            future.cancel()
