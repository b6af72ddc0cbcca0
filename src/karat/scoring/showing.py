"""``karat.show``: documents with their annotations, gold and system in the text, in a notebook or a browser."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from karat.drawing.documents import document_markup
from karat.drawing.pages import Showing
from karat.drawing.placing import Shown, shown_ledger
from karat.errors import UsageError, many
from karat.model import Document
from karat.scores import Row, unit_rows
from karat.scoring import Evaluation, Reading, configure, load
from karat.tally import Tallies
from karat.views.ledger_html import ledger_markup
from karat.views.ledger_text import Telling

if TYPE_CHECKING:
    from karat.protocols.base import Protocol
    from karat.scoring.corpora import Source

_MOST_DOCUMENTS = 100
"""Documents that a notebook is given at once."""


def show(
    gold: Document | Source,
    system: Document | Source | None = None,
    protocol: str | Protocol | None = None,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    system_format: str | None = None,
    read: Mapping[str, Any] | None = None,
    **options: Any,
) -> Showing:
    """Show a document, or several, with what is annotated in it; with a system, what a protocol makes of both.

    >>> from karat.model import Document, Mention
    >>> show(Document("d1", "Ada met Charles.", [Mention("T1", ((0, 3),), ("PER",))]))
    <d1: shown in a notebook; save it to have a page>
    """
    if system is None:
        if protocol is not None:
            raise UsageError("a protocol judges a system against the gold; give both, or leave it out")
        return _documents(gold, format, read)
    if protocol is None:
        raise UsageError("which protocol judges the system? Give one, such as show(gold, system, 'conll2003')")
    chosen, settings = configure(protocol, options)
    sources = [[side] if isinstance(side, Document) else side for side in (gold, system)]
    readings = [Reading(name, read or {}) for name in (format, system_format or format)]
    sides = load(chosen, settings, sources, readings, lines=True, texts=True)
    evaluation = Evaluation(chosen, settings, *sides)
    regimes = regimes_first(chosen, chosen.main.regimes)
    title = f"{chosen.name}: {evaluation.system.name}"
    telling = Telling(regimes, evaluation.system.name, notes=lambda: evaluation.notes)
    units = islice(units_of(evaluation, regimes), _MOST_DOCUMENTS)
    return Showing(title, ledger_markup(title, units, telling))


def _documents(source: Any, format_name: str | None, read: Mapping[str, Any] | None) -> Showing:
    """Return documents by themselves, from wherever they come."""
    from karat import formats

    if isinstance(source, Document):
        documents: Iterable[Document] = [source]
    elif isinstance(source, str | os.PathLike):
        documents = formats.read(source, format_name, options=read or {})
    else:
        documents = source
    shown = list(islice(documents, _MOST_DOCUMENTS))
    told = many(len(shown), "document")
    body = "".join(map(document_markup, shown))
    return Showing(shown[0].id if len(shown) == 1 else told, f"<h1>{told}</h1>\n{body}")


def regimes_first(protocol: Protocol, regimes: Sequence[str]) -> list[str]:
    """Return regimes with those first that cases speak of: of chains, what judges a mention by them."""
    if protocol.task != "coreference":
        return list(regimes)
    return sorted(regimes, key=lambda regime: (regime != "ceafm", regime != "b3"))


def units_of(evaluation: Evaluation, regimes: Sequence[str]) -> Iterator[tuple[Shown, Row | None]]:
    """Yield every unit with its items in their places, and the number that is told beside its name."""
    for ledger in evaluation.ledgers(tallied=True):
        tallies = Tallies([ledger.unit], [ledger.tally or {}])
        rows = [row for row in unit_rows(evaluation.protocol, tallies) if row.label is None and row.regime in regimes]
        score = next((row for row in rows if row.measure == "f1"), rows[0] if rows else None)
        yield shown_ledger(ledger), score if ledger.tally is not None else None
