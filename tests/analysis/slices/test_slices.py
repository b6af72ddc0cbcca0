"""Slices and label confusion: what is asked for, what it is made of, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.analysis.slices.breakdowns import breakdowns
from karat.analysis.slices.features import Nesting
from karat.analysis.slices.units import length_ranges
from karat.errors import UsageError
from karat.model import Document, Mention

TEXT = "Bern , New York City and Bern met the Bank of Bern ."
SPANS = {
    "Bern": ((0, 4),),
    "New York City": ((7, 20),),
    "second Bern": ((25, 29),),
    "Bank of Bern": ((38, 50),),
    "inner Bern": ((46, 50),),
}


def document(**labels: str) -> Document:
    """Return the document with labels for some of its mentions."""
    names = {name.replace("_", " "): label for name, label in labels.items()}
    mentions = [Mention(name, SPANS[name], (label,)) for name, label in names.items()]
    return Document("d1", TEXT, mentions, metadata={"year": "1798", "length": "short"})


GOLD = document(Bern="LOC", New_York_City="LOC", second_Bern="PER", Bank_of_Bern="ORG", inner_Bern="LOC")
SYSTEM = document(Bern="LOC", New_York_City="ORG", second_Bern="LOC", Bank_of_Bern="ORG")


def counts(by: str) -> dict[str, tuple[float, float, float]]:
    """Return for each slice how many gold and system items it has, and how many of them are right."""
    rows = karat.score("conll2003", [GOLD], [SYSTEM], by=by).rows
    sliced = [row for row in rows if row.slice and (row.measure, row.average) == ("f1", "micro")]
    return {row.slice: (row.counts["gold"], row.counts["system"], row.counts["correct"]) for row in sliced}


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("length", {"length=1": (3, 2, 1), "length=3": (2, 2, 1)}),
        ("frequency", {"frequency=1": (2, 2, 1), "frequency=2-4": (3, 2, 1)}),
        ("ambiguity", {"ambiguity=1": (2, 2, 1), "ambiguity=2": (3, 2, 1)}),
        ("nesting", {"nesting=flat": (3, 3, 1), "nesting=inner": (1, 0, 0), "nesting=outer": (1, 1, 1)}),
        ("year", {"year=1798": (5, 4, 2)}),
        ("metadata:length", {"length=short": (5, 4, 2)}),
        ("document-length", {"document-length=13": (5, 4, 2)}),
    ],
)
def test_every_feature_tells_items_apart(by: str, expected: dict[str, tuple[float, float, float]]) -> None:
    assert counts(by) == expected


def test_seen_looks_into_another_file(tmp_path: Path) -> None:
    (tmp_path / "train.conll").write_text("Bern B-LOC\n\nBank B-LOC\nof I-LOC\nBern I-LOC\n")
    by = f"seen={tmp_path / 'train.conll'}"
    assert counts(by) == {"seen=no": (1, 1, 0), "seen=other-label": (2, 2, 1), "seen=same-label": (2, 1, 1)}
    scores = karat.score("conll2003", [GOLD], [SYSTEM], by=by)
    assert any(note.startswith("seen: in the gold of train.conll, 2 forms, content ") for note in scores.notes)


def test_labels_stay_out_of_slices_unless_asked_for() -> None:
    rows = karat.score("conll2003", [GOLD], [SYSTEM], by=["label", "length"]).rows
    assert {(row.slice, row.label) for row in rows if row.measure == "f1" and row.average == "micro"} == {
        ("", None),
        ("", "LOC"),
        ("", "ORG"),
        ("", "PER"),
        ("length=1", None),
        ("length=3", None),
    }
    assert not any(row.slice for row in rows if row.measure == "accuracy")


def test_workers_make_no_difference() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as executor:
        spread = karat.score("conll2003", [GOLD], [SYSTEM], by="length", executor=executor)
    assert spread == karat.score("conll2003", [GOLD], [SYSTEM], by="length")


def test_slices_have_intervals() -> None:
    golds = [Document(f"d{place}", GOLD.text, GOLD.mentions) for place in range(6)]
    systems = [Document(f"d{place}", GOLD.text, (SYSTEM if place % 2 else GOLD).mentions) for place in range(6)]
    rows = karat.score("conll2003", golds, systems, by="length", ci=True).rows
    assert all(row.interval for row in rows if row.slice == "length=1" and row.measure == "recall")


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        ("lenght", "'lenght' is not a feature .* did you mean 'length'?"),
        ("length=3", "length takes no value"),
        ("seen", "seen needs a file with other gold"),
        ("seen=", "seen= needs a file"),
        (["seen=a", "seen=b"], "by seen of one file only"),
        ("", "cannot be broken down by ''"),
        ([3], "cannot be broken down by 3"),
    ],
)
def test_what_cannot_be_meant_is_refused(by: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        karat.score("conll2003", [GOLD], [SYSTEM], by=by)


def test_relations_are_not_nested() -> None:
    with pytest.raises(UsageError, match=r"judges relations, .* no slices by nesting"):
        karat.score("relations", [GOLD], [SYSTEM], by="nesting")


def test_a_run_says_what_it_does_not_keep() -> None:
    run = karat.score("conll2003", [GOLD], [SYSTEM], by="length").run
    assert run is not None
    with pytest.raises(UsageError, match=r"without slices by seen \(it has those by length\); .* --by seen=FILE"):
        run.scores(by="seen")


def test_labels_that_are_not_there_are_said() -> None:
    assert (
        "no label was counted, so there are no scores by label"
        in karat.score("coref", [GOLD], [SYSTEM], by="label").notes
    )


def test_several_are_asked_for_once() -> None:
    assert [breakdown.name for breakdown in breakdowns(["label", "year", "label"])] == ["label", "year"]


spans = st.tuples(st.integers(1, 9), st.integers(1, 9)).map(lambda pair: (min(pair), max(pair) + 1))


@given(st.lists(spans, max_size=8))
def test_nesting_is_what_looking_at_all_pairs_says(places: list[tuple[int, int]]) -> None:
    nesting = Nesting.of(places)
    for start, end in places:
        others = [other for other in places if other != (start, end)]
        assert ((start, end) in nesting.inner) == any(first <= start and end <= past for first, past in others)
        assert ((start, end) in nesting.outer) == any(start <= first and past <= end for first, past in others)


@given(st.lists(st.integers(0, 50), min_size=1))
def test_lengths_are_in_their_range(lengths: list[int]) -> None:
    ranges = length_ranges(lengths)
    assert len(set(ranges)) <= 4
    for length, shown in zip(lengths, ranges, strict=True):
        low, _, high = shown.partition("-")
        assert int(low) <= length <= int(high or low)


def test_confusion_has_pairs_and_items_alone() -> None:
    confusion = karat.confusion("semeval2013", [GOLD], [SYSTEM])
    assert confusion.items("LOC", "ORG") == 1
    assert confusion.items("LOC", None) == 1
    assert confusion.items("PER", "LOC") == 1
    assert sum(cell["items"] for cell in confusion.to_dict()["cells"]) == 5
    with pytest.raises(UsageError, match="unknown regime 'strikt'; did you mean 'strict'"):
        karat.confusion("semeval2013", [GOLD], [SYSTEM], regime="strikt")


def test_confusion_is_a_data_frame_with_a_row_a_cell() -> None:
    pytest.importorskip("pandas")
    confusion = karat.confusion("semeval2013", [GOLD], [SYSTEM])
    assert confusion.to_pandas()["items"].tolist() == [cell.items for cell in confusion.cells]


def test_confusion_of_many_labels_is_a_list() -> None:
    gold = [[f"B-L{number}" for number in range(20)]]
    system = [[f"B-L{(number + 1) % 20}" for number in range(20)]]
    shown = str(karat.confusion("hipe2022-nerc-coarse", gold, system))
    assert shown.splitlines()[2:5] == [
        "NE-COARSE-LIT: 0 items with the same label, and",
        "gold  system  items",
        "----  ------  -----",
    ]


def test_shards_merge_into_the_run_with_its_slices() -> None:
    golds = [Document(f"d{place}", GOLD.text, GOLD.mentions) for place in range(5)]
    systems = [Document(f"d{place}", GOLD.text, (SYSTEM if place % 2 else GOLD).mentions) for place in range(5)]

    def shard(start: int, **asked: Any) -> Any:
        return karat.score("conll2003", golds[start : start + 3], systems[start : start + 3], **asked).run

    merged = karat.merge([shard(0, by="length"), shard(3, by="length")])
    whole = karat.score("conll2003", golds, systems, by="length").run
    assert whole is not None
    assert merged.scores(by="length").rows == whole.scores(by="length").rows
    with pytest.raises(karat.InputError, match="different slices, length and none"):
        karat.merge([shard(0, by="length"), shard(3)])
    with pytest.raises(karat.InputError, match="slices by frequency look at more than a shard"):
        karat.merge([shard(0, by="frequency"), shard(3, by="frequency")])


def test_runs_sliced_by_a_training_file_do_not_merge(tmp_path: Path) -> None:
    """The file may be another one for each run, and a run does not say which."""
    runs = []
    for number in (0, 1):
        training = tmp_path / f"{number}.conll"
        training.write_text("Bern\tB-LOC\n\n")
        documents = [Document(f"d{number}", GOLD.text, GOLD.mentions)]
        runs.append(karat.score("conll2003", documents, documents, by=f"seen={training}").run)
    with pytest.raises(karat.InputError, match="slices by seen look at more than a shard"):
        karat.merge(runs)
