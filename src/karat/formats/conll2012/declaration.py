"""CoNLL-2012 columns: one token a line, coreference in brackets in the last column.

::

    #begin document (bc/cctv/00/cctv_0000); part 000
    bc/cctv/00/cctv_0000  0  0  Bern  NNP  (12)
    ...
    #end document

Scorers read irregular files differently. The option ``rules`` chooses between strict reading, in which a fault is an
error, and the reading of one of the scorers, which accepts the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, islice, repeat
from operator import add
from pathlib import Path

import msgspec

from karat.formats._index import can_be_cut, lines_behind, marks_in, places_between
from karat.formats.base import Format, Index, Problems, Want, everything_but
from karat.formats.conll2012 import coval, official, scorch, strict
from karat.formats.conll2012.rows import ConllDraft, cut, table_of, uneven
from karat.formats.conll2012.write import write
from karat.model import Chain, Document, Mention, TokenTable
from karat.settings import choice

_BOM = "\ufeff"
_BEGINS, _ENDS = b"#begin document", b"#end document"
_BEGIN = re.compile(r"^#[ \t]*begin document\b", re.MULTILINE)


@dataclass(frozen=True)
class Conll2012FileOptions:
    """How files of the format are read."""

    rules: str = choice(
        ("strict", "official", "coval", "scorch"),
        "whose reading it is: strict, in which faults are errors, or that of a program",
    )


def sniff(head: str) -> bool:
    """Tell whether a document begins in the first lines of a file.

    >>> sniff("#begin document (a); part 000\\n")
    True
    """
    return _BEGIN.search(head.removeprefix(_BOM)) is not None


def index(path: str, options: Conll2012FileOptions) -> Index | None:
    """Return the documents of a file in which each is begun and ended, under a name of its own.

    What stands between two of them belongs to the second, as scorch counts blank lines there.
    """
    marks = marks_in(path, (_BEGINS, _ENDS)) if can_be_cut(path) else None
    if not marks or [mark.word for mark in marks] != [_BEGINS, _ENDS] * (len(marks) // 2):
        return None
    starts: list[tuple[int, str]] = []
    behind = 0
    with Path(path).open("rb") as file:
        for begin, end in zip(marks[::2], marks[1::2], strict=True):
            line = next(lines_behind(file, begin.start), b"")
            starts.append((behind, _name_of(line.decode("utf-8", "backslashreplace"), options.rules)))
            file.seek(end.start)
            file.readline()
            behind = file.tell()
        size = file.seek(0, 2)
    if len({name for _, name in starts}) < len(starts) or not all(name for _, name in starts):
        return None
    return Index(places_between(starts, size))


def _name_of(line: str, rules: str) -> str:
    """Return the name that the document has which a line begins, by these rules; nothing if it has none.

    >>> [_name_of("#begin document (a); part 000 ", rules) for rules in ("strict", "official", "coval", "scorch")]
    ['(a); part 000', '(a); part 000 ', '(a); part 000 ', 'a-000']
    """
    if rules == "scorch":
        return scorch.name_of(line.strip()) or ""
    name = line.removeprefix(_BEGINS.decode())
    if rules == "strict":
        return name.strip()
    return name[1:] if rules == "coval" or name.startswith(" ") else ""


def read(path: str, *, problems: Problems, want: Want, options: Conll2012FileOptions) -> Iterator[Document]:
    """Yield the documents of a file."""
    for draft in _DRAFTS[options.rules](path, problems):
        if uneven_rows := uneven(draft):
            problems.counted["row of another width than the first of its sentence"] += uneven_rows
        yield document(draft, path, want)


_DRAFTS: dict[str, Callable[[str, Problems], Iterator[ConllDraft]]] = {
    "strict": strict.drafts,
    "official": official.drafts,
    "coval": coval.drafts,
    "scorch": scorch.drafts,
}


def document(draft: ConllDraft, path: str, want: Want) -> Document:
    """Return the document of a draft: words as text, ranges of tokens as mentions and chains."""
    wanted = want.columns if want.beside is None else want.beside
    forms, columns = table_of(draft.columns, wanted) if draft.columns else cut(draft.rows, wanted)
    draft.columns = []  # cells that nobody wants need not wait for the next draft
    text = " ".join(forms)
    starts = list(accumulate(map(add, map(len, forms), repeat(1)), initial=0))
    table = TokenTable(forms, columns, draft.segments, starts[:-1], draft.comments, dialect="conll2012")
    table.lines = draft.lines if want.lines else []
    read_document = Document(draft.name, text, table=table, source=path)
    if want.mentions:
        _add_chains(read_document, draft, forms, starts)
    return read_document


def _add_chains(target: Document, draft: ConllDraft, forms: Sequence[str], starts: list[int]) -> None:
    """Add the chains, with mentions numbered by their offsets."""
    text, mentions, ranges = target.text, target.mentions, list(chain.from_iterable(draft.chains.values()))
    places = [first * len(starts) - last for first, last in ranges]  # of two that begin alike, the longer comes first
    order = sorted(range(len(ranges)), key=places.__getitem__)
    names = [""] * len(ranges)
    for name, index in zip(map(_name, range(1, len(order) + 1)), order, strict=True):
        names[index] = name
        first, last = ranges[index]
        start, end = starts[first], starts[last + 1] - 1
        mentions.append(Mention(name, ((start, end),), (), forms[first] if first == last else text[start:end]))
    unchained = iter(names)
    members = {entity: tuple(islice(unchained, len(chain))) for entity, chain in draft.chains.items()}
    target.chains = list(map(Chain, members, members.values()))
    if draft.places:
        odd = {members[entity][index]: {"place": name} for (entity, index), name in draft.places.items()}
        target.mentions = [
            msgspec.structs.replace(mention, attributes=odd[mention.id]) if mention.id in odd else mention
            for mention in mentions
        ]


@lru_cache(maxsize=65_536)
def _name(order: int) -> str:
    """Return the id of the mention with this number; ids are cached across documents."""
    return f"m{order}"


FORMAT = Format(
    name="conll2012",
    title="CoNLL-2012 columns: a token a line, coreference in brackets",
    known_by="a line `#begin document`",
    read=read,
    write=write,
    sniff=sniff,
    suffixes=(".v4_gold_conll", ".v4_auto_conll", ".conll2012"),
    index=index,
    options=Conll2012FileOptions,
    keeps=everything_but(
        *("labels", "layers", "links", "attributes", "fragments", "unplaced", "unchained"),
        *("relations", "notes", "metadata"),
    ),
    layers="chains of mentions without fragments, tokens, sentences",
)
