"""CorefUD: CoNLL-U whose column MISC marks the mentions of entities with brackets (``Entity=(e5-person-1-``).

The rows of the table are words and empty nodes. The text is that of the words; empty nodes (``8.1``) have no width in
it, and a multiword token (``3-4``) only says whether a blank follows it: its row stays among the comments. ``MISC``
is kept without ``Entity``, which becomes mentions and chains: a chain has the id of the entity, the label of a mention
is its ``etype``, and its attributes are ``rows`` (of the table, as in ``17-19,21``), ``head`` (a row) and the other
fields of its bracket by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from karat.files import lines
from karat.formats._conllu_tags import has_tags
from karat.formats.base import EVERYTHING, Format, NoOptions, Problems, Want, everything_but
from karat.formats.corefud.read import BOM, FIELDS, read_lines
from karat.formats.corefud.rows import COLUMNS
from karat.formats.corefud.write import write
from karat.model import Document

__all__ = ["FORMAT", "read", "sniff", "write"]


def read(
    path: str, *, problems: Problems, want: Want = EVERYTHING, options: NoOptions | None = None
) -> Iterator[Document]:
    """Yield the documents of a file; a faulty row or bracket is reported and left out."""
    del want, options
    return read_lines(lines(path), path, problems)


def sniff(head: str) -> bool:
    r"""Say whether a file names the fields of its entities or has rows with ten columns.

    >>> sniff("# newdoc id = d1\n# global.Entity = eid-etype-head\n"), sniff("Bern\tB-loc\n")
    (True, False)
    """
    head_lines = head.removeprefix(BOM).replace("\r\n", "\n").split("\n")
    if any(FIELDS.match(line) for line in head_lines):
        return True
    row = next((line for line in head_lines if line.strip() and not line.startswith("#")), "").split("\t")
    if has_tags(head):
        return False
    return len(row) == len(COLUMNS) and row[0] in ("1", "1-2", "0.1") and (row[-1] == "_" or "=" in row[-1])


FORMAT = Format(
    name="corefud",
    title="CorefUD: CoNLL-U with entities in brackets",
    known_by="a line `# global.Entity`, or rows of ten columns without tags in the last",
    read=read,
    sniff=sniff,
    suffixes=(".conllu",),
    write=write,
    keeps=everything_but("layers", "links", "unchained", "relations", "notes"),
    layers="chains of mentions with fragments, one label and a head; tokens with empty nodes, sentences",
)
