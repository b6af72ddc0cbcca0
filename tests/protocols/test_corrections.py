"""Single rules of published programs: corrected alone, each changes what its quirks cost, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.protocols.coldstart.slot_files import POOL, RUN, Q, answer, judged, target, write

from karat.analysis.summary import scores_of
from karat.evaluation.corpora import Reading, load
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import find, protocols
from karat.evaluation.registry import protocol as protocol_named
from karat.evaluation.tasks import run_of
from karat.model import Document, Link, Mention, TokenTable
from karat.protocols.corrections import CorrectableOptions
from karat.report.costs import between, corrected, is_correctable

ELSEWHERE = ("hipe", "ehealthkd", "docred", "redocred", "tacred")
"""Evaluations whose tests show each rule by itself."""


def tags(*sentences: str) -> list[list[str]]:
    return [sentence.split() for sentence in sentences]


def spans(*given: tuple[int, int, str], id: str = "d") -> list[Document]:  # noqa: A002
    mentions = [Mention(f"m{number}", ((start, end),), (label,)) for number, (start, end, label) in enumerate(given)]
    return [Document(id, "abcdefghij", mentions)]


def texts(*given: str, id: str = "d") -> list[Document]:  # noqa: A002
    text, mentions = "", []
    for number, words in enumerate(given, 1):
        mentions.append(Mention(f"m{number}", ((len(text), len(text) + len(words)),), text=words))
        text += f"{words} "
    return [Document(id, text, mentions)]


def linked(*given: tuple[str, str], **attributes: str) -> list[Document]:
    (document,) = texts(*(phrase for phrase, _ in given))
    document.mentions = [
        Mention(one.id, one.spans, text=one.text, links=tuple(map(Link, targets.split("|"))), attributes=attributes)
        for one, (_, targets) in zip(document.mentions, given, strict=True)
    ]
    return [document]


def ranked(*links: Link, token: int = 0) -> list[Document]:
    """Return seven sentences of one token each, one of which is linked."""
    forms = ["a", "b", "c", "d", "e", "f", "g"]
    table = TokenTable(forms, {"SENT": [str(number) for number in range(7)]}, segments=range(7), starts=range(0, 14, 2))
    mention = Mention("m", ((2 * token, 2 * token + 1),), links=links)
    return [Document("d", " ".join(forms), [mention], table=table)]


def dbpedia(name: str, score: float | None = 1.0) -> Link:
    return Link(name if "://" in name else f"http://dbpedia.org/resource/{name}", score)


OVERLAPPING = spans((0, 4, "X")), spans((0, 2, "X"), (0, 4, "X"))
RULES: Mapping[tuple[str, str], tuple[Any, ...]] = {
    ("conll2003", "end-does-not-close"): (tags("B-X E-X B-X"), tags("B-X E-X O")),
    ("conlleval", "unknown-prefixes"): (tags("S-X S-X"), tags("S-X O")),
    ("conlleval", "type-zero-is-none"): (tags("B-0"), tags("B")),
    ("seqeval", "letters"): (tags("U-X U-X"), tags("U-X O")),
    ("seqeval", "needless-letters"): (tags("B-X I-X"), tags("I-X I-X"), {"mode": "strict", "scheme": "IOB1"}),
    ("seqeval", "strict-strips-hyphens"): (tags("B-a-"), tags("B-a"), {"mode": "strict", "scheme": "IOB2"}),
    ("wnut17", "surface-form-needs-its-place"): (
        [Document("d", "ab ab", [Mention("m", ((0, 2),), ("p",))])],
        [Document("d", "ab ab", [Mention("m", ((3, 5),), ("p",))])],
    ),
    ("multiconer", "tiny-number-below-the-line"): (tags("B-X O"), tags("B-X O")),
    ("multiconer", "type-of-i-unread"): (tags("B-X I-Y"), tags("B-X O")),
    ("multiconer", "i-behind-o-lost"): (tags("I-X O"), tags("B-X O")),
    ("multiconer", "type-o-is-none"): (tags("B-O O"), tags("B-O O")),
    ("nervaluate", "first-come-first-served"): OVERLAPPING,
    ("nervaluate", "labels-do-not-add-up"): (tags("B-X O"), tags("B-Y O")),
    ("nervaluate", "overlap-of-the-gold-only"): (
        tags("B-X O O O O"),
        tags("B-X I-X I-X I-X I-X"),
        {"min_overlap_percentage": "50"},
    ),
    ("nervaluate", "foreign-letters-go-on"): (tags("B-X S-X"), tags("B-X O")),
    ("newsreader-ned", "sentence-six"): (ranked(dbpedia("A"), token=6), ranked(dbpedia("A"), token=6)),
    ("newsreader-ned", "positive-confidence-only"): (ranked(dbpedia("A")), ranked(dbpedia("A", 0.0))),
    ("newsreader-ned", "no-second-best"): (
        ranked(dbpedia("A")),
        ranked(dbpedia("http://other.org/A"), dbpedia("A", 0.5)),
    ),
    ("newsreader-ned", "name-behind-last-slash"): (ranked(dbpedia("AC/DC")), ranked(dbpedia("DC"))),
    ("newsreader-ned", "zero-is-false"): (ranked(dbpedia("0")), ranked(dbpedia("0"))),
    ("omin-seed-ner", "all-documents-count"): (texts("WING"), texts("WING") + texts("TAIL", id="e")),
    ("omin-seed-ner", "one-to-one"): (texts("WING", "WING"), texts("WING")),
    ("omin-seed-ner", "capitals-only-once"): (texts("WING"), texts("wing")),
    ("omin-head-ner", "one-to-one"): (spans((0, 4, "X")), spans((0, 2, "X"), (2, 4, "X"))),
    ("omin-head-ner", "gold-repeats-collapse"): (spans((0, 4, "X"), (0, 4, "X")), spans((0, 4, "X"))),
    ("omin-head-ner", "untyped-has-labels"): (
        spans((0, 4, "PER")),
        spans((0, 4, "GPE")),
        {"typing": "untyped", "types": "conll03"},
    ),
    ("omin-head-nel", "best-candidate"): (linked(("DOOR", "Q1")), linked(("DOOR", "Q2"), ("DOOR", "Q1"))),
    ("omin-head-nel", "wrong-is-not-missed"): (linked(("DOOR", "Q1")), linked(("DOOR", "Q2"))),
}
"""For a rule of a protocol a gold and a system that nothing but its quirks touches, and further options."""
BY_FILES = {
    ("omin-seed-ner", "na-is-missing"),
    ("omin-head-ner", "one-possessive"),
    ("omin-head-ner", "full-stops-are-marked"),
    ("omin-head-ner", "incomplete-rows-vanish"),
    ("semeval2010-task8", "open-last-line-refused"),
}
"""Rules of readers, which both profiles have tests for: the protocols pass them on by ``mends``."""
CAUSE, WHOLE = "Cause-Effect(e1,e2)", "Component-Whole(e1,e2)"
DAN = target("Dan", "d1:20-22")
SLOTS = {
    "duplicates-by-the-wrong-field": ([*RUN, RUN[0]], POOL),
    "first-parent-decides": (
        [answer(Q, "Bob", "d1:10-12", relation="d9:0-9"), *RUN],
        POOL,
    ),
    "nameless-hop-0-rows": (
        [*RUN, answer(DAN, "9", "d1:40-40")],
        [*POOL, judged(DAN, "9", "d1:40-40", "W", "0")],
    ),
    "last-class-wins": (
        [answer(Q, "Bob", "d2:0-2"), answer(target("Bob", "d2:0-2"), "4", "d2:30-30")],
        [*POOL, judged(Q, "Bob", "d2:0-2", "C", "1"), judged(Q, "Bob", "d1:10-12", "C", "3", relation="d8:0-9")],
    ),
}


def numbers(bound: Bound, *sources: Any) -> dict[str, float | None]:
    run = run_of(bound, *load(bound, sources, [Reading()] * 2))
    return {row.name: row.value for row in scores_of(run, bound).rows if row.average == "micro" or row.label is None}


def three_ways(name: str, rule: str, gold: Any, system: Any, options: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the numbers as published, with a rule mended, and corrected."""
    protocol = protocol_named(name)
    bound = protocol.with_options(options)
    variant = corrected(bound)
    assert variant is not None
    assert rule in {quirk.rule for quirk in between(name, variant)}
    ways = [bound, protocol.bound_to(bound.options.mending(rule)), variant.bound]
    return [numbers(way, gold, system) for way in ways]


