"""Our own protocols keep the promises that ``karat.testing`` asks of others', and a broken one is caught."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import pytest

from karat.errors import InputError, UsageError
from karat.evaluation.casebook import CORRECT, MISSED, SPURIOUS, Casebook, Verdict
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Main, Protocol, Rules, Sheet
from karat.evaluation.quirks import Quirk
from karat.evaluation.registry import protocol, protocols
from karat.evaluation.tally import Group
from karat.settings import shared_option
from karat.testing import check_protocol, corpora
from karat.testing.promises import BrokenPromiseError

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


BY_TEXT = {
    "omin-head-ner": "words that are not found are compared by themselves",
    "ehealthkd2021-main": "its programs know places only",
    "ehealthkd2021-entities": "its programs know places only",
}
"""Protocols that may take two mentions for the same which the text does not have."""


@pytest.mark.parametrize("name", [name for name in protocols() if name not in PERFECT_IS_NOT_ONE])
def test_our_protocols_keep_their_promises(name: str) -> None:
    several = name == "omin-head-ner"  # it compares a gold entity with several
    check_protocol(protocol(name), repeats=several, by_text=name in BY_TEXT)


@pytest.mark.parametrize("name", ["newsreader-ned", "multiconer", "redocred", "tacred"])
def test_odd_arithmetic_is_no_broken_promise(name: str) -> None:
    with pytest.raises(BrokenPromiseError, match=r"of a perfect system|a score is between 0 and 1"):
        check_protocol(protocol(name), repeats=True)
    check_protocol(protocol(name), repeats=True, odd=True)


def test_options_are_passed_on() -> None:
    check_protocol(protocol("hipe2022-nerc-coarse"), profile="corrected")


class Page(NamedTuple):
    gold: list[Any]
    system: list[Any]
    group: Group = Group()


class Word(NamedTuple):
    label: str


def words(document: Any) -> list[Word]:
    return [Word("+".join(mention.labels)) for mention in document.mentions]


def draft(gold: Any, system: Any, facts: Any) -> list[Sheet]:
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
RULES = Rules(Casebook(CASES, judge, item=item, reason=reason), draft)


class Broken(NamedTuple):
    """Binds the rules with some of them replaced, also in another process."""

    parts: dict[str, Any]

    def __call__(self, options: Any) -> Rules:  # noqa: ARG002 - it has none
        return msgspec.structs.replace(RULES, **self.parts)


SOUND = Protocol(
    name="numbers",
    title="How many mentions",
    task="entities",
    summary="As many as the gold has.",
    unit="document",
    bind=Broken({}),
)


def broken(**parts: Any) -> Protocol:
    own = {name: parts.pop(name) for name in [*parts] if name in Protocol.__struct_fields__}
    return msgspec.structs.replace(SOUND, bind=Broken(parts), **own)


def test_a_sound_protocol_is_accepted() -> None:
    check_protocol(SOUND, by_text=True)


def no_reason(page: Page, verdict: Verdict) -> str:
    return ""


class OtherLedger(Casebook):
    """A book whose ledger leaves the first entry out."""

    def ledger(self, sheet: Sheet) -> Any:
        return super().ledger(sheet)[1:]


SEEN: list[str] = []


def draft_by_memory(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    """Draft every other document with nothing on either side."""
    SEEN.append(gold.id)
    return draft(gold, system, facts) if len(SEEN) % 2 else draft_nothing(gold, system, facts)


def draft_and_change(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    gold.mentions.reverse()
    gold.metadata = {**gold.metadata, "seen": "yes"}
    return draft(gold, system, facts)


def draft_nothing(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    return [Sheet(gold.id, [Page([], [])])]


def judge_twice(page: Page) -> list[Verdict]:
    return judge(page) * 2


def judge_no_miss(page: Page) -> list[Verdict]:
    return [verdict for verdict in judge(page) if verdict.case != "missed"]


def judge_unknown(page: Page) -> list[Verdict]:
    return [verdict._replace(case=verdict.case.title()) for verdict in judge(page)]


def judge_titled(page: Page) -> list[Verdict]:
    return [verdict._replace(case="Right") if verdict.case == "right" else verdict for verdict in judge(page)]


def draft_page(gold: Any, system: Any, facts: Any) -> list[Any]:
    return [Page(words(gold), words(system))]


def draft_without_list(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    return [Sheet(gold.id, Page(words(gold), words(system)))]


KNOWN: set[str] = set()


def draft_first_times(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    """Count what only the system has when it is met for the first time, in whatever document."""
    texts = {mention.text for mention in gold.mentions}
    mentions = [mention for mention in system.mentions if mention.text in texts or mention.text not in KNOWN]
    KNOWN.update(mention.text for mention in system.mentions)
    return draft(gold, msgspec.structs.replace(system, mentions=mentions), facts)


PREVIOUS = [""]


def draft_by_previous(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    """Leave out what the system has of a document that comes before the last one by name."""
    is_late, PREVIOUS[0] = PREVIOUS[0] > gold.id, gold.id
    kept = [] if is_late and gold.id != "d0" else system.mentions
    return draft(gold, msgspec.structs.replace(system, mentions=kept), facts)


def draft_none(gold: Any, system: Any, facts: Any) -> Any:
    return None


def draft_bare(gold: Any, system: Any, facts: Any) -> Any:
    return draft(gold, system, facts)[0]


def draft_plain_only(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    for mention in gold.mentions:
        ((_, _),) = mention.spans
    return draft(gold, system, facts)


def draft_relations_only(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    for relation in gold.relations:
        _, _ = relation.arguments
    return draft(gold, system, facts)


def draft_one_unit(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    return [Sheet("all", [Page(words(gold), words(system))])]


def draft_odd_notes(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    return [Sheet(gold.id, [Page(words(gold), words(system))], notes=[["odd"]])]  # type: ignore[list-item]


def draft_tuple_notes(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    return [Sheet(gold.id, [Page(words(gold), words(system))], notes=[("gold", "odd")])]


def remarks_text(notes: Any, facts: Any) -> str:
    return "a sentence"


def remarks_badly(notes: Any, facts: Any) -> Any:
    raise KeyError("odd")


def judge_nothing(page: Page) -> Any:
    return None


def item_tuple(page: Page, side: str, at: int) -> Any:
    return "LOC", "Bern", (0, 4)


def item_backwards(page: Page, side: str, at: int) -> Item:
    return Item("LOC", "Bern", (5, 2))


class Flattering(Casebook):
    """A book whose ledger calls everything correct."""

    def ledger(self, sheet: Sheet) -> Any:
        return [msgspec.structs.replace(entry, verdicts={"strict": "correct"}) for entry in super().ledger(sheet)]


class Generous(Casebook):
    """A book that counts one more of each."""

    def tally(self, sheet: Sheet) -> Any:
        return {group: tuple(count + 1 for count in counts) for group, counts in super().tally(sheet).items()}


@dataclass(frozen=True)
class Profiled:
    """A profile."""

    profile: str = shared_option("profile")


FLATTERING = SPURIOUS._replace(credit=2)


@pytest.mark.parametrize(
    ("protocol", "fault"),
    [
        (broken(book=Casebook(CASES, judge, item=item, reason=no_reason)), "gives no reason"),
        (broken(book=OtherLedger(CASES, judge, item=item, reason=reason)), "its ledger adds up to"),
        (broken(book=Casebook({**CASES, "spurious": FLATTERING}, judge, item=item, reason=reason)), "between 0 and 1"),
        (broken(book=Casebook({**CASES, "right": MISSED}, judge, item=item, reason=reason)), "of a perfect system"),
        (broken(book=Casebook(CASES, judge, item=item, reason=lambda *_: "?")), "cannot travel"),
        (broken(draft=draft_by_memory), "differently when .* again: .*; does it keep something from one document"),
        (broken(draft=draft_first_times), "differently when the same documents are scored again"),
        (broken(draft=draft_by_previous), "differently when documents come in another order"),
        (broken(draft=draft_and_change), "changes the documents"),
        (broken(draft=draft_page), "drafts Page objects; draft yields Sheet objects"),
        (broken(draft=draft_none), "drafts NoneType; draft yields Sheet objects"),
        (broken(draft=draft_bare), "drafts Sheet; draft yields Sheet objects, or returns a list of them"),
        (
            broken(draft=draft_plain_only),
            r"fails in draft, on document 'd\d': ValueError: .*line \d+\); judge such documents, or",
        ),
        (broken(draft=draft_relations_only), "fails in draft, on document .*; judge such documents, or refuse them"),
        (broken(draft=draft_one_unit), "drafts two sheets of the unit 'all'"),
        (broken(draft=draft_odd_notes), "fails in the notes of a sheet: TypeError.*hashable"),
        (broken(draft=draft_tuple_notes), "which people would read as it is; word it in remarks"),
        (broken(remarks=remarks_text), "remarks 'a sentence'; expected a list of sentences"),
        (broken(remarks=remarks_badly), "fails in remarks: KeyError"),
        (
            broken(quirks=[Quirk("q", "It does.", ("publisched",))], options=Profiled),
            "q in publisched, but no such profile",
        ),
        (
            broken(book=Flattering(CASES, judge, item=item, reason=reason)),
            "'missed' as correct under strict, but counts",
        ),
        (
            broken(book=Generous(CASES, judge, item=item, reason=reason)),
            r"counts \(1, 1, 1\) in 'd0', but its ledger adds",
        ),
        (broken(book=Casebook(CASES, judge_nothing, item=item, reason=reason)), "judges None; judge yields Verdict"),
        (
            broken(book=Casebook(CASES, judge, item=item_tuple, reason=reason)),
            "item returns a karat.evaluation.ledger.Item",
        ),
        (
            broken(book=Casebook(CASES, judge, item=item_backwards, reason=reason)),
            r"shows an item with the span \(5, 2\)",
        ),
        (broken(book=Casebook(CASES, judge_twice, item=item, reason=reason)), "gives 2 verdicts on the"),
        (broken(book=Casebook(CASES, judge_no_miss, item=item, reason=reason)), "gives no verdict on the gold item"),
        (
            broken(book=Casebook(CASES, judge_unknown, item=item, reason=reason)),
            "the case 'Missed'; its book has right",
        ),
        (broken(book=Casebook(CASES, judge_titled, item=item, reason=reason)), "the case 'Right'; its book has right"),
        (broken(draft=draft_without_list), "no list of pages"),
        (broken(main=Main(("lenient",), ("micro",))), "names lenient in main"),
        (broken(draft=draft_nothing), "counts nothing"),
    ],
)
def test_a_broken_protocol_is_caught(protocol: Protocol, fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        check_protocol(protocol, by_text=True)


def refuse_fragments(gold: Any, system: Any, facts: Any) -> list[Sheet]:
    if any(len(mention.spans) > 1 for mention in gold.mentions):
        raise InputError("a mention has several fragments")
    return draft(gold, system, facts)


def test_documents_may_be_refused_in_words_unless_they_were_given() -> None:
    check_protocol(broken(draft=refuse_fragments), by_text=True)
    with pytest.raises(AssertionError, match="refuses the documents it is checked on: a mention has several fragments"):
        check_protocol(broken(draft=refuse_fragments), list(corpora())[12:13])


def test_mentions_that_the_text_does_not_have_are_not_the_same() -> None:
    with pytest.raises(AssertionError, match="takes two mentions that the text does not have for the same"):
        check_protocol(SOUND)


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ({"name": "my protocol|x"}, "a name has letters"),
        ({"task": "relation"}, "unknown task 'relation'; did you mean 'relations'"),
        ({"options": dict}, "expected a class with @dataclass"),
    ],
)
def test_a_declaration_that_nobody_could_use_is_refused(parts: dict[str, Any], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        broken(**parts)


def test_a_case_counts_for_a_worth() -> None:
    with pytest.raises(UsageError, match="the case 'exact' counts for 'correct'; expected a Worth"):
        Casebook({"exact": "correct"}, judge, item=item, reason=reason)  # type: ignore[dict-item]


def test_pairs_are_pairs_of_lists() -> None:
    gold, system = next(corpora())
    with pytest.raises(TypeError, match="pairs of lists of documents"):
        check_protocol(SOUND, [(gold[0], system[0])])  # type: ignore[list-item]


def test_corpora_are_the_same_every_time() -> None:
    assert list(corpora(5)) == list(corpora(5))
    assert list(corpora(5)) != list(corpora(5, seed=1))
