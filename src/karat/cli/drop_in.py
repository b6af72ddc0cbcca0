"""The shape of all drop-ins, and the output of a published program.

The module of a drop-in has three functions, which its command calls one after the other. ``read`` takes the arguments
and returns the input. The second returns the result: ``evaluate`` in a program that scores, ``check`` in a validator,
``convert`` in a converter, ``predict`` in a baseline. ``printed`` turns the result into a :class:`ProgramOutput`, which
:func:`deliver` writes. ``tests/test_drop_ins.py`` checks this for every command.

Files may be read while they are evaluated, and results computed while they are printed, if what the program prints
before an error depends on it. The programs of Cold Start open their outputs before they read, and write to them until
an error stops them; see :mod:`karat.protocols.coldstart.drop_in.outlets`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from karat.errors import KaratError


class ProgramOutput(NamedTuple):
    """The output of one run of a program.

    Args:
        text: The text for standard output; bytes are printed unchanged.
        files: The content of each output file, by path.
        notes: Lines for standard error.
        status: The exit status.
        failure: The error that ended the run after all of the above was printed, or None.
        makes_folders: Whether missing folders of ``files`` are created.
        errors: The text for standard error, which precedes the notes; bytes are printed unchanged.

    """

    text: str | bytes = ""
    files: Mapping[str, str | bytes] = {}
    notes: Sequence[str] = ()
    status: int = 0
    failure: KaratError | None = None
    makes_folders: bool = False
    errors: str | bytes = ""


def deliver(output: ProgramOutput) -> int:
    """Write the files (all or none), print the texts and the notes, and return the exit status.

    Raises the ``failure`` of the output last, so that whatever preceded it is printed.
    """
    import click

    if output.files:
        from karat.io.outputs import write_whole

        write_whole(output.files, folders=output.makes_folders)
    click.echo(output.text, nl=False)
    if output.errors:
        click.echo(output.errors, nl=False, err=True)
    if output.notes:
        from karat.io.terminal import tell

        for note in output.notes:
            tell(note)
    if output.failure is not None:
        raise output.failure
    return output.status
