"""What the NewsReader drop-ins share: words as Perl takes them, and the profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from karat.cli import complain
from karat.cli.legacy import profile_option
from karat.protocols.newsreader.drop_in.commands import COMMANDS

F = TypeVar("F", bound=Callable[..., Any])


class WordsCommand(click.Command):
    """A command of positional words, among them such with one hyphen; two hyphens are an option that must exist."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse options that do not exist; behind ``--`` there are none."""
        from karat.errors import unknown

        known = [name for parameter in self.get_params(ctx) for name in parameter.opts if name.startswith("--")]
        for word in args[: args.index("--")] if "--" in args else args:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in known:
                raise click.UsageError(str(unknown("option", name, known)), ctx)
        return super().parse_args(ctx, args)


def drop_in(metavar: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command of positional words; what begins with one hyphen is a word, too."""

    def make(function: Callable[..., None]) -> click.Command:
        function = click.argument("words", metavar=metavar, nargs=-1, type=click.UNPROCESSED)(function)
        function = profile_option("As the published program does it, or as its documentation promises.")(function)
        _, short_help = COMMANDS[function.__name__.replace("_", "-")]
        settings = {"ignore_unknown_options": True}
        return click.command(cls=WordsCommand, short_help=short_help, context_settings=settings)(function)

    return make


def at_least(words: tuple[str, ...], names: str) -> tuple[str, ...]:
    """Return the words if there are as many as names; surplus words are of no account, as in the Perl programs."""
    wanted = names.split()
    if len(words) < len(wanted):
        raise click.UsageError(f"{len(words)} arguments were given; expected {' '.join(wanted)}")
    return words


def check_documents(folder: str, *, xml: bool = False) -> list[str]:
    """Return the documents that will be read from a folder; that there are none is worth a warning."""
    from karat.protocols.newsreader.drop_in.documents import NAF, NAF_OR_XML, paths

    documents = paths(folder, NAF_OR_XML if xml else NAF)
    if not documents:
        complain(f"warning: {folder}: holds no {'.naf or .xml' if xml else '.naf'} file")
    return documents


def check_targets(targets: Iterable[str], inputs: Iterable[str]) -> None:
    """Stop before any work if a file cannot be written where it is asked for, or would replace an input or another."""
    from karat.errors import InputError
    from karat.files import is_folder, real_path, remember_input
    from karat.files.outputs import refuse_input

    for path in inputs:
        remember_input(path)
    written = set()
    for path in targets:
        target = real_path(path)
        if is_folder(target) or not is_folder(target.parent):
            reason = "is a folder" if is_folder(target) else "its folder is not there; create it first"
            raise InputError(f"cannot be written: {reason}", path=path)
        refuse_input(target, path)
        if target in written and (target.is_file() or not target.exists()):  # a device may take several
            raise InputError("two outputs have this name; choose another for one of them", path=path)
        written.add(target)
