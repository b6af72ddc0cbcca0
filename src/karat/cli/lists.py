"""``karat protocols`` and ``karat formats``: lists and descriptions."""

from __future__ import annotations

from dataclasses import fields
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click

from karat.cli.options import complete_formats, complete_protocols

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.evaluation.protocol import Protocol


@click.command()
@click.argument("name", required=False, shell_complete=complete_protocols)
def protocols(name: str | None) -> None:
    """List the protocols, or describe the one of that NAME with its options and quirks.

    \b
        karat protocols
        karat protocols hipe2022-nel
    """
    from karat.evaluation.registry import plug_ins, protocol
    from karat.evaluation.registry import protocols as known

    if name is None:
        from karat.io.terminal import screen, wrapped

        width, on = max(map(len, known())), screen()
        for declared in known().values():
            lines = wrapped(declared.title, on.width - width - 2) if on.terminal else [declared.title]
            for name, line in zip_longest([declared.name], lines, fillvalue=""):
                click.echo(f"{name:{width}}  {line}")
        plug_ins().warn()
        return
    for line in _describe(protocol(name)):
        click.echo(line)


def _describe(declared: Protocol) -> Iterator[str]:
    yield f"{declared.name}: {declared.title}"
    yield ""
    yield f"  {declared.summary}"
    yield f"  Reference: {declared.reference or 'none'}. Unit: {declared.unit}."
    yield f"  Regimes: {', '.join(declared.with_options().regimes())}."
    needed = [option for option in fields(declared.options) if option.metadata.get("argument")]
    if needed:
        yield ""
        yield "Files, before gold and system:"
    for option in needed:
        yield f"  {option.metadata['metavar']}"
        yield f"      {option.metadata['help']}"
    yield ""
    yield "Options:"
    yield from _options(declared.options, "--{} ")
    if declared.quirks:
        by_profile = "profile" in (option.name for option in fields(declared.options))
        yield ""
        yield f"Quirks of the reference, by name{' (profiles in which they hold)' if by_profile else ''}:"
    for quirk in declared.quirks:
        yield f"  {quirk.name}" + (f" ({', '.join(quirk.profiles) or 'none'})" if by_profile else "")
        yield f"      {quirk.text}"


def _options(options: type[Any], pattern: str) -> Iterator[str]:
    for option in (option for option in fields(options) if not option.metadata.get("argument")):
        choices = [choice for choice in option.metadata.get("choices", ()) if choice]
        values = "|".join(choices) if choices else option.metadata.get("metavar", "TEXT")
        default = option.metadata["show"](option.default) if option.default else ""
        name = option.name.replace("_", "-") if pattern.startswith("--") else option.name
        yield f"  {pattern.format(name)}{values}"
        yield f"      {option.metadata['help']}{f'; default {default}' if default else ''}"


@click.command()
@click.argument("name", required=False, shell_complete=complete_formats)
@click.option(
    "--of", "file", metavar="FILE", type=click.Path(), help="Show which format a file is recognised as, and why."
)
def formats(name: str | None, file: str | None) -> None:
    """List the annotation formats by kind, or describe the one of that NAME with its options.

    \b
        karat formats
        karat formats conll
        karat formats --of export.json
    """
    from karat.formats import format_named, kinds
    from karat.formats.recognition import described
    from karat.io.terminal import visible

    if file is not None:
        if name is not None:
            raise click.UsageError(f"--of {file} shows the format of a file; leave the name {name!r} out")
        for line in described(file):
            click.echo(visible(line))
        return
    if name is None:
        known = kinds()
        width = max(len(declared.name) for several in known.values() for declared in several)
        for kind, several in known.items():
            click.echo(f"{kind}:")
            for declared in several:
                ways = "read, write" if declared.write else "read"
                click.echo(f"  {declared.name:{width}}  {declared.title} ({ways})")
        return
    chosen = format_named(name)
    click.echo(f"{chosen.name}: {chosen.title}\n")
    click.echo(f"  Holds {chosen.layers}.")
    if chosen.known_by:
        click.echo(f"  Known by {chosen.known_by}.")
    click.echo(
        f"  Endings: {', '.join(chosen.suffixes) or 'none of its own'}; {'a folder' if chosen.folder else 'a file'}."
    )
    options = list(_options(chosen.options, "{}="))
    if options:
        click.echo("\nOptions, to be given with --read or --write:")
    for line in options:
        click.echo(line)
