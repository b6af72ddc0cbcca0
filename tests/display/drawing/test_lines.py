"""Items in the words around them, on a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from karat.display.drawing.lines import context_of, entry_lines, line_of
from karat.display.drawing.marks import CASES, mark_of
from karat.evaluation.ledger import Entry, Item
from karat.io.terminal import Screen, width

TEXT = "From Zürich, 20 January. General Anton Vogelsang left for Bern. The Bank of Bern paid his debts."
GOLD = Item("PERS", "Anton Vogelsang", (7, 9), place="gold.tsv:13", ends=(((33, 48),),))
SYSTEM = Item("PERS", "General Anton Vogelsang", (6, 9), place="system.tsv:12", ends=(((25, 48),),))
ENTRY = Entry(
    "d", "", "PERS", "wrong-boundary", {"strict": "incorrect", "fuzzy": "correct"}, "tokens 6-9 for 7-9", GOLD, SYSTEM
)
REGIMES = ["strict", "fuzzy"]


def test_gold_and_system_stand_below_their_words() -> None:
    head, text, gold, system, reason = entry_lines(ENTRY, TEXT, Screen(80), REGIMES)
    assert head == " b  wrong-boundary  strict ✕ incorrect   fuzzy ✓ correct"
    assert text.index("Anton Vogelsang") == gold.index("▔")
    assert gold.count("▔") == len("Anton Vogelsang")
    assert (text.index("General"), text.index(" left") - 1) == (system.index("├"), system.index("┤"))
    assert gold.endswith(" PERS")
    assert reason.endswith("gold.tsv:13")
    assert width(reason) == 80


def test_what_is_right_has_one_line_and_no_reason() -> None:
    entry = Entry("d", "", "PERS", "exact", {"strict": "correct"}, "the same", GOLD, GOLD)
    lines = list(entry_lines(entry, TEXT, Screen(80), REGIMES))
    assert [line.split()[0] for line in lines] == ["e", "text", "both"]


def test_without_a_text_the_words_of_the_items_stand_alone() -> None:
    lines = list(entry_lines(ENTRY, "", Screen(80), REGIMES))
    assert lines[1:3] == ["    gold    Anton Vogelsang PERS", "    system  General Anton Vogelsang PERS"]


def test_text_from_right_to_left_is_not_marked_where_nobody_knows_the_columns() -> None:
    text = "وصل محمد إلى القاهرة"
    item = Item("PER", "محمد", (1, 2), ends=(((4, 8),),))
    entry = Entry("d", "", "PER", "missed", {"strict": "missed"}, "not found", item)
    assert "    gold    محمد PER" in list(entry_lines(entry, text, Screen(80), REGIMES))


@pytest.mark.parametrize("columns", [80, 120, 200])
def test_no_line_is_wider_than_the_screen(columns: int) -> None:
    words = " ".join(f"word{number}" for number in range(400))
    ends = (((words.index("word7"), words.index("word9")),), ((words.index("word300"), words.index("word302")),))
    far = Item("a_long_label_of_a_relation", "word7 word8 → word300 word301", (7, 302), ends=ends, place="x" * 60)
    regimes = [f"regime-{number}" for number in range(9)]
    verdicts = dict.fromkeys(regimes[:5], "incorrect") | dict.fromkeys(regimes[5:], "partial")
    long = Item("X", words, (0, 400), ends=(((0, len(words)),),))
    for item in (far, long):
        entry = Entry("d", "", "", "wrong-head", verdicts, words[:300], item, item)  # type: ignore[arg-type]
        lines = list(entry_lines(entry, words, Screen(columns), regimes))
        assert max(map(width, lines)) <= columns


def test_ascii_where_nothing_else_is_shown() -> None:
    lines = list(entry_lines(ENTRY, TEXT, Screen(80, plain=True), REGIMES))
    assert "|---------------------|" in lines[3]
    assert all(line.replace("ü", "u").isascii() for line in lines)


def test_colours_take_no_columns() -> None:
    plain, toned = (list(entry_lines(ENTRY, TEXT, Screen(80, coloured), REGIMES)) for coloured in (False, True))
    assert plain != toned
    assert list(map(width, plain)) == list(map(width, toned))


@pytest.mark.parametrize(
    ("text", "span", "columns"),
    [
        ("东京都知事小池百合子は、京都市で演説した。", (5, 10), (10, 20)),
        ("Die 👩\u200d🔬 Zoé kam", (8, 11), (7, 10)),
        ("Zu\u0308rich und Bern", (12, 16), (11, 15)),
        ("a\tb\nBern", (4, 8), (4, 8)),
        ("\u1112\u1161\u11ab Bern", (4, 8), (3, 7)),
    ],
)
def test_wide_and_combining_characters(text: str, span: tuple[int, int], columns: tuple[int, int]) -> None:
    assert context_of(text, [span], 60).reach(span) == columns


def test_control_characters_are_seen_and_measured() -> None:
    context = context_of("x\x1b[2J Bern", [(6, 10)], 60)
    assert context.line == "x\\x1b[2J Bern"
    assert context.reach((6, 10)) == (9, 13)


def test_the_page_draws_the_same_marks() -> None:
    """The script of the report has the same table, so that a verdict looks the same everywhere."""
    source = Path(mark_of.__code__.co_filename).parents[1] / "drawing" / "reader" / "static" / "marks.js"
    table = source.read_text("utf-8").partition("const LINES = {")[2].partition("};")[0]
    found = re.findall(r'"?([a-z-]+)"?: \["([a-z ]+)", "([a-z]+)"\]', table)
    assert {case: (line, letter) for case, line, letter in found} == CASES


def test_short_lines_are_lines_too() -> None:
    assert [line_of(kind, 1) for kind in ("ticks", "double ticks", "dashdot")] == ["─", "═", "─"]
