"""What the NewsReader drop-ins share: words as Perl takes them, and the profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

PROFILES = ("published", "corrected")


def drop_in(metavar: str, short_help: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of positional words; what begins with a hyphen is a word too, unless it is the profile."""

    def make(function: Callable[..., None]) -> click.Command:
        function = click.argument("words", metavar=metavar, nargs=-1, type=click.UNPROCESSED)(function)
        function = click.option(
            "--profile",
            type=click.Choice(PROFILES),
            default="published",
            show_default=True,
            help="As the published program does it, or as its documentation promises.",
        )(function)
        settings = {"ignore_unknown_options": True}
        return click.command(short_help=short_help, context_settings=settings)(function)

    return make


def at_least(words: tuple[str, ...], names: str) -> tuple[str, ...]:
    """Return the words if there are as many as names; surplus words are of no account, as in the Perl programs."""
    wanted = names.split()
    if len(words) < len(wanted):
        raise click.UsageError(f"{len(words)} arguments were given; expected {' '.join(wanted)}")
    return words


def tell(message: str) -> None:
    """Show a message on standard error, on one line."""
    from karat.views._text import visible

    click.echo(f"karat: {visible(message)}", err=True)


def check_target(path: str, inputs: tuple[str, ...] = ()) -> None:
    """Stop before any work if a file cannot be written where it is asked for, or would replace an input."""
    from karat.errors import InputError
    from karat.files import is_folder, real_path

    target = real_path(path)
    if is_folder(target) or not is_folder(target.parent):
        reason = "is a folder" if is_folder(target) else "its folder is not there; create it first"
        raise InputError(f"cannot be written: {reason}", path=path)
    if target in {real_path(one) for one in inputs}:
        raise InputError("the output would replace this input; choose another name", path=path)
