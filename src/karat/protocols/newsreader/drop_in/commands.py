"""``karat newsreader``: drop-ins for the programs of the NewsReader evaluation of entity disambiguation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from karat.cli import LazyGroup, complain
from karat.cli.legacy import profile_option

TITLES = {
    "gold": "Extract the gold links of NAF documents (goldFiveSentences.pl).",
    "gold-with-redirects": "The same, names replaced by their main ones (goldFiveSentencesWithRedirects.pl).",
    "system": "Extract a system's links from NAF documents (systemFiveSentences.pl).",
    "system-not-english": "The same by English references of other languages (systemFiveSentencesNotEnglish.pl).",
    "system-with-redirects": "The same by first references and main names (systemFiveSentencesWithRedirects.pl).",
    "evaluate": "Evaluate extracted links (evaluate.pl).",
}
COMMANDS = {name: (f"{__name__}:{name.replace('-', '_')}", title) for name, title in TITLES.items()}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def newsreader() -> None:
    """NewsReader entity disambiguation: the published programs under their own arguments.

    People with old scripts change only the program name:

    \b
        karat newsreader gold gold-folder gold.tsv
        karat newsreader system system-folder spotlight_v1 system.tsv info.tsv
        karat newsreader evaluate gold.tsv system.tsv result.tsv
    """


_GOLD_TABLE = "mappings_gold.csv"
_SYSTEM_TABLE = "mappings_sys.csv"


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


def drop_in(metavar: str) -> Callable[[Callable[..., int]], click.Command]:
    """Make a command of positional words; what begins with one hyphen is a word, too."""

    def make(function: Callable[..., int]) -> click.Command:
        function = click.argument("words", metavar=metavar, nargs=-1, type=click.UNPROCESSED)(function)
        function = profile_option("As the published program does it, or as its documentation promises.")(function)
        short_help = TITLES[function.__name__.replace("_", "-")]
        settings = {"ignore_unknown_options": True}
        return click.command(cls=WordsCommand, short_help=short_help, context_settings=settings)(function)

    return make


def at_least(words: tuple[str, ...], names: str) -> tuple[str, ...]:
    """Return the words if there are at least as many as names; extra words are ignored, as by the Perl programs."""
    wanted = names.split()
    if len(words) < len(wanted):
        raise click.UsageError(f"{len(words)} arguments were given; expected {' '.join(wanted)}")
    return words


def check_documents(folder: str, *, xml: bool = False) -> list[str]:
    """Return the paths of the documents of a folder, and warn if there are none."""
    from karat.protocols.newsreader.drop_in.documents import NAF, NAF_OR_XML, paths

    documents = paths(folder, NAF_OR_XML if xml else NAF)
    if not documents:
        complain(f"warning: {folder}: holds no {'.naf or .xml' if xml else '.naf'} file")
    return documents


def check_targets(targets: Iterable[str], inputs: Iterable[str]) -> None:
    """Stop before any work if a file cannot be written where it is asked for, or would replace an input or another."""
    from karat.errors import InputError
    from karat.io import is_folder, real_path, remember_input
    from karat.io.outputs import refuse_input

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


@drop_in("GOLDDIR OUTFILE")
def gold(words: tuple[str, ...], profile: str) -> int:
    """Write the gold links of the NAF documents in GOLDDIR to OUTFILE: document, span, entity."""
    from karat.cli.drop_in import deliver
    from karat.protocols.newsreader.drop_in.extraction import convert, printed, read

    folder, out, *_ = at_least(words, "GOLDDIR OUTFILE")
    check_targets([out], check_documents(folder))
    return deliver(printed(convert(read("gold", folder, profile)), out))


@drop_in("GOLDDIR OUTFILE [PREFIX]")
def gold_with_redirects(words: tuple[str, ...], profile: str) -> int:
    """Write the gold links of GOLDDIR (.naf and .xml) to OUTFILE, names replaced by those of a table.

    The table is the file PREFIXmappings_gold.csv, the two glued together: a folder needs its slash. It may be missing.
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.newsreader.drop_in.extraction import convert, printed, read

    folder, out, *rest = at_least(words, "GOLDDIR OUTFILE")
    table = (rest[0] if rest else "") + _GOLD_TABLE
    check_targets([out], [*check_documents(folder, xml=True), table])
    is_optional = profile == "published" or not rest
    asked = read("gold-with-redirects", folder, profile, table=table, is_optional=is_optional)
    return deliver(printed(convert(asked), out))


