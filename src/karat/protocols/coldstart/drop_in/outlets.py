"""The programs of Cold Start: three functions each, the options they take, and the outlets they write to.

The published programs open their outputs first, and write to them until an error stops them. So these programs write to
outlets, which keep everything until the program has ended. A file that was opened and not written to appears empty, as
it does with the published programs.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from karat.cli.drop_in import ProgramOutput
from karat.vocabularies.coldstart.problems import Stop, could_not_open
from karat.vocabularies.coldstart.text_files import exists

Input = TypeVar("Input")
Result = TypeVar("Result")
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

    def program_output(self, status: int = 0) -> ProgramOutput:
        """Return everything that was written so far."""
        files = {name: outlet.content() for name, outlet in self._files.items()}
        return ProgramOutput(self.output.content(), files, errors=self.error.content(), status=status)


@dataclass(frozen=True)
class Program(Generic[Input, Result]):
    """The three functions of a program.

    Args:
        read: Opens the outlets and reads the input; takes the options, the files if there are any, and the outlets.
        work: Evaluates, checks or converts the input; the result may be computed while it is written.
        printed: Writes the result to the outlets, and returns what they hold.

    """

    read: Callable[..., Input]
    work: Callable[[Input], Result]
    printed: Callable[[Result], ProgramOutput]

    def __call__(self, *arguments: Any) -> ProgramOutput:
        """Run the program with the arguments of ``read``."""
        return self.printed(self.work(self.read(*arguments)))


def run_program(
    program: Callable[..., ProgramOutput], options: Options, files: Sequence[str] | None = None
) -> Stop | None:
    """Run a program, which may take files, deliver what it wrote, and return why it stopped, if it did."""
    from karat.cli.drop_in import deliver

    outlets = Outlets()
    stopped = None
    try:
        output = program(options, *(() if files is None else (files,)), outlets)
    except Stop as stop:
        outlets.log.write(f"{stop.line}\n")
        output, stopped = outlets.program_output(stop.status), stop
    deliver(output)
    return stopped


def _check(name: str, kind: str) -> None:
    """Stop if no file of that name can be written."""
    try:
        if Path(name).is_dir() or not name:
            raise IsADirectoryError(21, "Is a directory") if name else FileNotFoundError(2, "No such file or directory")
        Path(name).parent.stat()
    except OSError as error:
        raise could_not_open(name, error, kind) from error
