"""What a program is given: its options, and where it writes, which are files and the standard streams.

Everything is held back until the program has ended, so that no reader of a file sees half of it. A file that was
opened and not written to appears empty, as it does with the published programs.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from karat.vocabularies.coldstart.problems import Stop, could_not_open
from karat.vocabularies.coldstart.text_files import exists

Options = Mapping[str, str]
"""The switches and parameters of a program by name; a switch that was not given and has no default is absent."""
CORRECTED = "corrected"
"""The profile in which what is wrong with the published programs is corrected; others are published revisions."""
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
        while batch := list(islice(rest, _TEXTS)):
            self.write("".join(batch))

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

    def open_log(self, name: str) -> None:
        """Report to a new file or a standard stream; without a name, to standard error."""
        if name in ("", "0"):
            self.log = self.error
            return
        if name.lower() not in ("stdout", "stderr") and exists(name):
            raise Stop(f"File {name} already exists")
        self.log = self.open(name)

    def deliver(self) -> None:
        """Write the files, all or none, then the standard streams."""
        import click

        from karat.io.outputs import write_whole

        write_whole({name: outlet.content() for name, outlet in self._files.items()})
        for outlet, is_error in ((self.output, False), (self.error, True)):
            if outlet.content():
                click.echo(outlet.content(), nl=False, err=is_error)


def run_program(program: Callable[..., None], options: Options, files: Sequence[str] | None = None) -> Stop | None:
    """Run a program, which may take files, deliver what it wrote, and return why it stopped, if it did."""
    outlets = Outlets()
    stopped = None
    try:
        program(options, *(() if files is None else (files,)), outlets)
    except Stop as stop:
        outlets.log.write(f"{stop.line}\n")
        stopped = stop
    outlets.deliver()
    return stopped


def _check(name: str, kind: str) -> None:
    """Stop if no file of that name can be written."""
    try:
        if Path(name).is_dir() or not name:
            raise IsADirectoryError(21, "Is a directory") if name else FileNotFoundError(2, "No such file or directory")
        Path(name).parent.stat()
    except OSError as error:
        raise could_not_open(name, error, kind) from error
