"""Shared parts of all drop-ins: the output of a published program, and its delivery by a command.

A drop-in has three steps, each a function of the module that is named after the command: ``read`` takes the arguments
and returns the input, ``evaluate`` returns the result, and ``printed`` turns the result into a :class:`ProgramOutput`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from karat.errors import KaratError


class ProgramOutput(NamedTuple):
    """The complete output of one run of a program.

    Args:
        text: What it prints to standard output; bytes are printed as they are.
        files: The content of the files that it writes, by path.
        notes: Lines for standard error.
        status: The exit status.
        failure: The error at which it stopped after it had printed all of the above.
        makes_folders: Whether folders of ``files`` are made if they are missing.

    """

    text: str | bytes = ""
    files: Mapping[str, str | bytes] = {}
    notes: Sequence[str] = ()
    status: int = 0
    failure: KaratError | None = None
    makes_folders: bool = False


def deliver(output: ProgramOutput) -> int:
    """Write the files, all or none, print the text and the notes, and return the exit status.

    The failure of a program that stopped in the middle is raised at the end.
    """
    import click

    if output.files:
        from karat.io.outputs import write_whole

        write_whole(output.files, folders=output.makes_folders)
    click.echo(output.text, nl=False)
    if output.notes:
        from karat.io.terminal import tell

        for note in output.notes:
            tell(note)
    if output.failure is not None:
        raise output.failure
    return output.status
