"""Every quirk of the eHealth-KD programs, shown: the published value, and the corrected or documented one beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.conformance import packs
from tests.protocols.ehealthkd.files import Sketch, sketch

import karat
from karat.cli import run
from karat.evaluation.quirks import quirks_of
from karat.protocols.ehealthkd.drop_in.evaluation import A, B, evaluate_files
from karat.protocols.ehealthkd.options import PROFILES
from karat.protocols.ehealthkd.rules import Rules

Test = TypeVar("Test", bound=Callable[..., None])
SHOWN: dict[str, str] = {}
PROGRAMS = ("published", "corrected")
ASMA = "El asma es grave."
TIPO = "Un tipo de cáncer."

Counts = tuple[int, ...]
"""Correct, incorrect, partial, missed, spurious."""


def shows(name: str) -> Callable[[Test], Test]:
    """Mark the test that shows a quirk."""

    def note(test: Test) -> Test:
        SHOWN[name] = test.__name__
        return test

    return note


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def program(gold: Sketch, system: Sketch, profile: str, edition: str = "2021") -> tuple[Counts, Counts]:
    """Return the counts of both subtasks as the program has them."""
    rules = Rules(edition=edition, corrected=profile == "corrected")
    write = Sketch.tabs if edition == "2019" else Sketch.brat
    files = [write(one, Path(side) / "input_x.txt") for side, one in (("gold", gold), ("system", system))]
    evaluation = evaluate_files(*files, rules)
    entities, relations = (list(evaluation.counters(subtask).values()) for subtask in (A, B))
    return (*entities[:3], entities[4], entities[3]), (relations[0], 0, 0, relations[2], relations[1])


def protocol(part: str, gold: Sketch, system: Sketch, **options: str) -> Counts:
    """Return the counts of a protocol."""
    sides = [gold.document()], [system.document()]
    (total,) = [row.counts for row in karat.score(f"ehealthkd2021-{part}", *sides, **options) if row.measure == "f1"]
    return tuple(map(int, total.values()))


def entities(gold: Sketch, system: Sketch, edition: str = "2021") -> list[Counts]:
    """Return the counts of entities in each profile, after a look whether program and protocol agree."""
    found = [protocol("entities", gold, system, profile=profile, edition=edition) for profile in PROFILES]
    assert found[:2] == [program(gold, system, profile, edition)[0] for profile in PROGRAMS]
    return found


def relations(gold: Sketch, system: Sketch, edition: str = "2021") -> list[Counts]:
    """Return the counts of relations in each profile, after a look whether program and protocol agree."""
    found = [protocol("relations", gold, system, profile=profile, edition=edition) for profile in PROFILES]
    assert found[:2] == [program(gold, system, profile, edition)[1] for profile in PROGRAMS]
    return found


def score(*words: str) -> list[int]:
    """Return the statuses of the drop-in for score.py in both profiles."""
    return [run(["ehealthkd", "score", *words, "--profile", profile]) for profile in PROGRAMS]


@shows("stripped-text-offsets")
def test_stripped_text_offsets() -> None:
    gold = sketch("alfa\n\nbeta gama\n", "T1 C 6 10", "T2 C 11 15")
    system = sketch("alfa\nbeta gama\n", "T1 C 5 9", "T2 C 10 14")
    assert entities(gold, system) == [(0, 0, 2, 0, 0), (2, 0, 0, 0, 0), (2, 0, 0, 0, 0)]
    note = "1 document with blank lines, or blanks around lines, which shift offsets as published"
    found = karat.score("ehealthkd2021-entities", [gold.document()], [system.document()])
    assert note in found.notes


@shows("fragments-compared")
def test_fragments_compared() -> None:
    gold = sketch(TIPO, "T1 C 3 17")
    assert entities(gold, sketch(TIPO, "T1 C 3 7;8 10;11 17")) == [(1, 0, 0, 0, 0)] * 3
    two = entities(gold, sketch(TIPO, "T1 C 3 10;11 17"))
    assert two == [(0, 0, 1, 0, 0), (1, 0, 0, 0, 0), (1, 0, 0, 0, 0)]
    outer = entities(gold, sketch(TIPO, "T1 C 3 7;11 17"))
    assert outer == [(0, 0, 1, 0, 0), (0, 0, 1, 0, 0), (1, 0, 0, 0, 0)]


@shows("first-sentence-order")
def test_first_sentence_order() -> None:
    gold, system = sketch(TIPO, "T1 C 3 7;11 17"), sketch(TIPO, "T1 C 11 17;3 7")
    assert entities(gold, system) == [(0, 0, 1, 0, 0), (1, 0, 0, 0, 0), (1, 0, 0, 0, 0)]
    later = [sketch(f"Sí.\n{TIPO}", "T1 C 7 11;15 21"), sketch(f"Sí.\n{TIPO}", "T1 C 15 21;7 11")]
    assert entities(*later) == [(1, 0, 0, 0, 0)] * 3


@shows("repeated-roles-overwritten")
def test_repeated_roles_overwritten() -> None:
    places = ("T1 C 3 7", "T2 A 8 10", "T3 C 11 17")
    gold = sketch(TIPO, *places, "E1 T2 Theme:T1 Theme:T3")
    system = sketch(TIPO, *places, "R1 theme T2 T1", "R2 theme T2 T3")
    assert [program(gold, system, profile)[1] for profile in PROGRAMS] == [(1, 0, 0, 0, 1)] * 2
    assert [protocol("relations", gold, system, profile=profile) for profile in PROFILES] == [(2, 0, 0, 0, 0)] * 3
    files = [str(side.brat(Path(name) / "d.txt").parent) for name, side in (("roles", gold), ("plain", system))]
    for profile in PROGRAMS:
        (f1,) = [row for row in karat.score("ehealthkd2021-relations", *files, profile=profile) if row.measure == "f1"]
        assert tuple(f1.counts.values()) == (1, 0, 0, 0, 1)


@shows("mark-is-a-character")
def test_mark_is_a_character() -> None:
    gold, marked = sketch(ASMA, "T1 C 3 7"), sketch(f"\ufeff{ASMA}", "T1 C 4 8")
    assert [program(gold, marked, profile)[0] for profile in PROGRAMS] == [(0, 0, 1, 0, 0)] * 2
    marked.brat(Path("marked/d.txt"))
    Path("marked/d.ann").write_text("T1\tC 4 8\tasma\n", "utf-8")
    documents = [gold.document()]
    found = [karat.score("ehealthkd2021-entities", documents, "marked", profile=profile) for profile in PROFILES]
    assert [scores.value() for scores in found] == [0.5, 0.5, 1.0]


@shows("malformed-relation-stops")
def test_malformed_relation_stops(capfd: pytest.CaptureFixture[str]) -> None:
    for side in ("gold", "system/run1"):
        sketch(ASMA, "T1 C 3 7").brat(Path(side) / "scenario2-taskA" / "output.txt")
    with Path("system/run1/scenario2-taskA/output.ann").open("a") as stream:
        stream.write("R1 is-a T1\n")
    words = ("--gold", "gold", "--submit", "system", "--runs", "1", "--scenarios", "2")
    assert score(*words) == [3, 0]
    printed = capfd.readouterr()
    assert "found 'R1 is-a T1', expected the form" in printed.err
    assert "correct_A: 1" in printed.out


@shows("unannotated-sentences-skipped")
def test_unannotated_sentences_skipped() -> None:
    gold, system = sketch(f"{ASMA}\n{TIPO}", "T1 C 3 7"), sketch(f"{ASMA}\n{TIPO}", "T1 C 3 7", "T2 C 21 25")
    assert entities(gold, system) == [(1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (1, 0, 0, 0, 1)]


@shows("unaligned-sentences-skipped")
def test_unaligned_sentences_skipped() -> None:
    gold, system = sketch(ASMA, "T1 C 3 7"), sketch(f"{ASMA}\n{TIPO}", "T1 C 3 7", "T2 C 21 25")
    assert entities(gold, system) == [(1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (1, 0, 0, 0, 1)]
    assert entities(system, gold) == [(1, 0, 0, 1, 0)] * 3


@shows("surplus-sentence-shifts")
def test_surplus_sentence_shifts() -> None:
    gold, system = sketch(ASMA, "T1 C 3 7"), sketch(f"{TIPO}\n{ASMA}", "T1 C 22 26")
    assert entities(gold, system) == [(0, 0, 0, 1, 0), (1, 0, 0, 0, 0), (1, 0, 0, 0, 0)]


@shows("first-label-only")
def test_first_label_only() -> None:
    gold = sketch(ASMA, "T1 Concept 3 7", "T2 Action 3 7")
    expected = [(0, 1, 0, 1, 0), (1, 0, 0, 1, 0), (1, 0, 0, 1, 0)]
    assert entities(gold, sketch(ASMA, "T1 Action 3 7")) == expected
    assert entities(gold, sketch(ASMA, "T1 Concept 3 7")) == [(1, 0, 0, 1, 0)] * 3


@shows("second-label-stops")
def test_second_label_stops(capfd: pytest.CaptureFixture[str]) -> None:
    gold = sketch(ASMA, "T1 Concept 3 7", "T2 Action 3 7")
    system = sketch(ASMA, "T1 Action 3 7", "T2 Concept 3 7")
    files = [str(one.brat(Path(f"{side}.txt"))) for side, one in (("gold", gold), ("system", system))]
    assert score("--edition", "2020", *files) == [3, 0]
    printed = capfd.readouterr()
    assert "'asma' has several gold labels, of which the system gives 'Action', but not first" in printed.err
    assert "correct_A: 2" in printed.out
    assert [protocol("entities", gold, system, profile=profile) for profile in PROFILES] == [(2, 0, 0, 0, 0)] * 3


@shows("gaps-do-not-overlap")
def test_gaps_do_not_overlap() -> None:
    gold, system = sketch(TIPO, "T1 C 3 7;11 17"), sketch(TIPO, "T1 C 8 10")
    assert entities(gold, system) == [(0, 0, 0, 1, 1), (0, 0, 0, 1, 1), (0, 0, 1, 0, 0)]


@shows("touching-is-no-overlap")
def test_touching_is_no_overlap() -> None:
    for system in (sketch(ASMA, "T1 C 5 7"), sketch(ASMA, "T1 C 5 5")):
        assert entities(sketch(ASMA, "T1 C 3 5"), system) == [(0, 0, 0, 1, 1), (0, 0, 0, 1, 1), (0, 0, 1, 0, 0)]
    assert entities(sketch(TIPO, "T1 C 3 7"), sketch(TIPO, "T1 C 8 10")) == [(0, 0, 0, 1, 1)] * 3


@shows("partial-of-any-label")
def test_partial_of_any_label() -> None:
    gold, system = sketch(TIPO, "T1 Concept 3 17"), sketch(TIPO, "T1 Action 3 7")
    assert entities(gold, system, "2019") == [(0, 0, 1, 0, 0), (0, 0, 0, 1, 1), (0, 0, 0, 1, 1)]
    assert entities(gold, system, "2021") == [(0, 0, 0, 1, 1)] * 3


THREE = "La gripe, o influenza, da fiebre."
PLACES = ("T1 C 3 8", "T2 C 12 21", "T3 C 26 32")


@shows("same-as-equivalents")
def test_same_as_equivalents() -> None:
    gold = sketch(THREE, *PLACES, "* same-as T1 T2", "R1 causes T1 T3")
    system = sketch(THREE, *PLACES, "* same-as T1 T2", "R1 causes T2 T3")
    assert relations(gold, system) == [(2, 0, 0, 0, 0), (2, 0, 0, 0, 0), (1, 0, 0, 1, 1)]


@shows("same-as-swapped")
def test_same_as_swapped() -> None:
    gold, system = sketch(THREE, *PLACES, "* same-as T1 T2"), sketch(THREE, *PLACES, "* same-as T2 T1")
    assert relations(gold, system) == [(1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 1, 1)]
    gold, system = sketch(THREE, *PLACES, "R1 causes T1 T2"), sketch(THREE, *PLACES, "R1 causes T2 T1")
    assert relations(gold, system) == [(0, 0, 0, 1, 1)] * 3


@shows("partial-ends")
def test_partial_ends() -> None:
    gold = sketch(THREE, "T1 C 0 8", "T2 C 26 32", "R1 causes T1 T2")
    system = sketch(THREE, "T1 C 3 8", "T2 C 26 32", "R1 causes T1 T2")
    assert relations(gold, system) == [(1, 0, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 1, 1)]


@shows("equivalents-taken-first")
def test_equivalents_taken_first() -> None:
    gold = sketch(THREE, *PLACES, "* same-as T1 T2", "R1 causes T1 T3")
    system = sketch(THREE, *PLACES, "R1 causes T2 T3", "R2 causes T1 T3")
    assert relations(gold, system) == [(1, 0, 0, 1, 1)] * 3
    partners = {
        profile: [
            entry.system.text
            for entry in karat.explain(
                "ehealthkd2021-relations", [gold.document()], [system.document()], profile=profile
            )
            if entry.case == "correct" and entry.system is not None
        ]
        for profile in PROGRAMS
    }
    assert partners == {"published": ["influenza → fiebre"], "corrected": ["gripe → fiebre"]}


@shows("same-as-itself")
def test_same_as_itself() -> None:
    gold, system = sketch(THREE, *PLACES, "* same-as T1 T2"), sketch(THREE, *PLACES, "R1 same-as T1 T1")
    assert relations(gold, system) == [(1, 0, 0, 0, 0), (0, 0, 0, 1, 1), (0, 0, 0, 1, 1)]


@shows("repeated-relations-removed")
def test_repeated_relations_removed() -> None:
    gold = sketch(THREE, *PLACES, "R1 causes T1 T3")
    system = sketch(THREE, *PLACES, "R1 causes T1 T3", "R2 causes T1 T3")
    assert relations(gold, system) == [(1, 0, 0, 0, 0), (1, 0, 0, 0, 1), (1, 0, 0, 0, 1)]
    found = karat.score("ehealthkd2021-relations", [gold.document()], [system.document()])
    assert "1 relation said before, left out" in found.notes
    twice = sketch(THREE, "T1 C 3 8", "T2 C 3 8")
    assert entities(sketch(THREE, "T1 C 3 8"), twice) == [(1, 0, 0, 0, 1)] * 3


@shows("entities-matched-again")
def test_entities_matched_again() -> None:
    gold = sketch(THREE, *PLACES, "R1 causes T1 T3", "R2 causes T2 T3")
    system = sketch(THREE, "T1 C 3 8", "T3 C 26 32", "R1 causes T1 T3")
    assert relations(gold, system) == [(1, 0, 0, 1, 0)] * 3
    found = [protocol("relations", gold, system, profile=profile, propagate_error="no") for profile in PROFILES]
    assert found == [(1, 0, 0, 0, 0)] * 3


@shows("relation-labels-lowered")
def test_relation_labels_lowered() -> None:
    gold, system = sketch(THREE, *PLACES, "R1 Causes T1 T3"), sketch(THREE, *PLACES, "R1 causes T1 T3")
    assert relations(gold, system, "2019") == [(1, 0, 0, 0, 0)] * 3
    assert relations(gold, system, "2021") == [(0, 0, 0, 1, 1)] * 3


GOLD = sketch(TIPO, "T1 C 3 7", "T2 C 8 10", "T3 C 11 17")
CAUTIOUS = sketch(TIPO, "T1 C 3 7")
BOLD = sketch(TIPO, "T1 C 3 7", "T2 C 8 10", "T3 C 11 17", "T4 X 0 2", "T5 Y 0 2", "T6 Z 0 2", "T7 W 0 2")
SCENARIOS = ("scenario1-main", "scenario2-taskA", "scenario3-taskB")


def submit(folder: str, *runs: Sketch) -> None:
    """Write the runs of a submission of 2021."""
    for number, one in enumerate(runs, start=1):
        for scenario in SCENARIOS:
            one.brat(Path(folder) / f"run{number}" / scenario / "output.txt")


def gold_2021() -> None:
    for scenario in SCENARIOS:
        GOLD.brat(Path("2021/eval/testing") / scenario / "output.txt")


@shows("last-run-is-best")
def test_last_run_is_best(capfd: pytest.CaptureFixture[str]) -> None:
    gold_2021()
    submit("team", GOLD, CAUTIOUS)
    words = ("--gold", "2021/eval/testing", "--submit", "team", "--scenarios", "2", "--runs", "1", "2")
    assert score(*words) == [0, 0]
    best = re.findall(r"^scenario2_(?:f1|best):(.*)$", capfd.readouterr().err, re.MULTILINE)
    assert best == ["0.5", "run2", "1.0", "run1"]


@shows("best-of-each-column")
def test_best_of_each_column(capfd: pytest.CaptureFixture[str]) -> None:
    gold_2021()
    submit("2021/submissions/team/s/testing", CAUTIOUS, BOLD)
    for profile, row in zip(PROGRAMS, ("team,0.6,1.0,1.0", "team,0.6,0.42857,1.0"), strict=True):
        assert run(["ehealthkd", "rank", "--profile", profile]) == 0
        assert Path("scores_2021_scn2.csv").read_text().splitlines()[1] == row
    capfd.readouterr()


@shows("underscore-stops")
def test_underscore_stops(capfd: pytest.CaptureFixture[str]) -> None:
    gold_2021()
    for team in ("my_team", "your_team", "zoe"):
        submit(f"2021/submissions/{team}/s/testing", GOLD)
    assert run(["ehealthkd", "rank"]) == 3
    printed = capfd.readouterr()
    assert "the team 'my_team' or its submission 's' has a '_' in its name, where the published program" in printed.err
    assert [line for line in printed.out.splitlines() if "_s" in line] == ["my_team_s", "your_team_s", "zoe_s"]
    assert run(["ehealthkd", "rank", "--profile", "corrected"]) == 0
    assert Path("scores_2021_scn2.csv").read_text().splitlines()[1] == "my_team,1.0,1.0,1.0"


@shows("public-layout-not-found")
def test_public_layout_not_found(capfd: pytest.CaptureFixture[str]) -> None:
    gold_2021()
    submit("2021/submissions/team/testing", GOLD)
    assert [run(["ehealthkd", "rank", "--profile", profile]) for profile in PROGRAMS] == [3, 0]
    assert "holds no run; expected TEAM/SUBMISSION/testing/run1" in capfd.readouterr().err
    assert Path("scores_2021_scn2.csv").read_text().splitlines()[1] == "team,1.0,1.0,1.0"


@shows("fourth-scenario")
def test_fourth_scenario(capfd: pytest.CaptureFixture[str]) -> None:
    gold_2021()
    submit("team", GOLD)
    assert score("--gold", "2021/eval/testing", "--submit", "team", "--scenarios", "4") == [3, 3]
    assert "scenario 4 does not exist in 2021; expected 1, 2 or 3" in capfd.readouterr().err


PUBLIC = [case for case in packs.public("ehealthkd") if case["id"] == "2021:training"]


@shows("outdated-sample-numbers")
@pytest.mark.skipif(not PUBLIC, reason="the public eHealth-KD data are not beside the repository")
def test_outdated_sample_numbers(capfd: pytest.CaptureFixture[str]) -> None:
    for name in PUBLIC[0]["unpack"] if PUBLIC else ():
        packs.unpack(packs.SHARED / "ehealthkd" / "public" / name, Path())
    assert score(*PUBLIC[0]["args"], "--runs", "1", "--scenarios", "1") == [0, 0]
    printed = capfd.readouterr().out
    assert re.findall(r"^(?:missing_A|correct_B|f1): (.*)$", printed, re.MULTILINE) == ["1", "546", "0.7052"] * 2


@shows("faulty-reference-stops")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("R1 is-a T1 T9", "'T9' is an end of a relation 'is-a', but no entity of the text has this id"),
        ("R1 is-a T1 T2", "the relation 'is-a' between T1 and T2 crosses sentences"),
        ("T3 C 90 95", "entity 3"),
    ],
)
def test_faulty_reference_stops(line: str, message: str, capfd: pytest.CaptureFixture[str]) -> None:
    text = f"{ASMA}\n{TIPO}"
    places = ("T1 C 3 7", "T2 C 21 25")
    files = [str(sketch(text, *places).brat(Path("gold.txt"))), str(sketch(text, *places, line).brat(Path("s.txt")))]
    assert score("--edition", "2020", *files) == [3, 0]
    printed = capfd.readouterr()
    assert message in printed.err
    assert "UserWarning: " in printed.err
    assert "correct_A: 2" in printed.out
    documents = [sketch(text, *places).document()], [sketch(text, *places, line).document()]
    found = karat.score("ehealthkd2021-main", *documents, edition="2020")
    assert found.value() == 1
    assert any(note.endswith(", left out") for note in found.notes)


@shows("text-column-required")
def test_text_column_required(capfd: pytest.CaptureFixture[str]) -> None:
    files = [str(sketch(ASMA, "T1 C 3 7").brat(Path(f"{side}.txt"))) for side in ("gold", "system")]
    Path("system.ann").write_text("T1\tC 3 7\n")
    assert score("--edition", "2020", *files) == [3, 0]
    printed = capfd.readouterr()
    assert "expected the form 'T1<TAB>LABEL 0 5<TAB>text'" in printed.err
    assert "correct_A: 1" in printed.out


def evaltest(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Return what evaltest of 2020 prints in both profiles."""
    printed = []
    for profile in PROGRAMS:
        words_2020 = ["ehealthkd", "rank", "--edition", "2020", "--mode", "train", *words, "--profile", profile]
        assert run([*words_2020, "--gold", "gold", "--submit", "submissions"]) == 0
        printed.append(capfd.readouterr().out)
    return printed


