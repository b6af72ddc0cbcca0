"""``karat.show``: documents with their annotations, gold and systems in the text, in a notebook or a browser."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.analysis.summary import scores_of
from karat.display.drawing.documents import documents_showing
from karat.display.drawing.offsets import Shown, shown_ledger
from karat.display.drawing.pages import Showing
from karat.display.drawing.reader.page import ReaderContent, ReaderSystem, Subject
from karat.display.views.ledger_text import LedgerTextOptions, ledger_markup
from karat.display.views.papers import scores_markup
from karat.errors import UsageError, plural, unknown
from karat.evaluation.corpora import Reading, load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.registry import configure
from karat.evaluation.scores import Row, Scores, unit_rows
from karat.evaluation.tally import Tallies
from karat.evaluation.tasks import run_of
from karat.model import Document
from karat.report.collection import LedgerCollection

if TYPE_CHECKING:
    from karat.evaluation.corpora import Source
    from karat.evaluation.corpus import Corpus
    from karat.evaluation.evaluation import UnitLedger
    from karat.evaluation.ledger import Entry
    from karat.evaluation.protocol import Bound, Protocol

MOST_UNITS = 100
"""The largest number of units in a notebook."""


class Contender(NamedTuple):
    """A system to show: its name, the protocol, the gold and the system."""

    name: str
    bound: Bound
    gold: Corpus
    system: Corpus


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
    """Show documents with their annotations or, with a system, gold and system with the verdicts of a protocol.

    >>> from karat.model import Document, Mention
    >>> show(Document("d1", "Ada met Charles.", [Mention("T1", ((0, 3),), ("PER",))]))
    <d1: shown in a notebook; save it to have a page>
    """
    if system is None:
        if protocol is not None:
            raise UsageError("a protocol needs gold and system; give both, or leave the protocol out")
        return _documents(gold, format, read)
    if protocol is None:
        raise UsageError("a protocol is needed to judge the system; give one, such as show(gold, system, 'conll2003')")
    bound = configure(protocol, options)
    sources = [[side] if isinstance(side, Document) else side for side in (gold, system)]
    readings = [Reading(name, read or {}) for name in (format, system_format or format)]
    sides = load(bound, sources, readings, lines=True, texts=True)
    return showing_of(Contender(sides[1].name, bound, *sides))


def showing_of(contender: Contender, *, document: str | None = None, numbers: str = "") -> Showing:
    """Return the display of a system in a notebook: the first units in the reader, and as markup without a script.

    ``document`` selects the units of one document; ``numbers`` is markup with the scores.
    """
    name, bound = contender.name, contender.bound
    regimes = regimes_first(bound, bound.main.regimes)
    title = f"{bound.name}: {name}"
    shown: list[tuple[Shown, Row | None]] = []
    known: list[str] = []

    def is_asked(ledger: UnitLedger) -> bool:
        known.append(ledger.unit)
        return document is None or document in (ledger.unit, ledger.pair[0].id if ledger.pair else None)

    def draw(ledger: UnitLedger) -> None:
        if len(shown) < MOST_UNITS:
            shown.append((shown_ledger(ledger), None))

    reading = reading_of(title, [contender], regimes, is_shown=is_asked, about=numbers, most=MOST_UNITS, witness=draw)
    if document is not None and not shown:
        raise unknown(bound.unit, document, known)
    layout = LedgerTextOptions(regimes, name)
    cut = f"<p>{reading.cut}</p>\n" if reading.cut else ""
    return Showing(title, ledger_markup(title, shown, layout) + numbers + cut, reading)


def reading_of(
    title: str,
    contenders: Sequence[Contender],
    regimes: Sequence[str],
    *,
    keeps: Callable[[Entry], bool] = bool,
    is_shown: Callable[[UnitLedger], bool] = bool,
    about: str = "",
    most: int | None = None,
    witness: Callable[[UnitLedger], None] | None = None,
) -> ReaderContent:
    """Return the content of the reader for some systems.

    Args:
        title: the title of the page.
        contenders: the systems.
        regimes: the regimes that are shown, in order.
        keeps: the filter of entries.
        is_shown: the filter of units.
        about: markup with further information.
        most: the largest number of units; the page says if there are more.
        witness: a function that receives every shown ledger.

    """
    collection, results = LedgerCollection(), []
    for contender in contenders:
        add = collection.next_system()

        def told(ledger: UnitLedger, add: Callable[[UnitLedger], None] = add) -> None:
            if not is_shown(ledger):
                return
            if witness is not None:
                witness(ledger)
            add(ledger._replace(entries=list(filter(keeps, ledger.entries))))

        run = run_of(*contender[1:], witness=told)
        results.append(scores_of(run, contender.bound))
    bound = contenders[0].bound
    units = collection.units() if keeps is bool else collection.units().with_items()
    values = [_by_unit(scores, contender.bound, regimes) for scores, contender in zip(results, contenders, strict=True)]
    kept = units[:most]
    declared = [regime for contender in contenders for regime in contender.bound.regimes()]
    judged = kept.regimes(dict.fromkeys(declared))
    first = next((regime for regime in regimes if regime in judged), judged[0])
    sides = [
        ReaderSystem(letter, contender.name, scores.signature)
        for letter, contender, scores in zip("AB", contenders, results, strict=False)
    ]
    subject = Subject(bound.name, bound.task, bound.unit, judged, first)
    rows = [[own.get(summary.name) for own in values] for summary in kept.summaries]
    return ReaderContent(
        title, subject, sides, kept, rows, about or scores_markup(results), _cut(len(kept), len(units), bound.unit)
    )


def _cut(kept: int, units: int | None, unit: str) -> str:
    """Return a note on how many units are shown, or an empty text if all are."""
    if units is not None and kept == units:
        return ""
    of_all = f" of {units}" if units is not None else ""
    return f"The first {kept}{of_all} {plural(unit)} are shown; karat report makes a page of all."


def _by_unit(scores: Scores, bound: Bound, regimes: Sequence[str]) -> dict[str, float | None]:
    """Return the number of each unit by name; units with the same name are numbered as in the reader."""
    seen: Counter[str] = Counter()
    values = {}
    for unit, tally in zip(scores.tallies.units, scores.tallies.rows, strict=True):
        seen[unit] += 1
        row = _number(bound, Tallies([unit], [tally]), regimes)
        values[unit if seen[unit] == 1 else f"{unit} ({seen[unit]})"] = row.value if row else None
    return values


def _number(bound: Bound, tallies: Tallies, regimes: Sequence[str]) -> Row | None:
    """Return the number that is shown beside the name of a unit."""
    rows = [row for row in unit_rows(bound, tallies) if row.label is None and row.regime in regimes]
    return next((row for row in rows if row.measure == "f1"), rows[0] if rows else None)


def _documents(source: Any, format_name: str | None, read: Mapping[str, Any] | None) -> Showing:
    """Return the display of documents alone."""
    from karat import formats

    if isinstance(source, Document):
        documents: Iterable[Document] = [source]
    elif isinstance(source, str | os.PathLike):
        documents = formats.read(source, format_name, options=read or {})
    else:
        documents = source
    shown = list(islice(documents, MOST_UNITS + 1))
    return documents_showing(shown[:MOST_UNITS], "" if len(shown) <= MOST_UNITS else _cut(MOST_UNITS, None, "document"))


def regimes_first(bound: Bound, regimes: Sequence[str]) -> list[str]:
    """Return regimes in display order: for coreference, those first that give verdicts on mentions."""
    if bound.task != "coreference":
        return list(regimes)
    return sorted(regimes, key=lambda regime: (regime != "ceafm", regime != "b3"))


def units_of(evaluation: Evaluation, regimes: Sequence[str]) -> Iterator[tuple[Shown, Row | None]]:
    """Yield every unit with its entries and offsets, and the number shown beside its name."""
    for ledger in evaluation.ledgers(tallied=True):
        tallies = Tallies([ledger.unit], [ledger.tally or {}])
        yield shown_ledger(ledger), _number(evaluation.bound, tallies, regimes) if ledger.tally is not None else None
