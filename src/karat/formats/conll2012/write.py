"""Writes CoNLL-2012 columns, tab-separated, so that every scorer finds the last one.

A document from such a file keeps its columns; others get the first four standard columns. The text is read back before
it is returned, and a document that would be read differently is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from karat.annotations.tokens import TokenEdges, tokens_of
from karat.formats.base import Problems
from karat.formats.conll2012 import strict
from karat.formats.conll2012.cells import Range
from karat.formats.conll2012.official import END
from karat.formats.conll2012.rows import FORM, WORDS, column_names
from karat.formats.parts.token_tables import among_comments, has_breaks, refuse, segment_ranges, tokens_at, writable
from karat.model import Document

_NAME = re.compile(r"\((?P<name>.*)\)(?:;(?: part (?P<part>\S+))?)?")
_EMPTY = "_"

_refuse = partial(refuse, "conll2012")


def write(documents: Iterable[Document], options: Any) -> Iterator[str]:
    r"""Yield the text of one file with all documents.

    Ids of chains are kept if all of a document are numbers; otherwise its chains are numbered. Mentions lose their ids,
    and a blank stands between any two tokens. Metadata is left out.

    >>> from karat.model import Chain, Mention
    >>> mentions = [Mention("a", ((0, 8),)), Mention("b", ((16, 18),))]
    >>> plain = Document("d", "the bear ate as it likes", mentions, [Chain("7", ("a", "b"))])
    >>> print("".join(write([plain], None)).replace("\t", " "), end="")
    #begin document d
    d 0 0 the (7
    d 0 1 bear 7)
    d 0 2 ate -
    d 0 3 as -
    d 0 4 it (7)
    d 0 5 likes -
    <BLANKLINE>
    #end document
    """
    del options
    return map(_written, writable(documents, _refuse))


def _written(document: Document) -> str:
    for kind in ("relations", "notes"):
        if getattr(document, kind):
            _refuse(document, f"it has {kind}, the format holds none; leave them out with --drop {kind}")
    forms, starts, segments = tokens_of(document)
    chains = _chains(document, forms, starts)
    rows = [_row(cells, document) for cells in zip(*_columns(document, forms, segments), _cells(chains, len(forms)))]  # noqa: B905
    text = "".join(f"{line}\n" for line in _lines(document, rows, segments))
    _check(document, text, chains, len(rows))
    return text


def _chains(document: Document, forms: Sequence[str], starts: Sequence[int]) -> dict[str, list[Range]]:
    edges = TokenEdges(starts, forms)
    ranges: dict[str, Range] = {}
    for mention in document.mentions:
        if mention.labels or mention.links or mention.attributes or mention.layer:
            _refuse(document, "it has a label, a layer, links or attributes, brackets hold none", mention)
        if len(mention.spans) != 1:
            _refuse(document, f"it has {len(mention.spans)} fragments, brackets hold only one", mention)
        ranges[mention.id] = tokens_at(document, mention, edges, _refuse)
    named = all(re.fullmatch(r"[0-9]+", chain.id) for chain in document.chains)
    chains: dict[str, list[Range]] = {}
    for chain_number, chain in enumerate(document.chains):
        if not chain.mentions or chain.label:
            _refuse(document, f"its chain {chain.id!r} has a label or no mentions, brackets hold neither")
        chains[chain.id if named else str(chain_number)] = [ranges[name] for name in chain.mentions]
    members = Counter(name for chain in document.chains for name in chain.mentions)
    for mention in document.mentions:
        if members[mention.id] != 1:
            _refuse(document, "it is not in exactly one chain, as every pair of brackets is", mention)
    return chains


def _cells(chains: dict[str, list[Range]], length: int) -> list[str]:
    """Return the cell of each token: beginnings, one-token mentions, ends, each in the order of the chains."""
    begins: list[list[str]] = [[] for _ in range(length)]
    singles: list[list[str]] = [[] for _ in range(length)]
    ends: list[list[str]] = [[] for _ in range(length)]
    for entity, ranges in chains.items():
        for first, last in ranges:
            if first == last:
                singles[first].append(f"({entity})")
            else:
                begins[first].append(f"({entity}")
                ends[last].append(f"{entity})")
    return ["|".join(begun + alone + ended) or "-" for begun, alone, ended in zip(begins, singles, ends, strict=True)]


def _columns(document: Document, forms: Sequence[str], segments: list[int]) -> list[Sequence[str]]:
    table = document.table
    if table is None or table.dialect != "conll2012":
        return _standard_columns(document, forms, segments)
    held = {**table.columns, FORM: forms}
    names = column_names(len(held) + 1)
    if set(names) != set(held) or any(len(cells) != len(forms) for cells in held.values()):
        _refuse(document, f"its columns {', '.join(held)} are not those of the format, with one cell per token")
    return [held[name] for name in names]


def _standard_columns(document: Document, forms: Sequence[str], segments: list[int]) -> list[Sequence[str]]:
    """Return the columns document, part, number of the word in its sentence, and word."""
    parts = _NAME.fullmatch(document.id)
    name = re.sub(r"\s", _EMPTY, parts["name"] if parts else document.id) or _EMPTY
    part = (parts["part"] if parts else None) or "0"
    part = str(int(part)) if part.isascii() and part.isdecimal() else part
    ranges = segment_ranges(segments, len(forms))
    token_numbers = [str(token) for first, end in ranges for token in range(end - first)]
    return [[name] * len(forms), [part] * len(forms), token_numbers, forms]


def _row(cells: tuple[str, ...], document: Document) -> str:
    """Return a row; predicate-argument cells, if any, become separate columns."""
    if len(cells) == len(WORDS) + 2:
        cells = (*cells[: len(WORDS)], *cells[-2].split(), cells[-1])
    for cell in cells:
        if not cell or cell != cell.strip() or has_breaks(cell):
            _refuse(document, f"its cell {cell!r} is empty, has blanks around it, or contains a tab or a line end")
    return "\t".join(cells)


def _lines(document: Document, rows: list[str], segments: list[int]) -> Iterator[str]:
    """Yield the lines of a document, with its comments if they are of this format."""
    table = document.table
    comments = table.comments if table is not None and table.dialect == "conll2012" else ()
    yield f"#begin document {document.id}"
    yield from among_comments(rows, segments, comments)
    yield "#end document"


def _check(document: Document, text: str, chains: dict[str, list[Range]], length: int) -> None:
    """Read the text back, and refuse the document if it differs."""
    problems = Problems(collect=True)
    drafts = list(strict.drafts_in([text], document.id, problems))
    if len(drafts) != 1 or drafts[0].size != length or problems.found or len(END.findall(text)) > 1:
        _refuse(document, "a token or comment would be read as something else")
    for entity, ranges in chains.items():
        if sorted(ranges) != sorted(drafts[0].chains[entity]):
            _refuse(document, f"mentions of its chain {entity!r} cross or meet, brackets hold them only nested")
