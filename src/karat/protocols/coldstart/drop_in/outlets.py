"""Where a program writes: files that appear whole when it ends, standard output and standard error.

Everything is held back until the program has ended, so that no reader of a file sees half of it. A file that was
opened and not written to appears empty, as it does with the published programs.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from karat.vocabularies.coldstart.problems import could_not_open

_TEXTS = 500
"""How many texts are written at once."""


class Outlet:
    """A stream of UTF-8 text."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()

    def write(self, text: str) -> None:
        """Write some text."""
        self._buffer.write(text.encode("utf-8", "surrogateescape"))

    def write_all(self, texts: Iterable[str]) -> None:
        """Write many texts, which may be made while they are written."""
        rest = iter(texts)
        while some := list(islice(rest, _TEXTS)):
            self.write("".join(some))

    def content(self) -> bytes:
        """Return everything that was written."""
        return self._buffer.getvalue()


class Outlets:
    """The outlets of one run of a program; ``log`` is where it reports, standard error unless told otherwise."""

    def __init__(self) -> None:
        self.output = Outlet()
        self.error = Outlet()
        self.log = self.error
        self._files: dict[str, Outlet] = {}

    def open(self, name: str, *, kind: str = "FATAL") -> Outlet:
        """Return the outlet of that name: ``stdout`` and ``stderr`` in any case, or a file; stop if it cannot be."""
        standard = {"stdout": self.output, "stderr": self.error}.get(name.lower())
        if standard is not None:
            return standard
        if name not in self._files:
            _check(name, kind)
            self._files[name] = Outlet()
        return self._files[name]

    def deliver(self) -> None:
        """Write the files, all or none, then the standard streams."""
        import click

        from karat.files.outputs import write_whole

        write_whole({name: outlet.content() for name, outlet in self._files.items()})
        for outlet, is_error in ((self.output, False), (self.error, True)):
            if outlet.content():
                click.echo(outlet.content(), nl=False, err=is_error)


def _check(name: str, kind: str) -> None:
    """Stop if no file of that name can be written."""
    try:
        if Path(name).is_dir() or not name:
            raise IsADirectoryError(21, "Is a directory") if name else FileNotFoundError(2, "No such file or directory")
        Path(name).parent.stat()
    except OSError as error:
        raise could_not_open(name, error, kind) from error
