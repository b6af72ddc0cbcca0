"""CorefUD: CoNLL-U whose column MISC marks the mentions of entities with brackets (``Entity=(e5-person-1-``).

The rows of the table are words and empty nodes. The text is that of the words; empty nodes (``8.1``) have no width in
it, and a multiword token (``3-4``) only says whether a blank follows it: its row stays among the comments. ``MISC``
is kept without ``Entity``, which becomes mentions and chains: a chain has the id of the entity, the label of a mention
is its ``etype``, and its attributes are ``rows`` (of the table, as in ``17-19,21``), ``head`` (a row) and the other
fields of its bracket by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from karat.annotations.faults import shown
from karat.errors import many
from karat.files import lines
from karat.formats._conllu_tags import has_tags, keys_of_tags
from karat.formats.base import Format, NoOptions, Problems, Want, everything_but
from karat.formats.corefud.read import BOM, FIELDS, read_lines
from karat.formats.corefud.rows import COLUMNS
from karat.formats.corefud.write import write
from karat.model import Document

__all__ = ["FORMAT", "read", "sniff", "write"]


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the documents of a file; a faulty row or bracket is reported and left out, and tags are told of."""
    del want, options
    tags: Counter[str] = Counter()
    for document in read_lines(lines(path), path, problems):
        if document.table is not None and not document.mentions:
            tags.update(chain.from_iterable(map(keys_of_tags, document.table.columns["MISC"])))
        yield document
    for key, times in tags.items():
        advice = f"read them with --from conllumisc --read key={key}"
        message = f"{many(times, 'tag')} under {shown(key)} in MISC {'is' if times == 1 else 'are'} not read; {advice}"
        problems.drop(path, None, f"tags under {shown(key)}", message, times)


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