def settled(values: dict[str, float | None]) -> dict[str, float]:
    """Return the numbers over all items; what is undefined is told from every number."""
    return {name: -1.0 if value is None else value for name, value in values.items() if "micro" in name}


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_a_rule_that_is_mended_alone_gives_the_corrected_numbers_where_nothing_else_is_touched(
    name: str, rule: str
) -> None:
    gold, system, *more = RULES[name, rule]
    published, mended, right = three_ways(name, rule, gold, system, more[0] if more else {})
    assert mended != published
    assert settled(mended) == pytest.approx(settled(right), abs=1e-9)


@pytest.mark.parametrize("rule", SLOTS)
def test_rules_of_slot_filling(tmp_path: Path, rule: str) -> None:
    queries, run, pool = write(tmp_path, *SLOTS[rule])
    discipline = "STRING_EXACT" if rule == "last-class-wins" else "ASSESSED"
    options = {"queries": queries, "discipline": discipline}
    published, mended, right = three_ways("tac2015-sf", rule, pool, run, options)
    assert mended != published
    assert mended == right


@pytest.mark.parametrize(
    ("rule", "answers"),
    [("unlisted-labels-cost-nothing", [WHOLE, CAUSE]), ("nothing-proposed-is-zero", [CAUSE, "Other"])],
)
def test_rules_of_semeval_2010(tmp_path: Path, rule: str, answers: list[str]) -> None:
    key = [CAUSE, CAUSE if rule.startswith("unlisted") else WHOLE]
    for name, labels in (("key", key), ("answers", answers)):
        lines = (f"{number}\t{label}\n" for number, label in enumerate(labels, 1))
        (tmp_path / name).write_text("".join(lines), "utf-8")
    files = [str(tmp_path / name) for name in ("key", "answers")]
    published, mended, right = three_ways("semeval2010-task8", rule, *files, {})
    assert mended != published
    assert settled(mended) == settled(right)


