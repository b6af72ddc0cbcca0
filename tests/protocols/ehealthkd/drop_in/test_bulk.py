"""Large texts that are only counted: as often as each case occurs where every item is judged."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.ehealthkd.drop_in.test_reading import FORMS, USUAL

from karat.formats.brat.arrays import read_arrays
from karat.protocols.ehealthkd.drop_in import reading
from karat.protocols.ehealthkd.drop_in.evaluation import evaluate_files
from karat.protocols.ehealthkd.rules import Rules

TEXT = "Un tipo de cáncer.\nEl asma que afecta.\nOtra vez el tipo de asma.\n\nNada más."


def files(folder: Path, gold: str, system: str, text: str = TEXT) -> list[Path]:
    """Write both sides."""
    paths = [folder / side / "output.txt" for side in ("gold", "system")]
    for path, annotations in zip(paths, (gold, system), strict=True):
        path.parent.mkdir()
        path.write_text(text, "utf-8")
        path.with_suffix(".ann").write_text(annotations, "utf-8", newline="")
    return paths


@pytest.fixture
def _counted_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGE", 0)


@st.composite
def annotations(draw: st.DrawFn) -> str:
    """Draw lines, most of them of the usual form: entities apart, then anything."""
    starts = draw(st.lists(st.integers(0, 60), unique=True, min_size=1, max_size=7))
    widths = draw(st.lists(st.sampled_from([1, 3, 4, 9]), min_size=len(starts), max_size=len(starts)))
    lines = [
        f"T{number}\t{draw(st.sampled_from('AB'))} {start} {start + width}\tx"
        for number, (start, width) in enumerate(zip(starts, widths, strict=True))
    ]
    ends = st.integers(0, len(lines) - 1)
    for number in range(draw(st.integers(0, 8))):
        label, chained = draw(st.sampled_from(["is", "same-as", "same-as"])), draw(st.booleans())
        one, two = draw(ends), draw(ends)
        lines.append(f"*\t{label} T{one} T{two}" if chained else f"R{number}\t{label} Arg1:T{one} Arg2:T{two}")
    for number in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        numbers = draw(st.lists(st.integers(0, 29), min_size=4, max_size=4))
        lines.append(draw(st.sampled_from(FORMS + USUAL * 3)).format(20 + number, *numbers))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))


@pytest.mark.usefixtures("_counted_whatever_the_size")
@settings(deadline=None, max_examples=60)
@given(annotations(), annotations(), st.sampled_from(["2020", "2021"]), st.booleans())
def test_totals_are_those_of_the_items(gold: str, system: str, edition: str, one_sentence: bool) -> None:
    rules = Rules(edition)
    text = TEXT.replace("\n", " ") if one_sentence else TEXT
    with tempfile.TemporaryDirectory() as folder:
        paths = files(Path(folder), gold, system, text)
        if reading.counted(*paths, rules, {}) is None:
            return
        found, judged = (evaluate_files(*paths, rules, listed=listed) for listed in (False, True))
    assert found.totals == judged.totals
    assert found.warnings == judged.warnings == []


ASTHMA = "T3\tA 22 26\tx\nT4\tA 31 37\tx\n"
GOLD = f"T1\tA 3 7\tx\nT2\tB 11 17\tx\n{ASTHMA}A1\tNegated T3\n*\tsame-as T3 T4\nR1\tis Arg1:T1 Arg2:T2\n"
SYSTEM = f"T7\tA 3 10\tx\nT8\tA 11 17\tx\n{ASTHMA}T5\tA 27 30\tx\nT6\tA 60 63\tx\nR1\tsame-as Arg1:T4 Arg2:T3\n"


@pytest.mark.usefixtures("_counted_whatever_the_size")
def test_files_of_the_usual_form_are_counted(tmp_path: Path) -> None:
    totals = reading.counted(*files(tmp_path, GOLD, SYSTEM), Rules(), {})
    assert totals is not None
    entities, relations = totals
    assert entities == {"correct": 2, "incorrect": 1, "partial": 1, "spurious": 1, "missed": 0}
    assert relations == {"correct": 1, "spurious": 0, "missed": 1}


UNUSUAL = [
    *("T9\tA 3 7\tx", "T1\tA 40 45\tx", "T9\tA 9 4\tx", "T9\tA 4\tx", "T9\tA 999 1000\tx", "T9\tA 22 26;3 7\tx y"),
    *("T9\tA 4 123456789\tx", f"T9\t{'A' * 17} 3 6\tx", "T9\tá 3 6\tx", "T99999\tA 3 6\tx", "T9\tA\v 3 6\tx"),
    *("R1\tis Arg1:T1 Arg2:T3", "R1\tis Arg1:T1 Arg2:T77", "R1\tis Arg2:T1 Arg1:T2", "Rx\tis Arg1:T1 Arg2:T2"),
    *("*1\tis T1 T2", "A1\tNegated T77", "A1\tNegated T1 x", "E1\tA:T1", "#1\tnote", ""),
]


@pytest.mark.parametrize("line", UNUSUAL)
@pytest.mark.usefixtures("_counted_whatever_the_size")
def test_what_is_unusual_is_left_to_who_judges_the_items(tmp_path: Path, line: str) -> None:
    assert reading.counted(*files(tmp_path, f"{GOLD}{line}\n", SYSTEM), Rules(), {}) is None


def test_small_files_other_texts_and_other_rules_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = files(tmp_path, GOLD, SYSTEM)
    assert reading.counted(*paths, Rules(), {}) is None
    monkeypatch.setattr(reading, "LARGE", 0)
    assert reading.counted(*paths, Rules("2019"), {}) is None
    assert reading.counted(*paths, Rules(corrected=True), {}) is None
    paths[1].write_text(f"{TEXT} Y más.", "utf-8")
    assert reading.counted(*paths, Rules(), {}) is None


def test_blocks_of_a_file_follow_each_other() -> None:
    whole = read_arrays([GOLD.encode()])
    cut = GOLD.index("T3")
    apart = read_arrays([GOLD[:cut].encode(), GOLD[cut:].encode()])
    assert [column.tolist() for kind in whole for column in kind] == [
        column.tolist() for kind in apart for column in kind
    ]
