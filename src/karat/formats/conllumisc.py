"""CoNLL-U with entities in the column MISC, under one of the keys in common use.

Words, text and empty nodes are read as in the format ``corefud``; entities in brackets are ignored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from karat.annotations.faults import shown
from karat.annotations.tag_schemes import decode, fitting_scheme, shapes
from karat.annotations.tokens import fragments, line_of
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.corefud.read import FIELDS, read_lines
from karat.formats.parts.assembly import Assembly
from karat.formats.parts.conllu import RANGE
from karat.formats.parts.conllu_tags import BARE, KEYS, has_tags, tags_in, unblanked
from karat.formats.parts.token_tables import segment_ranges
from karat.io import lines
from karat.model import Document, TokenTable
from karat.settings import option

_PREFIXED = re.compile(r"[BIESLU]-")
_NUMBERED = re.compile(r"(.+)_[0-9]+")


@dataclass(frozen=True)
class ConlluMiscOptions:
    """The key of MISC that has the entities."""

    key: str = option("", f"the key of MISC with the entities, if it has several of {', '.join(KEYS)}", metavar="KEY")


def read(path: str, *, problems: Problems, want: Want, options: ConlluMiscOptions) -> Iterator[Document]:
    """Yield the documents of a file."""
    del want
    tagged = False
    for given in read_lines(_rows(lines(path), path, problems), path, problems):
        with problems.catching(path):
            document, has_tags = _document(given, options.key, problems)
            tagged = tagged or has_tags
            yield document
    if not tagged:
        problems.repair(path, None, "no row has entities in MISC")


def _rows(source: Iterable[str], path: str, problems: Problems) -> Iterator[str]:
    """Yield the lines with the parts of MISC separated by bars; blanks there are reported once."""
    told = False
    for line_number, line in enumerate(source, start=1):
        before, tab, misc = line.rpartition("\t")
        mended = unblanked(misc) if tab and not line.startswith("#") else misc
        if mended != misc and not told:
            problems.repair(path, line_number, "MISC is separated by blanks")
            told = True
        yield f"{before}{tab}{mended}"


def _document(given: Document, key: str, problems: Problems) -> tuple[Document, bool]:
    """Return a document with its entities, and whether any row has information on them."""
    table = given.table
    if table is None:
        return given, False
    _refuse_ranges(table, key)
    by_row = [_of_key(misc, key) for misc in table.columns["MISC"]]
    keys = sorted(
        {name for tags_of_row in by_row for name in tags_of_row}, key=lambda name: (*KEYS, BARE, name).index(name)
    )
    if len(keys) > 1:
        names = " and ".join(shown(name) if name else "tags without a key" for name in keys)
        raise InputError(f"MISC has entities under {names}; choose with --read key=NAME", line=line_of(table, 0))
    assembly = Assembly(given.id, given.text, table, given.metadata, given.source)
    if keys:
        tags = [tags_of_row.get(keys[0], "O") for tags_of_row in by_row]
        is_word = ["." not in name for name in table.columns["ID"]]
        ranges = segment_ranges(table.segments, len(table.forms))
        sentences = [[row for row in range(first, end) if is_word[row]] for first, end in ranges]
        if all(tag == "O" or _NUMBERED.fullmatch(tag) for tag in tags):
            _add_numbered(assembly, table, tags, sentences)
        elif not any(map(_PREFIXED.match, tags)):
            where = f"document {shown(given.id)}: the entities under {shown(keys[0])}"
            message = f"{where} have no B- and I-: neighbours of one label are one mention"
            problems.repair(given.source, line_of(table, 0), message)
            _add_tagged(assembly, table, [tag if tag == "O" else f"I-{tag}" for tag in tags], sentences, problems)
        else:
            _add_tagged(assembly, table, tags, sentences, problems)
    return assembly.document, bool(keys)


def _of_key(misc: str, key: str) -> dict[str, str]:
    if not key:
        return tags_in(misc)
    return {name: value for name, equals, value in (part.partition("=") for part in misc.split("|")) if name == key}


def _refuse_ranges(table: TokenTable, key: str) -> None:
    """Refuse an entity on the row of a multiword token, whose words have their own rows."""
    for index, (row, line) in enumerate(table.comments):
        match = RANGE.match(line)
        if match and not {"O"}.issuperset(_of_key(line.rpartition("\t")[2], key).values()):
            behind = sum(1 for other, _ in table.comments[index:] if other == row)
            line_number = line_of(table, row) if row < len(table.forms) else None
            message = f"the entity of {match[1]}-{match[2]} stands on several words; give it to each of them"
            raise InputError(message, line=None if line_number is None else line_number - behind)


def _add_numbered(assembly: Assembly, table: TokenTable, tags: list[str], sentences: list[list[int]]) -> None:
    """Add mentions of consecutive tokens with equal values, such as PER_1."""
    for sentence in sentences:
        places: dict[str, list[int]] = {}
        for row in sentence:
            if tags[row] != "O":
                places.setdefault(tags[row], []).append(row)
        for value, rows in places.items():
            label = value.rpartition("_")[0]
            assembly.mention(fragments(rows, table.starts, table.forms), (label,))


def _add_tagged(
    assembly: Assembly, table: TokenTable, tags: list[str], sentences: list[list[int]], problems: Problems
) -> None:
    """Add mentions from tags, in the scheme that the fewest tags of the document break."""
    counts = Counter(shape for rows in sentences for shape in shapes([tags[row] for row in rows]))
    scheme = fitting_scheme(counts)
    for rows in sentences:
        chunks, repairs = decode([tags[row] for row in rows], scheme)
        for repair in repairs:
            problems.repair(assembly.document.source, line_of(table, rows[repair.token]), repair.message)
        for chunk in chunks:
            first, last = rows[chunk.start], rows[chunk.end - 1]
            span = table.starts[first], table.starts[last] + len(table.forms[last])
            assembly.mention([span], (chunk.label,))


def sniff(head: str) -> bool:
    r"""Tell whether rows of ten columns have entities in MISC, but none in brackets.

    >>> sniff("1\tAda\t_\t_\t_\t_\t0\troot\t_\tNER=B-PER\n"), sniff("1\tAda\t_\t_\t_\t_\t0\troot\t_\t_\n")
    (True, False)
    """
    return has_tags(head) and not any(FIELDS.match(line) for line in head.split("\n"))


FORMAT = Format(
    name="conllumisc",
    title="CoNLL-U with entities in MISC (NER=B-PER and the like)",
    known_by="ten columns, the last with `NER`, `ner`, `NE` or `name`, or a tag",
    read=read,
    sniff=sniff,
    options=ConlluMiscOptions,
    layers="mentions, tokens, segments",
)
