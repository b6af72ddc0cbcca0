"""Lists of tags that are counted at once give to the last bit what the sheet of every pair gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import steps

import karat
from karat.errors import KaratError
from karat.formats import tag_documents
from karat.protocols import protocol
from karat.protocols.spans import draft
from karat.protocols.spans.books import at_once
from karat.runs.file import packed
from karat.scores import Scores
from karat.scoring import Bootstrap, evaluate, load
from karat.scoring.evaluation import Evaluation

Lists = list[list[str]]

_LETTERS = st.sampled_from(["B", "I", "E", "S", "L", "U", "O", "X", "", ".", "[", "]"])
_LABELS = st.sampled_from(["PER", "LOC", "a-b", "0", "_", "O", 'é"\\', "%d"])
USUAL_TAGS = st.sampled_from(["O", "O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC"])
SCHEME_TAGS = st.sampled_from(["O", *(f"{letter}-{label}" for letter in "BIESLU" for label in ("PER", "LOC"))])
ODD_TAGS = st.one_of(
    SCHEME_TAGS,
    st.builds("{}-{}".format, _LETTERS, _LABELS),
    st.builds("{1}-{0}".format, _LETTERS, _LABELS),
    st.sampled_from(["O", "B", "I", "U", "L", "X", "-", "PER", "o", "\ud800"]),
)
OPTIONS: dict[str, dict[str, Sequence[str]]] = {
    "seqeval": {
        "profile": ("published", "corrected"),
        "mode": ("default", "strict"),
        "scheme": ("", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"),
        "suffix": ("no", "yes"),
    },
    "conll2003": {"profile": ("official", "corrected")},
    "conlleval": {"profile": ("official", "corrected"), "raw": ("no", "yes"), "outside": ("O", "PER")},
}
SHARED = {"layers": ("compare", "ignore"), "invented": ("count", "skip"), "missing": ("error", "empty", "skip")}


@contextmanager
def at_once_from(size: int) -> Iterator[None]:
    """Count lists at once if they have so many tags."""
    with patch.object(tag_documents, "_MANY", size):
        yield


@st.composite
def tag_lists(draw: st.DrawFn) -> tuple[Lists, Lists]:
    """Draw lists of both sides; some tags of the system are others, and rarely it has other lists."""
    tags = draw(st.sampled_from([USUAL_TAGS, SCHEME_TAGS, ODD_TAGS]))
    gold = draw(st.lists(st.lists(tags, max_size=8), min_size=1, max_size=6))
    system = [[draw(tags) if draw(st.integers(0, 3)) == 0 else tag for tag in row] for row in gold]
    change = draw(st.sampled_from(["nothing"] * 6 + ["longer", "shorter", "more", "fewer"]))
    if change == "longer":
        system[-1].append("O")
    elif change == "shorter":
        system[0] = system[0][1:]
    elif change == "more":
        system.append(["B-PER"])
    elif change == "fewer":
        system.pop()
    return gold, system


@st.composite
def settings_of(draw: st.DrawFn, name: str) -> Any:
    """Draw options of a protocol, or one of its rules that is put right alone."""
    chosen = protocol(name)
    allowed = (OPTIONS[name] | SHARED).items()
    options = {option: draw(st.sampled_from(values)) for option, values in allowed if draw(st.booleans())}
    try:
        settings = chosen.configure(options)
    except KaratError:
        settings = chosen.configure({})
    rules = sorted({quirk.rule for quirk in chosen.quirks if quirk.rule})
    is_published = settings.profile in type(settings).singly
    return (
        settings.mending(draw(st.sampled_from(rules))) if rules and is_published and draw(st.booleans()) else settings
    )


def everything(name: str, settings: Any, gold: Any, system: Any) -> Any:
    """Return all that scores say, or what is wrong."""
    try:
        sides = load(protocol(name), settings, [gold, system])
        scores = evaluate(protocol(name), settings, *sides, by=["label", "unit"], ci=Bootstrap(resamples=20))
        return said(scores), [list(tally.items()) for tally in scores.tallies.rows]
    except KaratError as error:
        return str(error)


def said(scores: Scores) -> Any:
    """Return what scores say to people and to files."""
    assert scores.run is not None
    return scores.rows, scores.signature, scores.notes, scores.run.digests, packed(scores.run)


@pytest.mark.parametrize("name", OPTIONS)
@given(st.data())
def test_both_roads_say_the_same(name: str, data: st.DataObject) -> None:
    gold, system = data.draw(tag_lists())
    settings = data.draw(settings_of(name))
    with at_once_from(0):
        together = everything(name, settings, gold, system)
    with at_once_from(10**9):
        assert together == everything(name, settings, gold, system)


@pytest.mark.parametrize("name", OPTIONS)
@given(tag_lists(), st.data())
def test_what_is_noted_is_the_same(name: str, lists: tuple[Lists, Lists], data: st.DataObject) -> None:
    """Facts, notes with the pair at which they were made first, and numbers of pairs, from which parts are merged."""
    settings = data.draw(settings_of(name))

    def evaluated() -> Any:
        try:
            evaluation = Evaluation(protocol(name), settings, *load(protocol(name), settings, lists))
            evaluation.tallies()
        except KaratError as error:
            return str(error)
        noticed = evaluation.gold.notices, evaluation.system.notices
        pairs = evaluation.pairs, evaluation.sizes, evaluation.total
        return evaluation.facts, evaluation.noted, evaluation.notes, evaluation.said, evaluation.known, noticed, pairs

    with at_once_from(0):
        together = evaluated()
    with at_once_from(10**9):
        assert together == evaluated()


MANY: Lists = [["O", "B-PER", "I-PER", "O", "B-LOC"] * 5, ["O"] * 25, ["B-LOC", "I-LOC", "O", "E-PER", "O"] * 5] * 280
FOUND: Lists = [["O", "B-PER", "O", "O", "B-LOC"] * 5, ["I-LOC"] + ["O"] * 24, MANY[2]] * 280


@pytest.mark.parametrize("name", ["seqeval", "conll2003"])
def test_many_lists_are_counted_without_a_sheet(name: str) -> None:
    with patch.object(draft, "Sheet", side_effect=AssertionError("a sheet was drafted")) as sheet:
        scores = karat.score(name, MANY, FOUND, by="label", ci=Bootstrap(resamples=20))
    assert not sheet.called
    with at_once_from(10**9):
        assert said(scores) == said(karat.score(name, MANY, FOUND, by="label", ci=Bootstrap(resamples=20)))


def test_many_lists_take_little_work() -> None:
    def scored() -> None:
        karat.score("seqeval", MANY, FOUND)

    scored()
    together = steps(scored)
    with at_once_from(10**9):
        assert together * 20 < steps(scored)


def test_who_looks_at_items_drafts_sheets() -> None:
    sliced, entries = karat.score("seqeval", MANY, FOUND, by="length"), list(karat.explain("seqeval", MANY, FOUND))
    with at_once_from(10**9):
        assert sliced.rows == karat.score("seqeval", MANY, FOUND, by="length").rows
        assert entries == list(karat.explain("seqeval", MANY, FOUND))


def test_documents_beside_lists_are_scored_alike() -> None:
    with at_once_from(10**9):
        expected = karat.score("seqeval", MANY, FOUND)
    documents = list(tag_documents.many_tags(MANY) or ())
    assert said(karat.score("seqeval", documents, FOUND)) == said(expected)
    assert said(karat.score("seqeval", MANY, list(tag_documents.many_tags(FOUND) or ()))) == said(expected)


def test_several_systems_meet_the_same_gold() -> None:
    documents = list(tag_documents.many_tags(FOUND) or ())
    scores = karat.score("seqeval", MANY, {"lists": FOUND, "documents": documents, "all": MANY})
    assert said(scores["lists"])[0] == said(scores["documents"])[0] == karat.score("seqeval", MANY, FOUND).rows
    assert scores["all"].value("f1") == 1


def test_strict_mode_reads_lists_one_by_one() -> None:
    """What it says of a tag depends on its neighbours, whatever they are."""
    seqeval = protocol("seqeval")
    assert at_once(seqeval.configure({})) is not None
    assert at_once(seqeval.configure({"mode": "strict", "scheme": "IOB2"})) is None
