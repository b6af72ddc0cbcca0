"""``karat protocols`` and ``karat formats``: what there is, and what each is."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from karat.cli.options import complete_formats, complete_protocols

if TYPE_CHECKING:
    from collections.abc import Iterator

    from karat.protocols.base import Protocol


@click.command()
@click.argument("name", required=False, shell_complete=complete_protocols)
def protocols(name: str | None) -> None:
    """List the protocols, or describe the one of that NAME with its options and quirks.

    \b
        karat protocols
        karat protocols hipe2022-nel
    """
    from karat.protocols import protocol
    from karat.protocols import protocols as known

    if name is None:
        width = max(map(len, known()))
        for one in known().values():
            click.echo(f"{one.name:{width}}  {one.title}")
        return
    for line in _describe(protocol(name)):
        click.echo(line)


def _describe(one: Protocol) -> Iterator[str]:
    yield f"{one.name}: {one.title}"
    yield ""
    yield f"  {one.summary}"
    yield f"  Reference: {one.reference or 'none'}. Unit: {one.unit}."
    yield f"  Regimes: {', '.join(one.regimes())}."
    needed = [option for option in fields(one.options) if option.metadata.get("argument")]
    if needed:
        yield ""
        yield "Files, before gold and system:"
    for option in needed:
        yield f"  {option.metadata['metavar']}"
        yield f"      {option.metadata['help']}"
    yield ""
    yield "Options:"
    yield from _options(one.options, "--{} ")
    if one.quirks:
        by_profile = "profile" in (option.name for option in fields(one.options))
        yield ""
        yield f"Quirks of the reference, by name{' (profiles in which they hold)' if by_profile else ''}:"
    for quirk in one.quirks:
        yield f"  {quirk.name}" + (f" ({', '.join(quirk.profiles) or 'none'})" if by_profile else "")
        yield f"      {quirk.text}"


def _options(options: type[Any], pattern: str) -> Iterator[str]:
    for one in (one for one in fields(options) if not one.metadata.get("argument")):
        choices = [choice for choice in one.metadata.get("choices", ()) if choice]
        values = "|".join(choices) if choices else one.metadata.get("metavar", "TEXT")
        default = f"; default {one.default}" if isinstance(one.default, str) and one.default else ""
        name = one.name.replace("_", "-") if pattern.startswith("--") else one.name
        yield f"  {pattern.format(name)}{values}"
        yield f"      {one.metadata['help']}{default}"


@click.command()
@click.argument("name", required=False, shell_complete=complete_formats)
def formats(name: str | None) -> None:
    """List the annotation formats, or describe the one of that NAME with its options.

    \b
        karat formats
        karat formats conll
    """
    from karat.formats import format_named
    from karat.formats import formats as known

    if name is None:
        width = max(map(len, known()))
        for one in known().values():
            ways = "read, write" if one.write else "read"
            click.echo(f"{one.name:{width}}  {one.title} ({ways})")
        return
    one = format_named(name)
    click.echo(f"{one.name}: {one.title}\n")
    click.echo(f"  Holds {one.layers}.")
    click.echo(f"  Endings: {', '.join(one.suffixes) or 'none of its own'}; {'a folder' if one.folder else 'a file'}.")
    options = list(_options(one.options, "{}="))
    if options:
        click.echo("\nOptions, to be given with --read or --write:")
    for line in options:
        click.echo(line)
