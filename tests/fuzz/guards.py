"""Guards: what a case may write, and where.

Python tells of every file that it opens for writing, and of what else it does to files, processes and the network;
whatever is not in the folder for output is noted. What Python keeps of modules that it has compiled is its own affair.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import karat

_CHANGES = {
    "os.rename": (0, 1),
    "os.remove": (0,),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "shutil.rmtree": (0,),
}
"""Events that change a file, with the places of its names among the arguments."""
_NEVER = (
    "socket.connect",
    "socket.getaddrinfo",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
)
_PACKAGE = f"{Path(karat.__file__).resolve().parent}/"
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _Guard:
    """What is allowed now, and what was noted."""

    def __init__(self) -> None:
        self.allowed: tuple[str, ...] = ()
        self.starts = ""
        self.is_on = False
        self.noted: list[str] = []

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event == "open":
            path, mode, flags = arguments
            writes = bool(flags & _WRITES) if isinstance(flags, int) else False
            if (writes or (isinstance(mode, str) and set(mode) & set("wax+"))) and not isinstance(path, int):
                self._look(event, path)
        elif event in _CHANGES:
            for place in _CHANGES[event]:
                self._look(event, arguments[place])
        elif event in _NEVER and not (self.starts and str(arguments[0]).endswith(f"/{self.starts}")):
            self.noted.append(f"{event} {arguments[:1]!r}")

    def _look(self, event: str, path: Any) -> None:
        if isinstance(path, int):
            return
        self.is_on = False  # what follows looks at files, too
        try:
            real = os.path.realpath(os.path.dirname(os.path.abspath(os.fsdecode(path))))  # noqa: PTH100, PTH120
            name = os.path.join(real, os.path.basename(os.fsdecode(path)))  # noqa: PTH118, PTH119
        finally:
            self.is_on = True
        is_compiled = name.startswith(_PACKAGE) and "/__pycache__/" in f"{name}/"
        if name != os.devnull and not is_compiled and not name.startswith(self.allowed):
            self.noted.append(f"{event} {os.fsdecode(path)!r}")


_guard = _Guard()
_is_installed: list[bool] = []


@contextmanager
def guarded(*allowed: str, starts: str = "") -> Iterator[list[str]]:
    """Within this context, note what is written outside of the allowed folders, whose names end with a slash.

    ``starts`` names a program that may be started.
    """
    if not _is_installed:
        sys.addaudithook(_guard)
        _is_installed.append(True)
    _guard.allowed, _guard.starts, _guard.noted = allowed, starts, []
    _guard.is_on = True
    try:
        yield _guard.noted
    finally:
        _guard.is_on = False
