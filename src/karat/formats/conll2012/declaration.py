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

import msgspec

from karat.formats.base import Format, Problems, Want, everything_but
from karat.formats.conll2012 import coval, official, scorch, strict
from karat.formats.conll2012.rows import ConllDraft, cut, table_of, uneven
from karat.formats.conll2012.write import write
from karat.model import Chain, Document, Mention, TokenTable
from karat.settings import choice

_BOM = "\ufeff"
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
    options=Conll2012FileOptions,
    keeps=everything_but(
        *("labels", "layers", "links", "attributes", "fragments", "unplaced", "unchained"),
        *("relations", "notes", "metadata"),
    ),
    layers="chains of mentions without fragments, tokens, sentences",
)
