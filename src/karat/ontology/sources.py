"""Which kind of source a file is, told by its first line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from karat.errors import InputError
from karat.ontology import dump, kgtk, ntriples
from karat.ontology.facts import Facts
from karat.ontology.streams import LineBlock, blocks

_KINDS = "KGTK edges (a header with node1, label, node2), N-Triples or the JSON dump of Wikidata"


def read_source(facts: Facts, path: str) -> None:
    """Read a file of any kind we know."""
    source_blocks = blocks(path)
    first = next(source_blocks, None)
    if first is None:
        raise InputError(f"is empty; expected {_KINDS}", path=path)
    first = first._replace(text=first.text.removeprefix("\ufeff"))
    stream: Iterator[LineBlock] = chain([first], source_blocks)
    head = first.text.lstrip()
    line = first.text.partition("\n")[0]
    if kgtk.is_header(line):
        kgtk.read(facts, path, stream)
    elif head.startswith(("<", "#", "_:")):
        ntriples.read(facts, path, stream)
    elif head.startswith(("[", "{")):
        dump.read(facts, path, stream)
    else:
        raise InputError(f"begins with {line[:60]!r}; expected {_KINDS}", path=path, line=1)
