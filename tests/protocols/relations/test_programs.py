"""Relations as programs count them: every quirk with both values, the ledger, and the table of SpERT."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.corpora import Reading
from karat.evaluation.quirks import quirks_of
from karat.evaluation.registry import protocol as protocol_named
from karat.report.evaluation import evaluated

NER = [[0, 0, "Method"], [2, 3, "Task"], [5, 5, "Metric"]]
USED = [0, 0, 2, 3, "USED-FOR"]
COMPARED = [0, 0, 5, 5, "COMPARE"]


def line(ner: list[Any], relations: list[Any], predicted_ner: list[Any], predicted: list[Any]) -> dict[str, Any]:
    """Return a document of one sentence with gold and predictions."""
    layers = {"ner": [ner], "relations": [relations], "predicted_ner": [predicted_ner]}
    words = [[f"w{number}" for number in range(8)]]
    return {"doc_key": "d", "sentences": words, **layers, "predicted_relations": [predicted]}


@pytest.fixture
def scored(tmp_path: Path) -> Any:
    """Return what scores predicted relations, by a profile, and gives one number."""

    def value(gold: list[Any], system: list[Any], measure: str, profile: str, regime: str, **more: Any) -> float | None:
        content = line(more.get("ner", NER), gold, more.get("predicted_ner", NER), system)
        (tmp_path / "a.json").write_text(json.dumps(content))
        sides = (karat.read(tmp_path / "a.json", "scierc", side=side) for side in ("gold", "predicted"))
        return karat.score("relations", *sides, profile=profile).value(measure, regime=regime)

    return value


def test_repeats_count_each_time(scored: Any) -> None:
    assert scored([USED], [USED, USED], "recall", "pure", "rel") == 2
    assert scored([USED], [USED, USED], "f1", "pure", "rel+") == pytest.approx(4 / 3)
    assert scored([USED], [USED, USED], "recall", "corrected", "boundaries") == 1
    repeated = {"predicted_ner": [*NER, NER[0]]}
    assert scored([USED], [USED], "recall", "plmarker", "entities", **repeated) == pytest.approx(1 + 1 / len(NER))


def test_one_type_is_enough(scored: Any) -> None:
    types = {"predicted_ner": [[0, 0, "Task"], [0, 0, "Method"], *NER[1:]]}
    assert scored([USED], [USED], "f1", "pure", "rel+", **types) == 1
    assert scored([USED], [USED], "f1", "corrected", "strict", **types) == 0


def test_nothing_is_zero(scored: Any) -> None:
    for profile in ("pure", "spert", "dygie"):
        assert scored([], [], "f1", profile, "rel") == 0
    assert scored([], [], "f1", "corrected", "strict") is None


def test_one_label_a_pair(scored: Any) -> None:
    both = [USED, [0, 0, 2, 3, "PART-OF"]]
    assert scored(both, [USED], "recall", "dygie", "rel") == 0
    assert scored(both, [USED], "recall", "corrected", "boundaries") == 0.5


def test_symmetric_weighs_double(scored: Any) -> None:
    assert scored([USED, COMPARED], [USED], "recall", "plmarker", "rel") == pytest.approx(1 / 3)
    assert scored([COMPARED], [[5, 5, 0, 0, "COMPARE"]], "f1", "plmarker", "rel") == 1
    assert scored([USED, COMPARED], [USED], "recall", "corrected", "boundaries") == 0.5


def test_stops_at_odd_gold(scored: Any) -> None:
    for gold in ([USED, USED], [COMPARED, [5, 5, 0, 0, "COMPARE"]], [[5, 5, 5, 5, "COMPARE"]]):
        with pytest.raises(InputError, match="at which PL-Marker stops"):
            scored(gold, [USED], "f1", "plmarker", "rel")
    for profile in ("plmarker", "spert"):
        with pytest.raises(InputError, match=f"{profile} knows no other ends"):
            scored([[0, 0, 7, 7, "USED-FOR"]], [], "f1", profile, "rel")
    assert scored([], [USED], "recall", "plmarker", "rel") is None
    assert scored([USED, USED], [USED], "f1", "corrected", "boundaries") == 1


def test_filter_is_part_of_the_score(scored: Any) -> None:
    ner = [[0, 2, "Method"], [1, 2, "Method"], [2, 3, "Task"]]
    gold, system = [[1, 2, 2, 3, "USED-FOR"]], [[0, 2, 2, 3, "USED-FOR"], [1, 2, 2, 3, "USED-FOR"]]
    assert scored(gold, system, "f1", "plmarker", "rel", ner=ner, predicted_ner=ner) == 0
    assert scored(gold, system, "f1", "corrected", "boundaries", ner=ner, predicted_ner=ner) == pytest.approx(2 / 3)


def test_symmetric_relations_run_from_the_entity_that_is_listed_first(scored: Any) -> None:
    ner = [[2, 3, "Task"], [0, 1, "Method"], [0, 0, "Method"]]
    system = [[2, 3, 0, 1, "COMPARE"], [0, 0, 2, 3, "COMPARE"]]
    assert scored(system, system, "recall", "plmarker", "rel", ner=ner, predicted_ner=ner) == 0.5
    assert scored(system, system[::-1], "recall", "plmarker", "rel", ner=ner, predicted_ner=ner) == 0.5
    assert (
        scored(
            system,
            [system[0], [0, 0, 5, 5, "COMPARE"]],
            "precision",
            "plmarker",
            "rel",
            ner=ner,
            predicted_ner=[*ner, [5, 5, "Task"]],
        )
        == 0.5
    )


def test_both_directions_of_a_symmetric_relation_add_up(scored: Any) -> None:
    ner = [[0, 0, "Method"], [2, 3, "Task"]]
    system = [USED, [2, 3, 0, 0, "COMPARE"], [0, 0, 2, 3, "COMPARE"]]
    gold = [[0, 0, 2, 3, "COMPARE"]]
    assert scored(gold, system, "f1", "plmarker", "rel", ner=ner, predicted_ner=ner) == 1
    assert scored(gold, system[:2], "f1", "plmarker", "rel", ner=ner, predicted_ner=ner) == 0


def test_score_of_the_other_direction(scored: Any) -> None:
    ner = [[2, 3, "Task"], [1, 2, "Method"], [3, 4, "Task"]]
    gold = [[1, 2, 2, 3, "USED-FOR"]]
    system = [[1, 2, 2, 3, "USED-FOR"], [1, 2, 3, 4, "USED-FOR"]]
    assert scored(gold, system, "precision", "plmarker", "rel", ner=ner, predicted_ner=ner) == 0
    assert scored(gold, system, "precision", "corrected", "boundaries", ner=ner, predicted_ner=ner) == 0.5


def test_a_report_shows_the_number_of_a_program_beside_the_corrected_one(tmp_path: Path) -> None:
    sides = {"gold": [USED, [*USED[:4], "PART-OF"]], "once": [USED], "twice": [USED, USED]}
    for name, relations in sides.items():
        (tmp_path / name).write_text(json.dumps(line(NER, relations, [], [])))
    report = evaluated(
        protocol_named("relations").with_options(profile="pure"),
        [str(tmp_path / name) for name in sides],
        [Reading("scierc", options={"side": "gold"})] * 3,
        bootstrap=False,
    )
    assert report.costs is not None
    assert report.costs.table is not None
    assert [line.cells for line in report.costs.table.lines] == [
        ["0.667", "0.667", "0", "0"],
        ["1.000", "0.667", "−33.3", "1"],
    ]


def test_every_quirk_is_shown() -> None:
    names = {f"test_{quirk.name.replace('-', '_')}" for quirk in quirks_of("karat.protocols.relations")}
    assert names <= globals().keys()


def test_the_ledger_tells_of_relations_and_entities(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(line(NER[:2], [USED], [NER[0], [2, 3, "Metric"]], [USED, USED])))
    sides = [karat.read(tmp_path / "a.json", "scierc", side=side) for side in ("gold", "predicted")]
    told = [(entry.case, entry.verdicts, entry.reason) for entry in karat.explain("relations", *sides, profile="pure")]
    assert told == [
        ("wrong-type", {"rel": "correct", "rel+": "incorrect"}, "same label and ends, but an end is typed wrong"),
        ("repeated-wrong-type", {"rel": "correct", "rel+": "incorrect"}, "right again, but an end is typed wrong"),
        ("exact", {"entities": "correct"}, "same place and type"),
        ("spurious", {"entities": "spurious"}, "the gold has no mention with this place and type"),
        ("missed", {"entities": "missed"}, "the system has no mention with this place and type"),
    ]


PAIRS = st.lists(st.sampled_from([USED, COMPARED, [2, 3, 5, 5, "USED-FOR"], [2, 3, 0, 0, "PART-OF"]]), unique_by=str)


@settings(max_examples=20, deadline=None)
@given(PAIRS, PAIRS)
def test_without_repeats_programs_count_what_definitions_say(gold: list[Any], system: list[Any]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.json")
        path.write_text(json.dumps(line(NER, gold, NER, system)))
        sides = [karat.read(path, "scierc", side=side) for side in ("gold", "predicted")]
    plain = karat.score("relations", *sides, zero="zero")
    for profile in ("pure", "spert"):
        counted = karat.score("relations", *sides, profile=profile)
        for regime, definition in (("rel", "boundaries"), ("rel+", "strict")):
            if gold or system:
                assert counted.value("f1", regime=regime) == plain.value("f1", regime=definition)


def test_the_table_of_spert_is_printed_for_any_format(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, label in (("gold", "in"), ("system", "at")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.txt").write_text("Ada in Bern")
        (tmp_path / name / "d.ann").write_text(f"T1\tPER 0 3\tAda\nT2\tLOC 7 11\tBern\nR1\t{label} Arg1:T1 Arg2:T2\n")
    assert run(["spert", str(tmp_path / "gold"), str(tmp_path / "system")]) == 0
    assert "                  in         0.00         0.00         0.00          1.0\n" in capfd.readouterr().out
