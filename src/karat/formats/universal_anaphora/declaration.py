"""Universal Anaphora: CoNLL-U with columns behind it that mark anaphora with brackets (``(EntityID=1|MarkableID=m1``).

This is its exact format, also called exploded. Rows are words and empty nodes; cells are separated by blanks or tabs,
and the last ones may be missing. The column ``IDENTITY`` becomes mentions and chains: a chain has the id of its entity,
a mention that of its markable, and the fields of the bracket are attributes, beside ``rows`` (of the table, part by
part, as in ``17-19,21``). A markable whose entity ends with ``-Pseudo`` refers to nothing: it has the label
``non-referring``, and is in no chain. ``ElementOf`` names the entities whose split antecedent an entity belongs to. The
column ``BRIDGING`` becomes relations from an anaphor to its anchor. All other columns stay in the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from karat.files import lines
from karat.formats.base import Format, Problems, Want
from karat.formats.conll.layout import HEADER, is_anaphora
from karat.formats.corefud.read import BOM
from karat.formats.universal_anaphora.read import AnaphoraFileOptions, read_lines
from karat.formats.universal_anaphora.write import write
from karat.model import Document

__all__ = ["FORMAT", "AnaphoraFileOptions", "read", "sniff", "write"]


def read(path: str, *, problems: Problems, want: Want, options: AnaphoraFileOptions) -> Iterator[Document]:
    """Yield the documents of a file; a faulty row or bracket is reported and left out."""
    del want
    return read_lines(lines(path), path, problems, options)


def sniff(head: str) -> bool:
    r"""Say whether a file names a column of identity.

    >>> sniff("# global.columns = ID FORM MISC IDENTITY BRIDGING\n"), sniff("# global.columns = FORM NE\n")
    (True, False)
    """
    head_lines = head.removeprefix(BOM).replace("\r\n", "\n").split("\n")
    return any(is_anaphora(header[1]) for line in head_lines if (header := HEADER.match(line)))


FORMAT = Format(
    name="universal-anaphora",
    title="Universal Anaphora: CoNLL-U with columns of anaphora in brackets",
    known_by="a line `# global.columns` that names a column `IDENTITY`",
    read=read,
    sniff=sniff,
    suffixes=(".conllua",),
    write=write,
    options=AnaphoraFileOptions,
    layers="chains of mentions with fragments and fields, what refers to nothing, bridging; tokens with empty nodes",
)
