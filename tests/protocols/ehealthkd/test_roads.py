"""The protocols and the programs give the same numbers: on drawn texts, and corrected on all files of the pack.

The pack itself, as published, goes down both roads in ``tests/conformance/test_ehealthkd.py``.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance import packs
from tests.protocols.ehealthkd.files import Sketch, sketch
from tests.protocols.ehealthkd.roads import Judged, compare

import karat
from karat.cli import run
from karat.errors import InputError
from karat.evaluation import cache
from karat.protocols.ehealthkd.drop_in.evaluation import evaluate_files
from karat.protocols.ehealthkd.rules import Rules

SKIPPED = ({}, {"skip_b": True}, {"skip_a": True})
"""What the protocols leave out of the numbers of the programs."""


def both_roads(gold: Path, system: Path, rules: Rules) -> bool:
    """Compare the program with all three protocols, and say whether it gives a number at all."""
    try:
        evaluation = evaluate_files(gold, system, rules)
    except InputError:
        return False
    for skipped in SKIPPED:
        metrics = evaluation.metrics(**skipped)
        compare(Judged(evaluation, skipped.get("skip_a", False), skipped.get("skip_b", False), metrics))
    return True


def pairs() -> dict[str, tuple[str, str, Rules]]:
    """Return every pair of text files of the pack with its edition and switches, corrected."""
    found = {}
    for case in packs.manifest("ehealthkd"):
        words = [word for word in case["args"] if not word.startswith("--")]
        if case["program"] == "score" and case["edition"] == "2021":
            texts = [name for name in case["inputs"] if name.endswith(".txt")]
            named = [
                (gold, system, [])
                for gold in texts
                for system in texts
                if gold.startswith("gold/") and system.startswith("submit/") and gold.split("/")[1] in system
            ]
        elif case["program"] in ("score", "api"):
            named = [(words[0], words[1], words[2:])]
        else:
            continue
        for gold, system, switches in named:
            values = {name: value == "1" for name, value in (switch.split("=") for switch in switches)}
            root = case["cwd"]
            key = ":".join([root, system, case["edition"], *switches])
            found[key] = (
                f"{root}/{gold}",
                f"{root}/{system}",
                Rules(edition=case["edition"], corrected=True, **values),
            )
    return found


PAIRS = pairs()
REFUSED = [
    *("event_unknown", "same_none", "attr_value", "attr_unknown", "blank_ann", "unknown_line", "t_notab"),
    *("t_id_text", "bom_ann", "y19_three_cols", "y19_blank_line_a", "lay_scn2_bad_rel"),
]
"""Folders with files that no profile of the programs reads."""


@pytest.mark.parametrize("name", PAIRS)
def test_corrected(name: str) -> None:
    gold, system, rules = PAIRS[name]
    pack = packs.synthetic("ehealthkd")
    assert both_roads(pack / gold, pack / system, rules) == (name.split(":")[0] not in REFUSED)


TEXT = "El asma afecta mucho.\nUn tipo de cáncer.\nEl asma afecta mucho.\nLa tos seca."
SHAPES = (TEXT, f"\n{TEXT}\n", TEXT.replace("\n", "\n\n  "), TEXT.partition("\n")[2], TEXT.replace("Un", "un"))
_WORDS = [(word.start(), word.end()) for word in re.finditer(r"\w+", TEXT)]


@st.composite
def sketches(draw: st.DrawFn) -> Sketch:
    """Draw a text and annotations: mentions of one to three words, wherever they fall, and relations between them."""
    lines = []
    for number in range(1, draw(st.integers(0, 9)) + 1):
        first = draw(st.integers(0, len(_WORDS) - 1))
        last = min(len(_WORDS) - 1, first + draw(st.integers(0, 2)))
        spans = f"{_WORDS[first][0]} {_WORDS[last][1]}"
        if draw(st.booleans()) and last > first:
            spans = f"{_WORDS[first][0]} {_WORDS[first][1]};{_WORDS[last][0]} {_WORDS[last][1]}"
        lines.append(f"T{number} {draw(st.sampled_from(['Concept', 'Action']))} {spans}")
    ids = [line.split()[0] for line in lines]
    for number in range(draw(st.integers(0, 6)) if ids else 0):
        ends = f"{draw(st.sampled_from(ids))} {draw(st.sampled_from([*ids, 'T99']))}"
        kind = draw(st.sampled_from([f"R{number}", "*"]))
        lines.append(f"{kind} {draw(st.sampled_from(['is', 'causes', 'same-as']))} {ends}")
    return Sketch(draw(st.sampled_from(SHAPES)), tuple(lines))


@given(
    gold=sketches(),
    system=sketches(),
    rules=st.builds(
        Rules,
        edition=st.sampled_from(["2019", "2020", "2021"]),
        corrected=st.booleans(),
        skip_incorrect=st.booleans(),
        skip_same_as=st.booleans(),
        propagate_error=st.booleans(),
        documented=st.just(False),
    ),
)
def test_drawn_texts(gold: Sketch, system: Sketch, rules: Rules) -> None:
    write = Sketch.tabs if rules.edition == "2019" else Sketch.brat
    with tempfile.TemporaryDirectory() as folder:
        files = [write(side, Path(folder, name, "input_x.txt")) for side, name in ((gold, "gold"), (system, "system"))]
        both_roads(*files, rules)


def test_notes_do_not_count_whatever_their_form(tmp_path: Path) -> None:
    text = sketch("El asma afecta.", "T1 Concept 3 7", "T2 Action 8 14")
    files = [text.brat(tmp_path / name / "d.txt") for name in ("gold", "system")]
    for file in files:
        with file.with_suffix(".ann").open("a", encoding="utf-8") as stream:
            stream.write("#\n# remark\n#1\tAnnotatorNotes T9\tx\n#2\tAnnotatorNotes T1\tx\n")
    assert both_roads(*files, Rules())


def official(folder: Path, gold: Sketch, system: Sketch) -> tuple[Path, Path]:
    """Write the folders of the challenge: the gold stands beside what systems were given."""
    for side, content in (("gold", gold), ("submit/run1", system)):
        content.brat(folder / side / "scenario1-main" / "output.txt")
    Sketch(gold.text, ()).brat(folder / "gold" / "scenario1-main" / "input.txt")
    return folder / "gold", folder / "submit"


@pytest.mark.parametrize("profile", ["published", "corrected"])
@pytest.mark.parametrize(
    "lines",
    [("T1 Concept 3 7", "T2 Concept 8 8"), ("T1 Concept 3 7;7 7",), ("T1 Concept 3 99999999999999999999",)],
    ids=["an empty entity", "an empty fragment", "an end of twenty digits"],
)
def test_official_folders(
    lines: tuple[str, ...], profile: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folders = official(tmp_path, sketch("El asma afecta.", *lines), sketch("El asma afecta.", "T1 Concept 3 7"))
    words = ["--gold", str(folders[0]), "--submit", str(folders[1]), "--scenarios", "1", "--profile", profile]
    assert run(["ehealthkd", "score", *words]) == 0
    out, err = capfd.readouterr()
    printed = dict(line.split(": ") for line in out.splitlines() if line.count(": ") == 1)
    sides = [folder / "scenario1-main" for folder in (folders[0], folders[1] / "run1")]
    scores = karat.score("ehealthkd2021-main", *sides, profile=profile)
    (f1,) = [row for row in scores if row.measure == "f1"]
    for case in ("correct", "partial", "spurious", "missed"):
        assert f1.counts[case] == int(printed[f"{'missing' if case == 'missed' else case}_A"])
    assert ("UserWarning: Entity 1 ends behind the text" in err) == (profile == "corrected" and "999" in lines[0])
    assert f"repairs while reading {folders[0]}" in scores.notes[0]


def test_an_end_of_twenty_digits_is_held_for_a_second_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "FEW_HELD", -1)
    text = sketch("El asma.", f"T1 Concept 3 {10**20}")
    gold, submission = official(tmp_path, text, text)
    sides = gold / "scenario1-main", submission / "run1" / "scenario1-main"
    assert karat.score("ehealthkd2021-main", *sides).value() == 1