def submissions_2020(*runs: tuple[str, ...]) -> None:
    """Write the gold of 2020, and runs of one team, each with some scenarios."""
    GOLD.brat(Path("gold/training/scenario.txt"))
    for number, scenarios in enumerate(runs, start=1):
        for scenario in scenarios:
            CAUTIOUS.brat(Path("submissions/team/train") / f"run{number}" / scenario / "scenario.txt")


@shows("all-counts-reported")
def test_all_counts_reported(capfd: pytest.CaptureFixture[str]) -> None:
    submissions_2020(SCENARIOS, SCENARIOS, SCENARIOS)
    for printed in evaltest(capfd, "--plain"):
        third = printed.split("> scenario3 ")[1].partition("---")[0]
        assert re.findall(r"(missing_A|f1) +[=~] (\S+)", third) == [("missing_A", "2"), ("f1", "0.0")]


@shows("incomplete-run-hides-scenario")
def test_incomplete_run_hides_scenario(capfd: pytest.CaptureFixture[str]) -> None:
    submissions_2020(SCENARIOS, SCENARIOS[:1], SCENARIOS)
    printed = evaltest(capfd, "--best", "--compact", "--single", "team")
    found = [re.findall(r"^scenario[12]-f1: (.*)$", one, re.MULTILINE) for one in printed]
    assert found == [["0.5", "0.0"], ["0.5", "0.5"]]


