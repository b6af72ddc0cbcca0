"""Whether a protocol keeps its promises: ledger and tally agree, and neither order nor workers make a difference."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from karat.annotations.trimming import without_unplaced
from karat.ledger import Entry
from karat.model import Document
from karat.protocols.base import Facts, Protocol, Side
from karat.protocols.casebook import Casebook, RegimeBook
from karat.scores import Scores
from karat.scoring import Evaluation, configure, evaluate, load
from karat.scoring.evaluation import SheetJudge
from karat.tally import Counts, Group
from karat.testing.documents import Corpora, corpora


def check_protocol(
    protocol: Protocol, pairs: Iterable[Corpora] | None = None, *, repeats: bool = False, **options: Any
) -> None:
    """Check a protocol on pairs of gold and system documents, two lists each, by default on invented ones.

    - Sheets hold pages; every item of a page has a verdict, and exactly one unless ``repeats`` says that the protocol
      counts items more than once; its cases and main figures are those of the book.
    - The ledger adds up to the tally: what is counted is what is shown, and every entry has a reason and an item.
    - Facts add up: they are the same in any order, and the tally of a document does not depend on others but by them.
    - The order of documents makes no difference, nor do workers; sheets and protocol can travel to other processes.
    - A perfect system scores 1 wherever a score is defined, and no score is below 0 or above 1.
    - Documents are left as they are.
    """
    chosen, settings = configure(protocol, options)
    _check_declaration(chosen)
    judged = 0
    for gold, system in corpora() if pairs is None else pairs:
        if not (isinstance(gold, Sequence) and isinstance(system, Sequence)):
            raise TypeError("pairs are pairs of lists of documents, the gold and the system")
        _check_verdicts(chosen, settings, gold, system, repeats=repeats)
        before = pickle.dumps((gold, system))
        scores = _scores(chosen, settings, gold, system)
        _check_bounds(chosen, scores)
        _check_ledger(chosen, settings, gold, system, scores)
        _check_facts(chosen, settings, gold, system)
        _check_order(chosen, settings, gold, system, scores)
        _check_workers(chosen, settings, gold, system, scores)
        _check_perfect(chosen, settings, gold)
        _expect(pickle.dumps((gold, system)) == before, chosen, "changes the documents that it is given", gold)
        judged += any(any(counts) for tally in scores.tallies.rows for counts in tally.values())
    _expect(bool(judged), chosen, "counts nothing in any of the corpora; give pairs of documents that it judges", [])


def _expect(holds: bool, protocol: Protocol, fault: str, documents: Sequence[Document]) -> None:
    if not holds:
        names = f" (documents {', '.join(document.id for document in documents)})" if documents else ""
        raise AssertionError(f"protocol {protocol.name} {fault}{names}")


def _check_declaration(protocol: Protocol) -> None:
    """Compare what is to be shown with what there is."""
    known: dict[str, set[str]] = {
        "regimes": set(protocol.regimes()),
        "averages": {figure.average for figure in protocol.figures},
    }
    for what, names in known.items():
        unknown = [name for name in getattr(protocol.main, what) if name not in names]
        _expect(not unknown, protocol, f"names {', '.join(unknown)} in main, but has no such {what}", [])


def _check_verdicts(
    protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document], *, repeats: bool
) -> None:
    """Look at the sheets, and whether every item of their pages has a verdict that the casebook knows."""
    book = getattr(protocol.book, "book", protocol.book)
    for sheet in _evaluation(protocol, settings, gold, system).sheets():
        if not isinstance(book, Casebook):
            continue
        pages = sheet.content if isinstance(sheet.content, Sequence) else [None]
        for page in pages:
            has_sides = all(hasattr(page, name) for name in ("gold", "system", "group"))
            fault = f"has a sheet of {sheet.unit!r} whose content is no list of pages with gold, system and group"
            _expect(has_sides, protocol, fault, gold)
            if not isinstance(book, RegimeBook):
                _check_page(protocol, book, page, repeats=repeats)


def _check_page(protocol: Protocol, book: Casebook, page: Any, *, repeats: bool) -> None:
    judged: dict[Side, Counter[int]] = {"gold": Counter(), "system": Counter()}
    for verdict in book.judge(page):
        known = ", ".join(book.worths)
        _expect(verdict.case in book.worths, protocol, f"judges the case {verdict.case!r}; its book has {known}", [])
        judged["gold"].update(() if verdict.gold is None else (verdict.gold,))
        judged["system"].update(() if verdict.system is None else (verdict.system,))
    for side, counted in judged.items():
        for index in range(len(getattr(page, side))):
            times = counted[index]
            _expect(times > 0, protocol, f"gives no verdict on the {side} item {index} of a page", [])
            _expect(repeats or times == 1, protocol, f"gives {times} verdicts on the {side} item {index} of a page", [])


def _evaluation(protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document]) -> Evaluation:
    return Evaluation(protocol, settings, *load(protocol, settings, [gold, system]))


def _scores(
    protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document], **how: Any
) -> Scores:
    return evaluate(protocol, settings, *load(protocol, settings, [gold, system]), by="label", **how)


def _check_bounds(protocol: Protocol, scores: Scores) -> None:
    for row in scores:
        inside = row.value is None or 0 <= row.value <= 1
        _expect(inside, protocol, f"gives {row.value} for {row.name}; a score is between 0 and 1, or undefined", [])
    for tally in scores.tallies.rows:
        widths = {len(counts) for counts in tally.values()}
        _expect(
            widths <= {len(protocol.counts)}, protocol, f"has {len(protocol.counts)} counts but tallies {widths}", []
        )


def _check_ledger(
    protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document], scores: Scores
) -> None:
    entries: dict[str, list[Entry]] = {unit: [] for unit in scores.tallies.units}
    for entry in _evaluation(protocol, settings, gold, system).entries():
        _expect(entry.unit in entries, protocol, f"has an entry for {entry.unit!r}, which it does not count", gold)
        _expect(bool(entry.reason), protocol, f"gives no reason for an entry of {entry.unit!r}", gold)
        has_item = entry.gold is not None or entry.system is not None
        _expect(has_item, protocol, f"has an entry of {entry.unit!r} about neither a gold nor a system item", gold)
        unknown = [regime for regime in entry.verdicts if regime not in protocol.regimes()]
        _expect(not unknown, protocol, f"has verdicts under {unknown}, which are none of its regimes", gold)
        entries[entry.unit].append(entry)
    book = getattr(protocol.book, "book", protocol.book)
    if isinstance(book, Casebook):
        for unit, tally in zip(scores.tallies.units, scores.tallies.rows, strict=True):
            for group, counts in _recounted(book, entries[unit]).items():
                fault = f"counts {tally.get(group)} in {unit!r}, but its ledger adds up to {counts}"
                _expect(tally.get(group, ())[: len(counts)] == counts, protocol, fault, gold)


def _recounted(book: Casebook, entries: Iterable[Entry]) -> dict[Group, Counts]:
    """Return what the entries add up to, over all labels; graded credit is in no entry, so it is not recounted."""
    counted: dict[Group, Counter[str]] = {}
    if isinstance(book, RegimeBook):
        return {}
    for entry in entries:
        counted.setdefault(Group(entry.layer, entry.slice), Counter())[entry.case] += 1
    return {group: tuple(cases[name] for name in book.worths) for group, cases in counted.items()}


def _check_facts(protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document]) -> None:
    """Compare facts in both orders, and what a pair counts for among others and, with the same facts, alone."""
    whole = _facts(protocol, settings, gold, system)
    backwards = _facts(protocol, settings, gold[::-1], system[::-1])
    _expect(whole == backwards, protocol, "has facts that depend on the order of the documents", gold)
    known = protocol.settle(whole, settings)
    if protocol.whole(known, settings):
        return
    together = _evaluation(protocol, settings, gold, system).tallies()
    alone = {}
    pairs = protocol.pairs(gold, system, known, settings, lambda note: None)
    for pair in list(pairs)[::-1]:
        for sheet in protocol.draft(*pair, known, settings):
            alone[sheet.unit] = protocol.book.tally(sheet)
    same = alone == dict(zip(together.units, together.rows, strict=True))
    _expect(
        same, protocol, "counts a document differently alone than among others; use facts for what must be known", gold
    )


def _facts(protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document]) -> Facts:
    facts: Facts = Counter()
    for document in gold:
        facts.update(protocol.facts(document, "gold", settings))
    for document in system:
        facts.update(protocol.facts(document, "system", settings))
    return facts


def _check_order(
    protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document], scores: Scores
) -> None:
    backwards = _scores(protocol, settings, gold[::-1], system[::-1])
    same = {row.name: row.value for row in backwards} == {row.name: row.value for row in scores}
    _expect(same, protocol, "gives other scores when the documents come in another order", gold)


def _check_workers(
    protocol: Protocol, settings: Any, gold: Sequence[Document], system: Sequence[Document], scores: Scores
) -> None:
    with ThreadPoolExecutor(2) as executor:
        spread = _scores(protocol, settings, gold, system, executor=executor)
    _expect(spread.rows == scores.rows, protocol, "gives other scores with workers", gold)
    try:
        judge = pickle.loads(pickle.dumps(SheetJudge(protocol)))  # noqa: S301 - our own bytes
        sheets = [pickle.loads(pickle.dumps(sheet)) for sheet in _evaluation(protocol, settings, gold, system).sheets()]  # noqa: S301
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        fault = f"cannot travel to other processes: {error}; use functions of a module instead of lambdas"
        raise AssertionError(f"protocol {protocol.name} {fault}") from error
    _expect(judge(sheets) == list(scores.tallies.rows), protocol, "counts otherwise in another process", gold)


def _check_perfect(protocol: Protocol, settings: Any, gold: Sequence[Document]) -> None:
    placed = [without_unplaced(document) for document in gold]  # what the text does not have is found by no system
    for row in _scores(protocol, settings, placed, placed):
        fault = f"gives {row.value} for {row.name} of a perfect system"
        _expect(row.value in (None, 1), protocol, fault, gold)
