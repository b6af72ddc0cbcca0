"""The shape of all drop-ins, and the output of a published program.

The drop-in for a program that scores has three functions: ``read`` takes the arguments and returns the input,
``evaluate`` returns the result, and ``printed`` turns the result into a :class:`ProgramOutput`, which :func:`deliver`
writes. Files may be read while they are evaluated if what the program prints before an error depends on it.

Converters and validators (NewsReader extraction, HIPE link normalisation, the Cold Start programs) have nothing to
evaluate: they read, convert or check, and print. The Cold Start programs share one more rule, that all output up to an
error is kept; see :mod:`karat.protocols.coldstart.drop_in.outlets`.
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

    """

    text: str | bytes = ""
    files: Mapping[str, str | bytes] = {}
    notes: Sequence[str] = ()
    status: int = 0
    failure: KaratError | None = None
    makes_folders: bool = False


def deliver(output: ProgramOutput) -> int:
    """Write the files (all or none), print the text and the notes, and return the exit status.

    Raises the ``failure`` of the output last, so that whatever preceded it is printed.
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