@shows("rounding-without-effect")
def test_rounding_without_effect(capfd: pytest.CaptureFixture[str]) -> None:
    GOLD.brat(Path("gold/development/main/scenario.txt"))
    GOLD.brat(Path("gold/development/transfer/scenario.txt"))
    for number in (1, 2, 3):
        for scenario in (*SCENARIOS, "scenario4-transfer"):
            BOLD.brat(Path("submissions/team/dev") / f"run{number}" / scenario / "scenario.txt")
    for profile, cell in zip(PROGRAMS, ("0.428571", "0.429"), strict=True):
        words = ["--mode", "dev", "--gold", "gold", "--submit", "submissions", "--profile", profile]
        forms = ["--best", "--csv", "--final", "--pretty"]
        assert run(["ehealthkd", "rank", "--edition", "2020", *words, *forms]) == 0
        assert f"| {cell} |" in re.sub(" +", " ", capfd.readouterr().out)


@shows("sentences-by-position")
def test_sentences_by_position() -> None:
    gold = sketch(f"{ASMA}\n{TIPO}", "T1 C 3 7", "T2 C 21 25")
    swapped = sketch(f"{TIPO}\n{ASMA}", "T1 C 3 7", "T2 C 22 26")
    assert entities(gold, swapped, "2019") == [(0, 0, 0, 0, 0), (2, 0, 0, 0, 0), (2, 0, 0, 0, 0)]
    short = sketch(ASMA, "T1 C 3 7")
    assert entities(gold, short, "2019") == [(1, 0, 0, 0, 0), (1, 0, 0, 1, 0), (1, 0, 0, 1, 0)]


