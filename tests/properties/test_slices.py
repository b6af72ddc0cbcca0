"""What holds for the slices of every protocol: the parts add up to the whole, whoever counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.corpora import Pair
from tests.properties.walk import PROTOCOLS, draw_pair, every_protocol, few

import karat
from karat.analysis.slices.breakdowns import ITEM_FEATURES
from karat.analysis.slices.items import casebook_of
from karat.errors import UsageError
from karat.evaluation.casebook import Casebook
from karat.evaluation.tally import Group, Tally, add

OF_ITEMS = [name for name, known in PROTOCOLS.items() if casebook_of(known.with_options()) is not None]


def features_of(name: str) -> list[str]:
    """Return the features of items that a protocol has, if their gold is what other items are looked up in."""
    if casebook_of(PROTOCOLS[name].with_options()) is None:
        return []
    without = {"seen", "nesting"} if PROTOCOLS[name].task == "relations" else {"seen"}
    return [feature for feature in ITEM_FEATURES if feature not in without]


def whole_of(name: str, sliced: Sequence[Tally]) -> Tally:
    """Return the sum of slices, with what does not come from single items left out."""
    joined: dict[Group, list[Tally]] = {}
    for group, counts in add(sliced).items():
        whole = group._replace(slice=group.slice.partition(" ")[2])
        joined.setdefault(whole, []).append({whole: counts})
    return counted(name, {group: add(parts)[group] for group, parts in joined.items()})


def counted(name: str, tally: Tally) -> Tally:
    bound = PROTOCOLS[name].with_options()
    book = casebook_of(bound)
    beside = book.also if isinstance(book, Casebook) else ()
    places = [place for place, count in enumerate(bound.counts) if count not in beside]
    kept = {group: tuple(counts[place] for place in places) for group, counts in tally.items()}
    return {group: counts for group, counts in kept.items() if any(counts)}


def labelled(pair: Pair) -> Pair:
    """Give documents something to be told apart by."""
    sides = [
        [
            msgspec.structs.replace(document, metadata={**document.metadata, "source": f"s{place % 2}"})
            for place, document in enumerate(side)
        ]
        for side in pair
    ]
    return sides[0], sides[1]


@pytest.mark.parametrize("name", OF_ITEMS)
@few
@given(data=st.data())
def test_slices_of_items_add_up_to_the_whole(name: str, data: st.DataObject, tmp_path: Path) -> None:
    features = features_of(name)
    assert features
    gold, system = draw_pair(data, name)
    scores = karat.score(name, gold, system, by=features)
    run = scores.run
    assert run is not None
    for feature in features:
        whole = whole_of(name, run.slices[feature].rows)
        expected = counted(name, run.tallies.total())
        assert whole == {group: pytest.approx(counts) for group, counts in expected.items()}
    scores.save(tmp_path / "run.karat")
    assert karat.load(tmp_path / "run.karat").scores(by=features) == scores


@every_protocol
@few
@given(data=st.data())
def test_slices_of_units_add_up_to_the_whole(name: str, data: st.DataObject) -> None:
    pair = labelled(draw_pair(data, name))
    run = karat.score(name, *pair).run
    assert run is not None
    for by in ("source", "document"):
        rows = run.scores(by=by).rows
        sums: dict[tuple[object, ...], Counter[str]] = {}
        for row in rows:
            if row.average == "micro" and (by in row.slice.partition("=")[0] or "=" not in row.slice):
                part = row.slice.partition(" ")[2] if "=" in row.slice else row.slice
                key = (row.measure, row.regime, row.layer, part, "=" in row.slice)
                sums.setdefault(key, Counter()).update(row.counts)
        for key, counts in sums.items():
            if key[-1]:
                assert {name: pytest.approx(number) for name, number in counts.items()} == sums[*key[:-1], False]


@pytest.mark.parametrize("name", [name for name in PROTOCOLS if name not in OF_ITEMS])
def test_what_has_no_items_says_so(name: str) -> None:
    with pytest.raises(UsageError, match="so it has no slices by length"):
        karat.score(name, [], [], by="length")
    with pytest.raises(UsageError, match="has no label confusion"):
        karat.confusion(name, [], [])


@pytest.mark.parametrize("name", OF_ITEMS)
@few
@given(data=st.data())
def test_confusion_has_every_item_of_the_ledger(name: str, data: st.DataObject) -> None:
    gold, system = draw_pair(data, name)
    ledger = list(karat.explain(name, gold, system))
    for regime in PROTOCOLS[name].with_options().regimes():
        entries = [entry for entry in ledger if regime in entry.verdicts]
        cells = karat.confusion(name, gold, system, regime=regime).cells
        for side in ("gold", "system"):
            labels = Counter(getattr(entry, side).label for entry in entries if getattr(entry, side) is not None)
            told = Counter[str]()
            for cell in cells:
                if (label := getattr(cell, side)) is not None:
                    told[label] += cell.items
            assert told == labels