@drop_in("INPUTDIR [RESOURCE] OUTANNOTATION OUTINFO")
def system(words: tuple[str, ...], profile: str) -> int:
    """Write a system's links to OUTANNOTATION (document, span, entity, mention) and counts to OUTINFO.

    RESOURCE names the references that count, such as spotlight_v1. The published program needs it; with --profile
    corrected it may be left out.
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.newsreader.drop_in.extraction import convert, printed, read

    at_least(words, "INPUTDIR OUTANNOTATION OUTINFO")
    if len(words) == 3 and profile == "published":
        from karat.errors import InputError

        message = "the published program fails without the RESOURCE, although it is documented so"
        raise InputError(f"{message}; give it behind INPUTDIR, or choose --profile corrected, which does without")
    folder, resource, out, information, *_ = words if len(words) > 3 else (words[0], "", *words[1:])
    check_targets([out, information], check_documents(folder))
    asked = read("system", folder, profile, resource=resource)
    return deliver(printed(convert(asked), out, information))


@drop_in("INPUTDIR [RESOURCE] OUTANNOTATION [OUTINFO [PREFIX]]")
def system_not_english(words: tuple[str, ...], profile: str) -> int:
    """Write a system's links to OUTANNOTATION by the English references inside of those in another language.

    RESOURCE names them, such as wikipedia-db-esEn. The published program needs it, ignores OUTINFO, and needs the table
    of redirects PREFIXmappings_sys.csv, the two glued together: a folder needs its slash. With --profile corrected,
    INPUTDIR OUTANNOTATION is enough.
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.newsreader.drop_in.extraction import convert, printed, read

    at_least(words, "INPUTDIR OUTANNOTATION" if profile == "corrected" else "INPUTDIR RESOURCE OUTANNOTATION")
    folder, resource, out, *rest = words if len(words) > 2 else (words[0], "", words[1])
    table = (rest[1] if len(rest) > 1 else "") + _SYSTEM_TABLE
    information = rest[0] if rest and profile == "corrected" else None
    check_targets([out] if information is None else [out, information], [*check_documents(folder), table])
    is_optional = profile == "corrected" and len(rest) < 2
    asked = read("system-not-english", folder, profile, resource=resource, table=table, is_optional=is_optional)
    return deliver(printed(convert(asked), out, information))


@drop_in("INPUTDIR OUTANNOTATION [PREFIX]")
def system_with_redirects(words: tuple[str, ...], profile: str) -> int:
    """Write a system's links to OUTANNOTATION by the first reference of each entity, names replaced by a table.

    The table is the file PREFIXmappings_sys.csv, the two glued together: a folder needs its slash. With --profile
    corrected the best DBpedia reference counts, and the table may be left out.
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.newsreader.drop_in.extraction import convert, printed, read

    folder, out, *rest = at_least(words, "INPUTDIR OUTANNOTATION")
    table = (rest[0] if rest else "") + _SYSTEM_TABLE
    check_targets([out], [*check_documents(folder), table])
    is_optional = profile == "corrected" and not rest
    asked = read("system-with-redirects", folder, profile, table=table, is_optional=is_optional)
    return deliver(printed(convert(asked), out))


@drop_in("GOLD SYSTEM OUTPUT")
def evaluate(words: tuple[str, ...], profile: str) -> int:
    """Compare the extracted lines of SYSTEM with those of GOLD; print the scores, and write the pairs to OUTPUT.

    The first line of scores is strict, the second fuzzy: precision, recall and F in percent.
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.newsreader.drop_in.evaluate import evaluate, printed, read

    gold, system, out, *_ = at_least(words, "GOLD SYSTEM OUTPUT")
    check_targets([out], [gold, system])
    sides = read(gold, system, profile)
    return deliver(printed(evaluate(sides, profile), profile, out))