@shows("file-order")
def test_file_order() -> None:
    gold, wide = sketch(TIPO, "T1 C 3 7", "T2 C 11 17"), sketch(TIPO, "T1 C 3 17", "T2 C 3 10")
    assert entities(gold, wide, "2019") == [(0, 0, 1, 1, 1), (0, 0, 2, 0, 0), (0, 0, 2, 0, 0)]
    turned = sketch(TIPO, *reversed(wide.lines))
    assert entities(gold, turned, "2019") == [(0, 0, 2, 0, 0)] * 3
    labels = sketch(TIPO, "T2 C 3 7", "T1 D 3 7")
    assert entities(labels, sketch(TIPO, "T1 C 3 7")) == [(1, 0, 0, 1, 0)] * 3
    assert entities(sketch(TIPO, *reversed(labels.lines)), sketch(TIPO, "T1 C 3 7"))[0] == (0, 1, 0, 1, 0)


@shows("zero-stops")
def test_zero_stops(capfd: pytest.CaptureFixture[str]) -> None:
    files = [str(one.tabs(Path(side) / "input_x.txt")) for side, one in (("g", GOLD), ("s", sketch(TIPO)))]
    assert score("--edition", "2019", *files) == [3, 0]
    printed = capfd.readouterr()
    assert "so precision is 0, which the published program cannot print and stops" in printed.err
    assert "recall: 0.0\n" in printed.out
    assert "f1: 0.0" in printed.out
    assert protocol("entities", GOLD, sketch(TIPO), edition="2019") == (0, 0, 0, 3, 0)