def test_every_rule_is_shown_and_every_quirk_of_scores_has_one_or_is_named() -> None:
    """Walk the list: rules without an example here, or of options that cannot mend them, do not exist."""
    known = {rule for _, rule in RULES} | {rule for _, rule in BY_FILES} | {*SLOTS}
    known |= {"unlisted-labels-cost-nothing", "nothing-proposed-is-zero"}
    walked = 0
    for protocol in map(protocol_named, protocols()):
        bound = protocol.with_options({})
        variant = corrected(bound)
        if variant is None or protocol.name.startswith(ELSEWHERE):
            continue
        quirks = between(protocol.name, variant)
        rules = {quirk.rule for quirk in quirks if quirk.rule}
        assert rules <= known, protocol.name
        assert is_correctable(bound, variant) == bool(rules), protocol.name
        walked += 1
    assert walked > 10


def test_a_mended_rule_is_no_option_and_stays_with_its_settings() -> None:
    protocol = find("conll2003")
    assert protocol is not None
    options = protocol.with_options().options
    mended = options.mending("type-zero-is-none")
    assert isinstance(mended, CorrectableOptions)
    assert (options.mended, mended.mended, mended.profile) == ("", "type-zero-is-none", "official")
    assert mended.mends("type-zero-is-none")
    assert not mended.mends("unknown-prefixes")
    assert not options.mends("type-zero-is-none")
