"""The protocol wnut17: its faults as published, as in the first program, and put right; and two roads to one number."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.quirks import quirks_of
from karat.protocols.spans.drop_in import wnut17
from karat.protocols.spans.drop_in.rows import TaggedWord, documents
from karat.testing import check_protocol

TAGS = st.sampled_from(["O", "B-person", "I-person", "B-group", "I-group"])
ROWS = st.lists(st.builds(TaggedWord, st.sampled_from(["Ada", "Bo", "Cy"]), TAGS, TAGS), min_size=1, max_size=6)


def rows(text: str) -> list[list[TaggedWord]]:
    """Return sentences: rows between bars, each a word, a tag of the gold and one of the system."""
    return [[TaggedWord(*row.split("/")) for row in part.split()] for part in text.split("|")]


def forms(text: str, profile: str, measure: str = "f1") -> float | None:
    scores = karat.score("wnut17", *documents(rows(text)), profile=profile)
    return scores.value(measure, regime="surface")


ELSEWHERE = "Ada/B-person/O and/O/O Ada/O/B-person"


def test_surface_form_needs_its_place() -> None:
    assert forms(ELSEWHERE, "published") == 0
    assert forms(ELSEWHERE, "corrected") == 1


def test_a_form_counts_once() -> None:
    text = "Ada/B-person/B-person | Ada/B-person/B-person | Ada/B-person/O"
    scores = karat.score("wnut17", *documents(rows(text)))
    assert scores.value("recall", regime="entity") == pytest.approx(2 / 3)
    assert scores.value("recall", regime="surface") == 1
    row = next(row for row in scores if row.regime == "surface")
    assert [row.counts[name] for name in ("gold", "system", "correct")] == [1, 1, 1]


def test_a_form_of_both_sides_has_one_label_and_is_in_one_document() -> None:
    text = "Ada/B-person/B-person Bo/B-group/B-group | Bo/O/B-person | Cy/B-group/B-group"  # the first Bo is lost
    scores = karat.score("wnut17", *documents(rows(text)), profile="first", by=["label", "unit"])
    shares = [row for row in scores if row.regime == "surface" and row.measure == "precision"]
    assert all(row.value is None or row.value <= 1 for row in shares)
    assert {row.label: row.value for row in shares if row.label} == {"group": 1.0, "person": 1.0}


def test_only_the_first_program_needs_all_documents_at_once() -> None:
    sides = documents(rows("Ada/B-person/O | Ada/B-person/B-person | Bo/B-person/B-person"))
    for profile in ("published", "first"):
        runs = [karat.score("wnut17", *([side[number]] for side in sides), profile=profile).run for number in range(3)]
        reason = "the first program takes words from one document into the next" if profile == "first" else "facts"
        with pytest.raises(karat.KaratError, match=reason):
            karat.merge(runs)


def test_surface_forms_of_right_entities() -> None:
    text = "Ada/B-person/B-person and/O/O Bo/B-person/O"
    assert forms(text, "published", "recall") == 0.5
    assert forms(text, "first", "recall") == 1


def test_surface_form_of_a_neighbour_lost() -> None:
    text = "Ada/B-person/B-person Bo/B-group/B-group"
    assert forms(text, "published", "precision") == forms(text, "first", "precision") == 1
    assert forms(text, "published", "recall") == 1
    assert forms(text, "first", "recall") == 0.5
    assert forms(text.replace(" Bo", " | Bo"), "first", "recall") == 1


def test_surface_form_keeps_what_failed() -> None:
    text = "Ada/B-person/B-person Bo/I-person/O | Cy/B-person/B-person"
    assert forms(text, "published", "precision") == 0.5
    assert forms(text, "first", "precision") == 0  # it is called "Ada Cy"


def test_last_word_twice(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    text = "Ada B-person B-person\n\nBo B-person O\n\nAda B-person B-person\n"
    assert called(text, ["--profile", "first"], monkeypatch) == 0
    assert "correct: 2" in capfd.readouterr().out
    sentences = [[TaggedWord("Ada", "B-person", "B-person")]] * 2
    found = [wnut17.count_by_the_first([*sentences, *end], "-X-")[1].total for end in ([], [[]])]
    assert [chunks.gold for chunks in found] == [2, 1]


def test_outside_with_a_type() -> None:
    published = karat.score("wnut17", *documents(rows("Ada/O-person/O")))
    assert published.rows[0].counts["gold"] == 1
    corrected = karat.score("wnut17", *documents(rows("and/O/O Ada/O-person/O")), profile="corrected")
    assert corrected.rows[0].counts["gold"] == 1
    assert "1 repair while reading the tags of the gold as IOB2" in corrected.notes
    with pytest.raises(InputError, match="'O-person' stands behind another tag"):
        karat.score("wnut17", *documents(rows("and/O/O Ada/O-person/O")))


def called(text: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return run(["wnut17", *words])


def test_tags_lacking_in_silence(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    text = "Ada\tB-person\tB-person\nand\tO\n"
    assert called(text, [], monkeypatch) == 0
    assert "accuracy:  50.00%" in capfd.readouterr().out
    assert called(text, ["--profile", "corrected"], monkeypatch) == 3
    assert "line 2: the line has 2 fields" in capfd.readouterr().err
    text = "Ada\tB-person\tB-person\nand\nBo\tI-person\tI-person\n"
    assert called(text, [], monkeypatch) == 0
    assert "processed 2 tokens with 1 phrases; \nfound: 1 phrases; correct: 1." in capfd.readouterr().out
    assert called(text, ["--profile", "corrected"], monkeypatch) == 3
    assert "line 2: the line has 1 fields" in capfd.readouterr().err


def test_an_entity_goes_on_behind_a_lacking_tag(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "Ada\tB-person\tB-person\nvan\tI-person\nBo\tI-person\tI-person\n"
    assert called(text, [], monkeypatch) == 0
    assert "found: 1 phrases; correct: 0." in capfd.readouterr().out


def test_types_of_the_system_unlisted(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    assert called("Ada\tB-person\tB-group\n", [], monkeypatch) == 0
    assert "group" not in capfd.readouterr().out
    scores = karat.score("wnut17", *documents(rows("Ada/B-person/B-group")), by="label")
    assert scores.value("precision", label="group") == 0


def test_options_of_the_first_program(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    text = "Ada,B-person,B-person\n--,O,O\nBo,B-person,B-person\n"
    assert called(text, ["--profile", "first", "-d", ",", "-b", "--", "-o", "O"], monkeypatch) == 0
    assert "processed 2 tokens with 2 phrases" in capfd.readouterr().out
    assert (
        called(
            "a\tB-person\tB-person\nx\tO\tO\n a\tB-person\tB-person\n\n",
            ["--profile", "first", "-d", "\t"],
            monkeypatch,
        )
        == 0
    )
    assert "surface forms:     precision: 100.00%; recall: 100.00%" in capfd.readouterr().out
    assert called(text, ["-d", ","], monkeypatch) == 2
    assert "say --profile first" in capfd.readouterr().err


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.spans", "wnut17")}
    assert names <= globals().keys()


@given(st.lists(ROWS, min_size=1, max_size=3))
def test_both_roads_of_the_first_program(sentences: list[list[TaggedWord]]) -> None:
    walked = wnut17.count_by_the_first([*sentences, []], "-X-")
    judged = wnut17.count(sentences, "first")
    assert [counted.total for counted in walked] == [counted.total for counted in judged]
    assert walked[0] == judged[0]


@given(st.lists(ROWS, min_size=1, max_size=3), st.sampled_from(["published", "corrected"]))
def test_both_roads(sentences: list[list[TaggedWord]], profile: str) -> None:
    text = wnut17.printed(wnut17.count(sentences, profile), profile).text.decode("latin-1")
    scores = karat.score("wnut17", *documents(sentences), zero="zero", profile=profile)
    for regime, block in zip(("entity", "surface"), text.split("### SURFACE"), strict=True):
        numbers = list(map(float, re.findall(r"\d+\.\d\d", block)))[1:4]
        shown = [100 * scores.value(name, regime=regime) for name in ("precision", "recall", "f1")]
        assert numbers == pytest.approx(shown, abs=0.005000001)


@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_the_promises_of_a_protocol(profile: str) -> None:
    check_protocol("wnut17", profile=profile)


def test_intervals_and_ledger() -> None:
    sides = documents(rows(f"{ELSEWHERE} | Cy/B-person/B-group | Bo/B-person/B-person"))
    scores = karat.score("wnut17", *sides, ci=True, profile="corrected")
    assert all(row.interval is not None for row in scores if row.measure == "f1" and row.average == "micro")
    cases = [entry.case for entry in karat.explain("wnut17", *sides, profile="corrected")]
    assert cases == ["missed", "spurious", "form-missed", "wrong-label", "form-spurious", "exact"]