def codalab(capfd: pytest.CaptureFixture[str], *, scenarios: int) -> list[dict[str, str]]:
    """Return the scores of a submission without any entity to the server of 2019, in both profiles."""
    for number, folder in enumerate(SCENARIOS, start=1):
        GOLD.tabs(Path("in/ref") / folder / f"input_scenario{number}.txt")
        if number <= scenarios:
            sketch(TIPO).tabs(Path("in/res") / folder / f"input_scenario{number}.txt")
    found = []
    for profile in PROGRAMS:
        assert run(["ehealthkd", "codalab", "in", "out", "--profile", profile]) == 0
        found.append(dict(line.split(":") for line in Path("out/scores.txt").read_text().splitlines()))
    return found


@shows("integer-zero")
def test_integer_zero(capfd: pytest.CaptureFixture[str]) -> None:
    assert [one["a_prec"] for one in codalab(capfd, scenarios=3)] == ["0", "0.0"]


@shows("absent-scenario-scores-zero")
def test_absent_scenario_scores_zero(capfd: pytest.CaptureFixture[str]) -> None:
    assert [one["b_f1"] for one in codalab(capfd, scenarios=2)] == ["0", "0"]
    assert "It appears you did not submit for Scenario 3" in capfd.readouterr().err


def test_no_quirk_is_forgotten() -> None:
    names = [quirk.name for quirk in quirks_of("karat.protocols.ehealthkd")]
    assert list(SHOWN) == names
    page = (Path(__file__).parents[3] / "docs" / "protocols" / "ehealthkd.md").read_text("utf-8").split("## Quirks")[1]
    assert re.findall(r"^\| `([\w-]+)` \| \S.* \| \S.* \|$", page, re.MULTILINE) == names


def test_where_document_and_program_agree() -> None:
    """The example of the task document: a wide span is a partial match of the first word only."""
    gold = sketch("Un tipo, cáncer.", "T1 Concept 3 7", "T2 Concept 9 15")
    assert entities(gold, sketch(gold.text, "T1 Concept 3 15")) == [(0, 0, 1, 1, 0)] * 3
