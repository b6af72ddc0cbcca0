"""``karat validate``: every problem of an annotation file in one pass."""

from __future__ import annotations

import click

from karat.cli.options import from_option, read_option


@click.command()
@click.argument("sources", metavar="FILE…", type=click.Path(), nargs=-1, required=True)
@from_option
@read_option
@click.option("--view", type=click.Choice(("text", "jsonl")), default="text", help="Text lines, or JSON lines.")
def validate(sources: tuple[str, ...], source_format: str | None, read_settings: dict[str, str], view: str) -> int:
    """List every problem of each FILE with its line: errors, and repairs that a reader would make.

    Exit status 3 if there is any problem, 0 if there is none.

    \b
        karat validate system.tsv
        karat validate annotations/ --from brat --view jsonl
    """
    import msgspec

    from karat.annotations.faults import faults
    from karat.errors import InputError, location_prefix, many
    from karat.formats import format_named, read, sniff
    from karat.formats.base import Problem, Problems
    from karat.io import tolerating_bad_bytes
    from karat.io.terminal import tell, visible

    total = 0
    for source in sources:
        if source_format is None and (count := _validate_kb(source, view)) is not None:
            total += count
            continue
        problems = Problems(collect=True)
        documents = mentions = 0
        name = "?"
        try:
            name = (format_named(source_format) if source_format else sniff(source)).name
            not_utf8 = "a byte is not UTF-8 (or was lost before, as U+FFFD); convert the file to UTF-8"
            with tolerating_bad_bytes(lambda path, line: problems.error(path, line, not_utf8)):  # noqa: B023
                for document in read(source, name, problems=problems, options=read_settings):
                    documents += 1
                    mentions += len(document.mentions)
                    for fault in faults(document):
                        problems.error(document.source or source, None, f"document {document.id!r}: {fault}")
        except InputError as error:
            problems.found.append(Problem(error.path or source, error.line, error.message))
        total += len(problems.found)
        for problem in sorted(problems.found, key=lambda problem: (problem.path, problem.line or 0)):
            if view == "jsonl":
                click.echo(msgspec.json.encode(problem))
            else:
                where = location_prefix(problem.path, problem.line)
                click.echo(visible(f"{where}{problem.severity}: {problem.message}"))
        if view == "text":
            errors = len(problems.found) - problems.repairs
            counts = {"document": documents, "mention": mentions, "error": errors, "repair": problems.repairs}
            summary = ", ".join(many(amount, noun) for noun, amount in counts.items())
            tell(f"{source}: {name}: {summary}")
    return 3 if total else 0


def _validate_kb(source: str, view: str) -> int | None:
    """Print the problems of a Cold Start knowledge base; return their number, or None if the file is not one."""
    import msgspec

    from karat.errors import InputError, location_prefix, many
    from karat.formats.coldstart.kb.review import looks_like_kb, problems_of, read_kb, shown
    from karat.io import STDIN, is_folder
    from karat.io.terminal import tell, visible

    try:
        if source == STDIN or is_folder(source) or not looks_like_kb(source):
            return None
    except InputError:
        return None
    try:
        kb = read_kb(source)
    except InputError as error:
        click.echo(visible(f"{location_prefix(error.path, error.line)}error: {error.message}"))
        return 1
    if view == "jsonl":
        for problem in problems_of(kb):
            click.echo(msgspec.json.encode(problem))
    else:
        for line in shown(kb):
            click.echo(visible(line))
        counts = f"{many(len(kb), 'assertion')}, {many(kb.log.errors, 'error')}, {many(kb.log.warnings, 'warning')}"
        tell(f"{source}: coldstart-kb: {counts}")
    return kb.log.errors + kb.log.warnings
