"""The base of all checks: assertions whose messages name the protocol or format."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

from karat.errors import KaratError

_HOUSE = str(Path(__file__).parents[1])


class BrokenPromiseError(AssertionError):
    """A protocol or a format violates its contract."""


class Promises:
    """Checks of one protocol or format, whose name begins every message."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    def expect(self, holds: bool, fault: str) -> None:
        """Raise an error with ``fault`` unless ``holds``."""
        if not holds:
            raise BrokenPromiseError(f"{self.owner} {fault}")

    @contextmanager
    def calling(self, function: str, advice: str = "") -> Iterator[None]:
        """Run code of an author in this context: unexpected exceptions are reported with their line in that code."""
        try:
            yield
        except (KaratError, BrokenPromiseError):
            raise
        except Exception as error:
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            message = f"{self.owner} fails in {function}: {said}{_place(error.__traceback__)}"
            raise BrokenPromiseError(f"{message}; {advice}" if advice else message) from error


def _place(traceback: TracebackType | None) -> str:
    """Return the last line of the author's code in a traceback, or an empty text."""
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(traceback)]
    own = [(name, line) for name, line in places if not name.startswith(_HOUSE) and Path(name).is_file()]
    return f" ({Path(own[-1][0]).name}, line {own[-1][1]})" if own else ""
