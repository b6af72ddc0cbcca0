"""Command-line options made from declarations, and the options that all commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from karat.evaluation.corpora import Reading

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]
"""Adds arguments or options to a command."""


def grouped(*options: Decorator[Any]) -> Decorator[Any]:
    """Return a decorator that adds several options, shown in this order."""

    def decorate(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def flags(*options: type[Any]) -> list[click.Option]:
    """Return one option for each field of some options dataclasses.

    A field that several dataclasses share is one option, which accepts the values of all.
    """
    return [_flag(*same) for same in _declared(options, argument=False)]


def arguments(*options: type[Any]) -> list[FileArgument]:
    """Return one argument for each field of some options dataclasses that is declared as an argument."""
    return [FileArgument(same[0]) for same in _declared(options, argument=True)]


def _declared(options: tuple[type[Any], ...], *, argument: bool) -> Iterable[list[Any]]:
    """Return the fields that are arguments, or those that are not, grouped by name."""
    declared: dict[str, list[Any]] = {}
    for option in (option for kind in dict.fromkeys(options) for option in fields(kind)):
        if option.metadata.get("argument", False) == argument:
            declared.setdefault(option.name, []).append(option)
    return declared.values()


class FileArgument(click.Argument):
    """An argument for a file that a protocol needs besides gold and system; it has a help text."""

    def __init__(self, declared: Any) -> None:
        super().__init__([declared.name], type=click.Path(), metavar=declared.metadata["metavar"])
        self.about = _sentence(declared.metadata["help"])


def _flag(declared: Any, *others: Any) -> click.Option:
    declarations = (declared, *others)
    choices = list(
        dict.fromkeys(choice for option in declarations for choice in option.metadata.get("choices", ()) if choice)
    )
    text = declared.metadata["help"]
    defaults = list(
        dict.fromkeys(option.default for option in declarations if isinstance(option.default, str) and option.default)
    )
    if defaults:
        text += f" (default: {' or '.join(defaults)})"
    return click.Option(
        [f"--{declared.name.replace('_', '-')}", declared.name],
        type=click.Choice(choices) if choices else str,
        metavar=None if choices else declared.metadata.get("metavar", "TEXT"),
        help=_sentence(text),
        default=None,
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def given(options: type[Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a command that belong to an options dataclass and were given."""
    return {
        option.name: parameters[option.name] for option in fields(options) if parameters.get(option.name) is not None
    }


def readings_of(parameters: dict[str, Any], systems: int = 1) -> list[Reading]:
    """Return how the gold and each of ``systems`` systems are read, according to the options."""
    from karat.evaluation.corpora import Reading

    gold, system = (parameters["source_format"], parameters["system_format"] or parameters["source_format"])
    settings = parameters["read_settings"], parameters["share_links"]
    return [Reading(gold, *settings), *[Reading(system, *settings)] * systems]


def refuse(names: Iterable[str], why: str) -> None:
    """Raise a usage error if one of these parameters was given although it has no effect."""
    ctx = click.get_current_context()
    for parameter in ctx.command.get_params(ctx):
        name = parameter.name or ""
        if name in names and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[-1]} {why}")


def keep_apart(inputs: Iterable[str], outputs: Iterable[str | None] = ()) -> None:
    """Register the input files, and raise an error if an output would overwrite one of them."""
    from karat.evaluation.shards import shard_paths
    from karat.io import remember_input

    for path in inputs:
        for file in shard_paths(path) or [path]:
            remember_input(file)
    for path in filter(None, outputs):
        from pathlib import Path

        from karat.io.outputs import refuse_input

        refuse_input(Path(path), path)


