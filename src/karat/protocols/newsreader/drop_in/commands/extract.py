"""``karat newsreader gold`` and its kin: lines of document, span and entity from folders of NAF documents."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from karat.cli import complain
from karat.protocols.newsreader.drop_in.commands.words import at_least, check_documents, check_targets, drop_in

if TYPE_CHECKING:
    from karat.protocols.newsreader.drop_in.redirects import Redirects

_GOLD_TABLE = "mappings_gold.csv"
_SYSTEM_TABLE = "mappings_sys.csv"


@drop_in("GOLDDIR OUTFILE")
def gold(words: tuple[str, ...], profile: str) -> None:
    """Write the gold links of the NAF documents in GOLDDIR to OUTFILE: document, span, entity."""
    folder, out, *_ = at_least(words, "GOLDDIR OUTFILE")
    check_targets([out], check_documents(folder))
    if profile == "corrected":
        from karat.protocols.newsreader.drop_in.corrected_extraction import Extraction

        _write({out: Extraction().gold(folder, complain)})
        return
    from karat.protocols.newsreader.drop_in import published_extraction as published

    _write({out: published.gold(folder)})


@drop_in("GOLDDIR OUTFILE [PREFIX]")
def gold_with_redirects(words: tuple[str, ...], profile: str) -> None:
    """Write the gold links of GOLDDIR (.naf and .xml) to OUTFILE, names replaced by those of a table.

    The table is the file PREFIXmappings_gold.csv, the two glued together: a folder needs its slash. It may be missing.
    """
    folder, out, *rest = at_least(words, "GOLDDIR OUTFILE")
    prefix = rest[0] if rest else ""
    check_targets([out], [*check_documents(folder, xml=True), prefix + _GOLD_TABLE])
    if profile == "corrected":
        from karat.protocols.newsreader.drop_in.corrected_extraction import Extraction
        from karat.protocols.newsreader.drop_in.documents import NAF_OR_XML

        redirects = _redirects(prefix, _GOLD_TABLE, optional=not rest)
        _write({out: Extraction(redirects=redirects, ending=NAF_OR_XML).gold(folder, complain)})
        return
    from karat.protocols.newsreader.drop_in import published_extraction as published

    redirects = _published_redirects(prefix, _GOLD_TABLE, "latin-1")
    _write({out: published.gold_with_redirects(folder, redirects)})


@drop_in("INPUTDIR [RESOURCE] OUTANNOTATION OUTINFO")
def system(words: tuple[str, ...], profile: str) -> None:
    """Write a system's links to OUTANNOTATION (document, span, entity, mention) and counts to OUTINFO.

    RESOURCE names the references that count, such as spotlight_v1. The published program needs it; with --profile
    corrected it may be left out.
    """
    at_least(words, "INPUTDIR OUTANNOTATION OUTINFO")
    if len(words) == 3 and profile == "published":
        _no_resource()
    folder, resource, out, information, *_ = words if len(words) > 3 else (words[0], "", *words[1:])
    check_targets([out, information], check_documents(folder))
    if profile == "corrected":
        from karat.protocols.newsreader.drop_in.corrected_extraction import Extraction

        corrected = Extraction(resource=resource)
        text = corrected.system(folder, complain)
        _write({out: text, information: corrected.information})
        return
    from karat.protocols.newsreader.drop_in.published_extraction import System

    extraction = System(_characters(resource))
    lines = extraction.extract(folder)
    _write({out: lines, information: extraction.information})


@drop_in("INPUTDIR [RESOURCE] OUTANNOTATION [OUTINFO [PREFIX]]")
def system_not_english(words: tuple[str, ...], profile: str) -> None:
    """Write a system's links to OUTANNOTATION by the English references inside of those in another language.

    RESOURCE names them, such as wikipedia-db-esEn. The published program needs it, ignores OUTINFO, and needs the table
    of redirects PREFIXmappings_sys.csv, the two glued together: a folder needs its slash. With --profile corrected,
    INPUTDIR OUTANNOTATION is enough.
    """
    at_least(words, "INPUTDIR OUTANNOTATION" if profile == "corrected" else "INPUTDIR RESOURCE OUTANNOTATION")
    folder, resource, out, *rest = words if len(words) > 2 else (words[0], "", words[1])
    prefix = rest[1] if len(rest) > 1 else ""
    targets = [out, *rest[:1]] if profile == "corrected" else [out]
    check_targets(targets, [*check_documents(folder), prefix + _SYSTEM_TABLE])
    if profile == "corrected":
        from karat.protocols.newsreader.drop_in.corrected_extraction import Extraction

        redirects = _redirects(prefix, _SYSTEM_TABLE, optional=len(rest) < 2)
        corrected = Extraction(resource=resource, redirects=redirects)
        text = corrected.system(folder, complain, english=False)
        _write({out: text} | ({rest[0]: corrected.information} if rest else {}))
        return
    from karat.protocols.newsreader.drop_in import published_extraction as published

    redirects = _published_redirects(prefix, _SYSTEM_TABLE, "utf-8")
    lines = published.system_not_english(folder, _characters(resource), redirects, _print)
    _write({out: lines})


@drop_in("INPUTDIR OUTANNOTATION [PREFIX]")
def system_with_redirects(words: tuple[str, ...], profile: str) -> None:
    """Write a system's links to OUTANNOTATION by the first reference of each entity, names replaced by a table.

    The table is the file PREFIXmappings_sys.csv, the two glued together: a folder needs its slash. With --profile
    corrected the best DBpedia reference counts, and the table may be left out.
    """
    folder, out, *rest = at_least(words, "INPUTDIR OUTANNOTATION")
    prefix = rest[0] if rest else ""
    check_targets([out], [*check_documents(folder), prefix + _SYSTEM_TABLE])
    if profile == "corrected":
        from karat.protocols.newsreader.drop_in.corrected_extraction import Extraction

        redirects = _redirects(prefix, _SYSTEM_TABLE, optional=not rest)
        _write({out: Extraction(redirects=redirects).system(folder, complain)})
        return
    from karat.protocols.newsreader.drop_in import published_extraction as published

    redirects = _published_redirects(prefix, _SYSTEM_TABLE, "latin-1")
    _write({out: published.system_with_redirects(folder, redirects)})


def _redirects(prefix: str, name: str, *, optional: bool) -> Redirects:
    """Read a table of redirects in UTF-8."""
    from karat.protocols.newsreader.drop_in.redirects import read_redirects

    path = prefix + name
    return {} if optional and not Path(path).exists() else read_redirects(path)


def _published_redirects(prefix: str, name: str, encoding: Literal["latin-1", "utf-8"]) -> Redirects:
    """Read a table of redirects as Perl does; the one of the gold may be missing."""
    from karat.protocols.newsreader.drop_in.redirects import read_redirects_as_perl

    path = prefix + name
    return {} if name == _GOLD_TABLE and not Path(path).exists() else read_redirects_as_perl(path, encoding)


def _no_resource() -> None:
    from karat.errors import InputError

    message = "the published program fails without the RESOURCE, although it is documented so"
    raise InputError(f"{message}; give it behind INPUTDIR, or choose --profile corrected, which does without")


def _characters(word: str) -> str:
    """Return a word of the command line as Perl holds it: every byte a character."""
    return os.fsencode(word).decode("latin-1")


def _print(line: bytes) -> None:
    click.echo(line, nl=False)
    sys.stdout.flush()


def _write(files: Mapping[str, str | bytes]) -> None:
    from karat.files.outputs import write_whole

    write_whole(files)
