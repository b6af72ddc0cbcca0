"""Commands whose arguments depend on the edition, read as the programs of the challenges read them (by argparse).

The arguments stand in ``switches.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import click

from karat.cli.legacy import full_name
from karat.io.tables import table_of

EDITIONS = ("2021", "2020", "2019")
DEFAULT = "2021"

_NEGATIVE = re.compile(r"-\d+|-\d*\.\d+")
"""What looks like a negative number is a value, not an option."""

edition_option = click.Option(
    ["--edition"],
    type=click.Choice(EDITIONS),
    default=DEFAULT,
    show_default=True,
    help="The edition whose program is meant; its arguments are shown by naming it before --help.",
)
profile_option = click.Option(
    ["--profile"],
    type=click.Choice(("published", "corrected")),
    default="published",
    show_default=True,
    help="As the published program does, or with its known faults corrected.",
)
_OWN = (*edition_option.opts, *profile_option.opts)
"""Options that the published programs do not have."""


class Several(click.Option):
    """An option that takes all values up to the next option; of several such groups the last counts."""


def _parameters(command: str) -> dict[str, list[click.Parameter]]:
    """Return the arguments and options of a command by edition."""
    return {
        edition: [_parameter(name, **declared) for name, declared in switches.items()]
        for editions, switches in table_of(__package__, "switches.toml")[command].items()
        for edition in editions.split()
    }


def _parameter(name: str, *, kind: str = "", choices: Sequence[str] = (), **declared: Any) -> click.Parameter:
    if kind == "argument":
        return click.Argument([name], **declared)
    names = [f"--{name}", name.replace("-", "_").lower()]
    if kind == "several":
        return Several(names, type=int, multiple=True, **declared)
    return click.Option(names, type=click.Choice(choices) if choices else None, is_flag=kind == "flag", **declared)


class EditionCommand(click.Command):
    """A drop-in for programs of several editions, each with arguments of its own.

    Options may be abbreviated to a unique prefix and given twice, in which case the last one counts. The options
    that the published programs do not have are recognised by their full names only.
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.editions = _parameters(name)
        settings["params"] = [edition_option, *self.editions[DEFAULT], profile_option]
        super().__init__(name, **settings)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the edition that was asked for."""
        edition = ctx.meta.get("karat.edition", DEFAULT)
        return [edition_option, *self.editions[edition], profile_option, *super().get_params(ctx)[len(self.params) :]]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the edition, then parse by its parameters."""
        asked = _edition(args)
        if asked in self.editions:
            ctx.meta["karat.edition"] = asked
        return super().parse_args(ctx, list(self._words(ctx, args)))

    def _words(self, ctx: click.Context, args: list[str]) -> Iterator[str]:
        """Yield the words with full option names, and a value behind each naming of a :class:`Several`."""
        options = {
            name: parameter
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
            for name in parameter.opts
        }
        groups: dict[str, list[str]] = {}
        index = 0
        while index < len(args):
            word, index = args[index], index + 1
            if word == "--":
                yield from args[index - 1 :]
                break
            name, equals, value = word.partition("=")
            name = full_name(ctx, name, options, own=_OWN)
            option = options.get(name)
            if isinstance(option, Several):
                values = [value] if equals else []
                while not equals and index < len(args) and not _is_option(args[index]):
                    values.append(args[index])
                    index += 1
                if not values:
                    ctx.fail(f"option {name} needs at least one value")
                groups[name] = values
                continue
            yield f"{name}{equals}{value}"
            if option is not None and not option.is_flag and not equals and index < len(args):
                yield args[index]
                index += 1
        for name, values in groups.items():
            for value in values:
                yield from (name, value)


def _edition(args: Sequence[str]) -> str | None:
    """Return the edition that the words name, the last one if several do."""
    edition = None
    for index, word in enumerate(args):
        if word == "--edition" and index + 1 < len(args):
            edition = args[index + 1]
        elif word.startswith("--edition="):
            edition = word.partition("=")[2]
    return edition


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-" and not _NEGATIVE.fullmatch(word)