def complete_formats(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a format."""
    from karat.formats import formats

    del ctx, parameter
    return [name for name in formats() if name.startswith(incomplete)]


def complete_protocols(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a protocol."""
    from karat.evaluation.registry import protocols

    del ctx, parameter
    return [name for name in protocols() if name.startswith(incomplete)]


from_option = click.option(
    "--from",
    "source_format",
    metavar="FORMAT",
    shell_complete=complete_formats,
    help="Format of the input (default: recognised; see karat formats).",
)

system_format_option = click.option(
    "--system-format",
    metavar="FORMAT",
    shell_complete=complete_formats,
    help="Format of the systems, if it differs from the format of the gold, such as the name of a tool.",
)

_TEXTS = "karat.texts"


def read_option(command: F) -> F:
    """Add the options ``--read`` and ``--texts`` for the input format."""
    texts = click.option(
        "--texts",
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=lambda ctx, parameter, value: ctx.meta.update({_TEXTS: value}),
        help="File with the texts for answers of language models (default: the texts of the gold).",
    )
    read = click.option(
        "--read",
        "read_settings",
        metavar="NAME=VALUE",
        multiple=True,
        callback=lambda ctx, parameter, values: pairs(values) | _texts(ctx),
        help="Option of the input format, such as scheme=IOB1 (see karat formats NAME; may be repeated). The prefix "
        "gold. or system. sets it for one side only: system.annotator=bo.",
    )
    return texts(read(command))


def _texts(ctx: click.Context) -> dict[str, str]:
    return {"texts": ctx.meta[_TEXTS]} if ctx.meta.get(_TEXTS) else {}


lossy_option = click.option("--lossy", is_flag=True, help="Drop what the target format cannot hold, and report it.")
share_links_option = click.option(
    "--share-links", is_flag=True, help="Give mentions without a link the links of their chain, on both sides."
)


reading_options = grouped(from_option, system_format_option, read_option, share_links_option)
"""Options for reading gold and systems; :func:`readings_of` evaluates them."""
READING = ("source_format", "system_format", "read_settings", "texts", "share_links")
"""The names of these parameters."""

protocol_argument = click.argument("protocol", metavar="PROTOCOL", shell_complete=complete_protocols)
gold_argument = click.argument("gold", type=click.Path())


def systems_argument(*, required: bool = True) -> Decorator[Any]:
    """Return the argument for one or more systems."""
    return click.argument("systems", metavar="SYSTEM…", type=click.Path(), nargs=-1, required=required)


def pairs(values: tuple[str, ...]) -> dict[str, str]:
    """Return NAME=VALUE words as a dictionary."""
    for value in values:
        if "=" not in value:
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE")
    return dict(value.split("=", 1) for value in values)


_FAMILY = "karat.family"
_SECTIONS = {
    **dict.fromkeys(("by", "everything", "confused", "view", "out", "opens", "rows", "sort", "measures"), "Output"),
    **dict.fromkeys(("outcome", "regime", "label", "document"), "Selection of items"),
    **dict.fromkeys(("ci", "ci_method", "level", "resamples", "seed", "cluster_by", "stratify_by"), "Uncertainty"),
    **dict.fromkeys(("test", "zero", "intervals"), "Uncertainty"),
    **dict.fromkeys(READING, "Input"),
    **dict.fromkeys(
        ("fail_under", "fail_if_worse", "junit", "markdown", "tolerance"), "Gates, for continuous integration"
    ),
    **dict.fromkeys(("save", "facts", "workers", "cluster"), "Saved runs, shards and parallel work"),
}
"""The help section of each option; options without one come first."""


class ProtocolCommand(click.Command):
    """A command whose first argument is a protocol that adds its own options; some take a second protocol.

    Protocols are searched among the words before parsing, so that their options may come anywhere and ``karat score
    PROTOCOL --help`` shows them. ``most`` is the number of protocols that the command takes. Files that protocols need
    come before GOLD; a file that two protocols need is given once. With ``--family`` no protocol is named.
    """

    def __init__(self, *args: Any, most: int = 1, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.most = most

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the protocols, then parse with their options."""
        from itertools import islice

        from karat.evaluation.registry import find

        ctx.meta[_FAMILY] = any(word.partition("=")[0] == "--family" for word in args)
        named = () if ctx.meta[_FAMILY] else (protocol for protocol in map(find, args) if protocol is not None)
        protocols = list(islice(named, self.most))
        ctx.meta["karat.protocols"] = protocols
        if not protocols and not ctx.meta[_FAMILY] and not {"-h", "--help"} & set(args):
            self.refuse_files(args)
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as error:
            needed = [
                argument.make_metavar(ctx) for argument in arguments(*(protocol.options for protocol in protocols))
            ]
            if not needed:
                raise
            names = " and ".join(protocol.name for protocol in protocols)
            hint = f"With {names}, give {' and '.join(needed)} before GOLD."
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from None

    def refuse_files(self, args: list[str]) -> None:
        """Raise an error that suggests protocols if the first argument is a file, but not a run file."""
        from pathlib import Path

        from karat.cli.protocol_hints import is_run_file, without_protocol

        words = [word for word in args if not word.startswith("-")]
        if words and Path(words[0]).exists() and not is_run_file(words[0]):
            raise without_protocol(self.name or "score", words)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the command and of the protocols."""
        own = super().get_params(ctx)
        if ctx.meta.get(_FAMILY):
            return [parameter for parameter in own if parameter.name != "protocol"]
        options = [protocol.options for protocol in ctx.meta.get("karat.protocols", ())]
        gold = next(index for index, parameter in enumerate(own) if parameter.name == "gold")
        return [*own[:gold], *arguments(*options), *own[gold:-1], *flags(*options), own[-1]]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help on the files that the protocols need, then on the options."""
        needed = [
            (parameter.make_metavar(ctx), parameter.about)
            for parameter in self.get_params(ctx)
            if isinstance(parameter, FileArgument)
        ]
        if needed:
            with formatter.section("Files"):
                formatter.write_dl(needed)
        for title, records in self._sections(ctx).items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def _sections(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        """Return the options with their help by section; those of the protocols come last."""
        protocols = ctx.meta.get("karat.protocols", ())
        title = f"Options of {' and '.join(protocol.name for protocol in protocols)}"
        own = {field.name: title for protocol in protocols for field in fields(protocol.options)}
        sections: dict[str, list[tuple[str, str]]] = {}
        for name in ("Options", *_SECTIONS.values()):
            sections.setdefault(name, [])
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                section = (own | _SECTIONS).get(parameter.name or "", "Options")
                sections.setdefault(section, []).append(record)
        return sections

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how to see the options of a protocol."""
        if not ctx.meta.get("karat.protocols"):
            formatter.write_paragraph()
            formatter.write_text("To see the options of a protocol, name it before --help.")
        super().format_epilog(ctx, formatter)
