"""From a pair of documents to a sheet: the chains of both sides, laid over the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from karat.model import Document
from karat.protocols.base import Demands, Sheet
from karat.protocols.coreference.corefud.words import has_rows
from karat.protocols.coreference.draft import left_out
from karat.protocols.coreference.items import ShownSide
from karat.protocols.coreference.universal_anaphora.options import AnaphoraOptions
from karat.protocols.coreference.universal_anaphora.places import laid
from karat.protocols.coreference.universal_anaphora.sides import AnaphoraSide, Arranging

_DEIXIS = "DISCOURSE_DEIXIS"
_UNSCORED = "unscored"
FORMAT = "universal-anaphora"


class AnaphoraPage(NamedTuple):
    """The chains of a document as they are compared, by which rule mentions match, and whether only splits count."""

    gold: AnaphoraSide
    system: AnaphoraSide
    match: str
    only_splits: bool

    def shown(self) -> tuple[ShownSide, ShownSide]:
        """Return both sides as they are shown."""
        return self.gold.shown(), self.system.shown()


def demands(options: AnaphoraOptions) -> Demands:
    """Return which column of a file is read."""
    return Demands(options={FORMAT: {"column": options.evaluate}})


def draft(gold: Document, system: Document, known: object, options: AnaphoraOptions) -> Iterator[Sheet]:
    """Yield the sheet of a document, with what was left out of it."""
    del known
    lacks = system.table is None and not system.mentions and has_rows(gold)
    lays = laid(gold, gold if lacks else system)
    notes: Counter[Hashable] = Counter()
    golds, systems = (
        Arranging(name, options, notes).side(document, lay)
        for name, document, lay in zip(("gold", "system"), (gold, system), lays, strict=True)
    )
    if options.evaluate == "identity" and _has_deixis(gold):
        notes[_UNSCORED, _DEIXIS] = 1
    yield Sheet(gold.id, AnaphoraPage(golds, systems, options.match, options.only_splits), notes)


def _has_deixis(document: Document) -> bool:
    columns = document.table.columns if document.table is not None else {}
    return any(cell != "_" for cell in columns.get(_DEIXIS, ()))


def remarks(notes: Counter[Any], known: object, options: AnaphoraOptions) -> Iterator[str]:
    """Yield what was left out of the gold, then of the system, and what else the gold has."""
    del known
    if options.keeps_splits and options.singletons == "remove":
        yield "singletons are kept, because split antecedents may have them as parts"
    for side in ("gold", "system"):
        for (of_side, what), times in notes.items():
            if of_side == side:
                yield left_out(times, what.format(side))
    if notes[_UNSCORED, _DEIXIS]:
        yield "the gold has discourse deixis, which is not scored; --evaluate discourse-deixis does it"
