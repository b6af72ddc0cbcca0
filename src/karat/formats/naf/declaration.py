"""NAF, the annotation format of NewsReader: one XML file per document, with layers of annotation.

A path names one ``.naf`` file or a folder, which is searched recursively except for hidden names and linked folders; a
document's id is then its path within the folder. Module ``layers`` reads the layers and locates tokens, ``assembly``
builds documents from them, ``write`` turns documents into files and refuses what NAF cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from karat.formats._files import files_below
from karat.formats.base import Format, Problems, Want, everything_but
from karat.formats.naf.assembly import NafAssembly, NafOptions
from karat.formats.naf.layers import read_layers
from karat.formats.naf.write import write
from karat.formats.parts.heads import root_of
from karat.model import Document

__all__ = ["FORMAT", "read", "sniff", "write"]

_SUFFIX = ".naf"


def read(path: str, *, problems: Problems, want: Want, options: NafOptions) -> Iterator[Document]:
    """Yield a document for each ``.naf`` file, by name; faulty ones are reported and skipped."""
    del want
    for file, name in files_below(path, _SUFFIX, problems):
        with problems.catching(file):
            layers = read_layers(file)
            problems.has("naf", (name for name in ("entities", "coreferences", "terms") if getattr(layers, name)))
            assembly = NafAssembly(layers, file, problems, options)
            document = assembly.document(name)
            if document is not None and document.table is not None:
                document.table.columns |= assembly.raw_cells()
                yield document


def sniff(head: str) -> bool:
    """Tell whether the root element is ``NAF``.

    >>> sniff('<?xml version="1.0"?><NAF version="v3">'), sniff("<html>")
    (True, False)
    """
    return root_of(head).name == "NAF"


FORMAT = Format(
    name="naf",
    title="NAF: NewsReader's layered XML",
    known_by="the root element `NAF`",
    read=read,
    sniff=sniff,
    suffixes=(_SUFFIX,),
    write=write,
    folder=True,
    options=NafOptions,
    cells_are_hints=True,
    keeps=everything_but("relations", "notes", "unplaced"),
    layers="mentions, ranked links, chains, tokens, metadata",
)
