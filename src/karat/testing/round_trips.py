"""Round trips through a format: a small document for each kind of annotation, and what differs in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from karat.annotations.faults import shown, surface
from karat.annotations.losses import losses
from karat.annotations.trimming import KINDS, kinds_in, trim
from karat.formats.base import Format
from karat.formats.fidelity import Losses
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation

_NO_MORE = ("labels", "links", "scores")
"""What may not be more than was written; of mentions, chains and relations it is always said."""
_BERN = Mention("T1", ((0, 4),), ("LOC",), "Bern")
_LIMA = Mention("T2", ((9, 13),), ("LOC",), "Lima")
_PLAIN = Document("letter", "Bern and Lima are far.", [_BERN, _LIMA])
_BOTH = Chain("C1", ("T1", "T2"))
_ALONE = [Chain("C1", ("T1",)), Chain("C2", ("T2",))]


def _with(**parts: Any) -> Document:
    """Return the plain document with a first mention that has these parts."""
    return replace(_PLAIN, mentions=[replace(_BERN, **parts), _LIMA])


def _related(first: str, second: str) -> list[Relation]:
    return [Relation("R1", "far_from", (Argument("Arg1", first), Argument("Arg2", second)))]


_BY_KIND: Mapping[str, Document] = {
    "links": _with(links=(Link("Q70"),)),
    "scores": _with(links=(Link("Q70", 0.5),)),
    "attributes": _with(attributes={"certainty": "low"}),
    "fragments": _with(spans=((0, 4), (14, 17)), text="Bern are"),
    "unplaced": _with(spans=((0, 0),), text="", attributes={"located": "no", "given": "Berne"}),
    "chains": replace(_PLAIN, chains=[_BOTH]),
    "relations": replace(_PLAIN, relations=_related("T1", "T2")),
    "chain-ends": replace(_PLAIN, chains=_ALONE, relations=_related("C1", "C2")),
    "notes": replace(_PLAIN, notes=[Note("N1", "T1", "on the Aare")]),
    "metadata": replace(_PLAIN, metadata={"author": "Ada"}),
}
"""A document for each kind of annotation that any file might have. Names of layers may be fixed, and tokens, cells and
comments belong to single formats."""


def documents_by_kind(declared: Format) -> Iterator[Document]:
    """Yield a plain document with mentions, and one with each kind of annotation that a format says it keeps."""
    for kind, document in (("", _PLAIN), *_BY_KIND.items()):
        whole = document if "unchained" in declared.keeps or document.chains else replace(document, chains=[_BOTH])
        trimmed = kept(whole, declared)
        if not kind or kind in kinds_in(trimmed):
            yield trimmed


def bare(document: Document, declared: Format) -> Document:
    """Return the text of a document and as much of its mentions as a format keeps."""
    chains = [] if "unchained" in declared.keeps else document.chains
    return kept(Document(document.id, document.text, document.mentions, chains), declared)


def kept(document: Document, declared: Format) -> Document:
    """Return what a format says it keeps of a document."""
    return trim(document, set(KINDS) - declared.keeps)


def difference(written: Document, back: Document, declared: Format) -> Losses:
    """Return what is not the same in a document that was read back."""
    found = Losses()
    lost = losses(written, back)
    if declared.cells_are_hints and written.table is not None and written.table.dialect == declared.name:
        del lost["cells"]
    more = losses(back, written) if back.mentions else lost
    found.add(written, lost + +type(lost)({kind: more[kind] for kind in _NO_MORE if not lost[kind]}))
    return found


def in_words(written: Document, back: Document) -> str:
    """Say which mention was written and not read back, and what was read that was not written.

    >>> other = _with(labels=("PER",))
    >>> in_words(_PLAIN, other)
    ": it wrote 'Bern' [0, 4] LOC and read back 'Bern' [0, 4] PER"
    """
    before = [_said(mention, written.text) for mention in written.mentions]
    after = [_said(mention, back.text) for mention in back.mentions]
    gone = next((said for said in before if before.count(said) > after.count(said)), None)
    new = next((said for said in after if after.count(said) > before.count(said)), None)
    parts = [f"it wrote {gone}" if gone else "", f"read back {new or 'nothing there'}" if gone or new else ""]
    return f": {' and '.join(filter(None, parts))}" if any(parts) else ""


def _said(mention: Mention, text: str) -> str:
    places = " ".join(f"[{start}, {end}]" for start, end in mention.spans)
    said = [shown(surface(text, mention.spans)), places, "+".join(mention.labels)]
    said += [f"in layer {mention.layer}"] if mention.layer else []
    said += [f"linked to {link.target}" + ("" if link.score is None else f" ({link.score})") for link in mention.links]
    return " ".join(filter(None, said))
