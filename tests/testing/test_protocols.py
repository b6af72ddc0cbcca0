"""Our own protocols keep the promises that ``karat.testing`` asks of others', and a broken one is caught."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import pytest

from karat.ledger import Item
from karat.protocols import protocol, protocols
from karat.protocols.base import Main, Protocol, Sheet
from karat.protocols.casebook import CORRECT, MISSED, SPURIOUS, Casebook, Verdict
from karat.tally import Group
from karat.testing import check_protocol, corpora

PERFECT_IS_NOT_ONE = {
    "newsreader-ned": "it counts pairs, so that it can exceed 1",
    "coref": "the CoNLL average counts a measure without links as 0",
    "conll2012": "the CoNLL average counts a measure without links as 0",
    "coval": "the CoNLL average counts a measure without links as 0",
    "corefeval": "it passes over singletons",
    "scorch": "it passes over singletons",
    "omin-coref": "it passes over singletons",
    "omin-head-nel": "phrases are compared by their texts, which may be repeated",
    "omin-seed-nel": "phrases are compared by their texts, which may be repeated",
    "corefud": "mentions of the same words are one",
    "universal-anaphora": "the CoNLL average counts a measure without links as 0",
    "multiconer": "nothing among nothing is 0, and a tiny number stands below the line",
    "tacred": "nothing found of nothing has the recall 0",
    "redocred": "nothing found of nothing is 0",
    "tac2015-sf": "it judges runs of slot filling, not mentions",
}
"""Protocols that are checked in ``tests/properties`` on documents that their quirks do not touch."""


@pytest.mark.parametrize("name", [name for name in protocols() if name not in PERFECT_IS_NOT_ONE])
def test_our_protocols_keep_their_promises(name: str) -> None:
    check_protocol(protocol(name), repeats=name == "omin-head-ner")  # it compares a gold entity with several


def test_options_are_passed_on() -> None:
    check_protocol(protocol("hipe2022-nerc-coarse"), profile="corrected")


@dataclass(frozen=True)
class Options:
    """None."""


class Page(NamedTuple):
    gold: list[Any]
    system: list[Any]
    group: Group = Group()


class Word(NamedTuple):
    label: str


def words(document: Any) -> list[Word]:
    return [Word(mention.labels[0]) for mention in document.mentions]


def draft(gold: Any, system: Any, facts: Any, options: Options) -> list[Sheet]:
    return [Sheet(gold.id, [Page(words(gold), words(system))])]


def judge(page: Page) -> list[Verdict]:
    """Pair the first item with the first, whatever their labels."""
    both = min(len(page.gold), len(page.system))
    return [
        *(Verdict("right", at, at) for at in range(both)),
        *(Verdict("missed", at, None) for at in range(both, len(page.gold))),
        *(Verdict("spurious", None, at) for at in range(both, len(page.system))),
    ]


def item(page: Page, side: str, at: int) -> Item:
    return Item(getattr(page, side)[at].label, "", (0, 0))


def reason(page: Page, verdict: Verdict) -> str:
    return "counted"


CASES = {"right": CORRECT, "missed": MISSED, "spurious": SPURIOUS}
SOUND = Protocol(
    name="numbers",
    title="How many mentions",
    task="entities",
    summary="As many as the gold has.",
    unit="document",
    book=Casebook(CASES, judge, item=item, reason=reason),
    draft=draft,
    options=Options,
    main=Main(("strict",), ("micro",)),
)


def broken(**parts: Any) -> Protocol:
    return msgspec.structs.replace(SOUND, **parts)


def test_a_sound_protocol_is_accepted() -> None:
    check_protocol(SOUND)


def no_reason(page: Page, verdict: Verdict) -> str:
    return ""


class OtherLedger(Casebook):
    """A book whose ledger leaves the first entry out."""

    def ledger(self, sheet: Sheet) -> Any:
        return super().ledger(sheet)[1:]


SEEN: list[str] = []


def draft_by_memory(gold: Any, system: Any, facts: Any, options: Options) -> list[Sheet]:
    """Draft every other document with nothing on either side."""
    SEEN.append(gold.id)
    return draft(gold, system, facts, options) if len(SEEN) % 2 else draft_nothing(gold, system, facts, options)


def draft_and_change(gold: Any, system: Any, facts: Any, options: Options) -> list[Sheet]:
    gold.mentions.reverse()
    gold.metadata = {**gold.metadata, "seen": "yes"}
    return draft(gold, system, facts, options)


def draft_nothing(gold: Any, system: Any, facts: Any, options: Options) -> list[Sheet]:
    return [Sheet(gold.id, [Page([], [])])]


def judge_twice(page: Page) -> list[Verdict]:
    return judge(page) * 2


def judge_no_miss(page: Page) -> list[Verdict]:
    return [verdict for verdict in judge(page) if verdict.case != "missed"]


def judge_unknown(page: Page) -> list[Verdict]:
    return [verdict._replace(case=verdict.case.title()) for verdict in judge(page)]


def draft_page(gold: Any, system: Any, facts: Any, options: Options) -> list[Any]:
    return [Page(words(gold), words(system))]


def draft_without_list(gold: Any, system: Any, facts: Any, options: Options) -> list[Sheet]:
    return [Sheet(gold.id, Page(words(gold), words(system)))]


FLATTERING = SPURIOUS._replace(credit=2)


@pytest.mark.parametrize(
    ("protocol", "fault"),
    [
        (broken(book=Casebook(CASES, judge, item=item, reason=no_reason)), "gives no reason"),
        (broken(book=OtherLedger(CASES, judge, item=item, reason=reason)), "its ledger adds up to"),
        (broken(book=Casebook({**CASES, "spurious": FLATTERING}, judge, item=item, reason=reason)), "between 0 and 1"),
        (broken(book=Casebook({**CASES, "right": MISSED}, judge, item=item, reason=reason)), "of a perfect system"),
        (broken(book=Casebook(CASES, judge, item=item, reason=lambda *_: "?")), "cannot travel"),
        (broken(draft=draft_by_memory), "differently alone|another order|adds up"),
        (broken(draft=draft_and_change), "changes the documents|differently alone"),
        (broken(book=Casebook(CASES, judge_twice, item=item, reason=reason)), "gives 2 verdicts on the"),
        (broken(book=Casebook(CASES, judge_no_miss, item=item, reason=reason)), "gives no verdict on the gold item"),
        (
            broken(book=Casebook(CASES, judge_unknown, item=item, reason=reason)),
            "the case 'Missed'; its book has right",
        ),
        (broken(draft=draft_without_list), "no list of pages"),
        (broken(main=Main(("lenient",), ("micro",))), "names lenient in main"),
        (broken(draft=draft_nothing), "counts nothing"),
    ],
)
def test_a_broken_protocol_is_caught(protocol: Protocol, fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        check_protocol(protocol)


def test_a_draft_that_yields_no_sheets_is_told_so() -> None:
    with pytest.raises(TypeError, match="protocol numbers drafts Page; draft yields Sheet objects"):
        check_protocol(broken(draft=draft_page))


def test_pairs_are_pairs_of_lists() -> None:
    gold, system = next(corpora())
    with pytest.raises(TypeError, match="pairs of lists of documents"):
        check_protocol(SOUND, [(gold[0], system[0])])  # type: ignore[list-item]


def test_corpora_are_the_same_every_time() -> None:
    assert list(corpora(5)) == list(corpora(5))
    assert list(corpora(5)) != list(corpora(5, seed=1))
