"""Spans as regular expressions: the same answers as a backtracking engine, without its worst cases."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.work import growth

from karat.cli import run
from karat.errors import InputError
from karat.protocols.newsreader.drop_in import patterns
from karat.protocols.newsreader.drop_in.evaluation import PublishedEvaluation
from karat.protocols.newsreader.drop_in.pattern_search import GoldSpans, Texts
from karat.protocols.newsreader.drop_in.patterns import Pattern
from karat.protocols.newsreader.drop_in.runs import SPECIAL, RunIndex, StepsLeft
from karat.protocols.newsreader.judge import TokenLink

PLAIN = ["1", "2", "-", ".", "+", "*", "?", "|", "(", ")", "[12]", "[^1]", "^", "$", r"\.", "a"]
MORE = [
    r"\d",
    r"\W",
    r"\b",
    r"\B",
    "1{2}",
    "[1-]{1,2}",
    "1++",
    r"\d?+",
    ".{1,2}+",
    "a{0,1}?",
    "(?i:A)",
    "(?:1)",
    r"[\d-]",
]
PIECES = st.sampled_from(PLAIN + MORE)
SPANS = st.lists(st.integers(1, 4).map(str), min_size=1, max_size=4).map("-".join)


@given(st.lists(PIECES, max_size=6).map("".join), st.text("12-a.", max_size=6))
def test_as_python_finds_it(span: str, text: str) -> None:
    assume(text or r"\B" not in span)  # which Perl finds in an empty text
    try:
        pattern = Pattern(span)
    except InputError:
        return
    try:
        expected = re.compile(rf"(^|\-){span}($|\-)")
    except re.error:
        assume(False)  # Python knows fewer quantifiers of empty groups than Perl
    assert pattern.found_in(text) == (expected.search(text) is not None)


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        ("(1", "an opening parenthesis has no closing one"),
        ("1)", "a closing parenthesis has no opening one"),
        ("[1", "an opening bracket has no closing one"),
        ("1|*", "a quantifier follows nothing"),
        ("1*?+", "a quantifier follows another"),
        ("[2-1]", "a range of characters is reversed"),
        ("1{2}{3}", "a quantifier follows another"),
        ("1{65535}", "a count is higher than 65,534"),
        (r"\d{a", "a brace that counts nothing follows an escape"),
        ("1\\", "a closing parenthesis has no opening one"),
        (r"\1", r"does not follow escapes such as \1"),
        (r"\p{L}", r"does not follow escapes such as \p"),
        ("(1|2)++", "does not follow possessive quantifiers of groups"),
        ("(?=1)", "does not follow extended groups but those of the flags i, m, n and s"),
        ("(?x) 1", "does not follow extended groups but those of the flags i, m, n and s"),
        ("(?i)ss", "does not follow a double or sharp s in either case"),
        (r"\b{wb}", "does not follow escapes with braces"),
        ("1{01}", "does not follow counts that begin with 0"),
        ("1{2,1}?", "does not follow more behind a quantifier that cannot be met"),
        ("(1{1000}){1000}", "does not follow repetitions of so many parts"),
        ("[[:alpha:]]", "does not follow named classes"),
        ("(" * 60 + ")" * 60, "does not follow more than 50 parentheses inside of each other"),
        ("." * 2000, "does not follow patterns of more than 1,000 characters"),
    ],
)
def test_what_is_no_pattern_is_refused(span: str, reason: str) -> None:
    with pytest.raises(InputError, match=re.escape(reason)):
        Pattern(span)


def test_a_pattern_that_is_not_followed_is_still_called_one() -> None:
    with pytest.raises(InputError) as refused:
        Pattern(r"\1+")
    assert "is no pattern" not in refused.value.message
    assert refused.value.message == (
        r"the published program takes the span '\\1+' for a pattern, and Karat does not follow escapes such as \1"
        "; choose --profile corrected"
    )


@pytest.mark.parametrize(
    ("span", "found", "not_found"),
    [
        (r"\d", ["1", "x-7"], ["a", "11", "\xb2"]),
        (r"\w+", ["\xe9\xc9", "_"], ["a b", "\xd7"]),
        (r"\s|\h\v", [" ", "\xa0\x85"], ["1"]),
        (r"\D\W\S", ["a-b"], ["1-b", "ab "]),
        (r"\b1\b", ["1"], ["11"]),
        (r"1\B2", ["12"], ["1-2"]),
        (r"\A1", ["1-2"], ["2-1"]),
        (r"1\z", ["2-1"], ["1-2"]),
        (r"\x31\x{32}\063", ["123"], ["12"]),
        (r"\x{131}", [], ["1", "\x31"]),
        (r"\Q1\E", ["Q1E"], ["1"]),
        (r"[\d-x]", ["-", "x", "5"], ["y"]),
        (r"[^\w]", ["!"], ["a"]),
        (r"[\b]", ["\b"], ["b"]),
        ("1{2}", ["11"], ["1", "111"]),
        ("1{1,2}?", ["1", "11"], ["111"]),
        ("1{,2}", ["", "1"], ["111"]),
        ("1{ 2 , }", ["11", "111"], ["1"]),
        ("1{2,1}", [], ["1", "11", ""]),
        ("1|{2}", ["1", "x{2}"], ["2", "22"]),
        ("1++1", [], ["1", "11", "111"]),
        ("1?+1", ["11"], ["1"]),
        ("1{1,2}+1", ["111"], ["1", "11"]),
        (r"\d++-2", ["1-2"], ["1-3"]),
        (r"1*+2", ["112", "2"], ["1"]),
        ("(?i)A\xe9", ["a\xc9", "A\xe9"], ["b"]),
        ("(?i:A)b", ["ab"], ["aB"]),
        ("((?i)a)B", ["AB"], ["ab"]),
        ("x|(?i)y|Z", ["z"], ["X1"]),
        ("(?i)[^a]", ["b"], ["A"]),
        ("(?i-i)a", ["a"], ["A"]),
        ("(?:1|2)3", ["13"], ["3"]),
    ],
)
def test_escapes_counts_and_flags(span: str, found: list[str], not_found: list[str]) -> None:
    """What Perl 5.36 answers in the locale C.UTF-8."""
    assert [one for one in [*found, *not_found] if Pattern(span).found_in(one)] == found


def test_a_system_line_with_an_escape_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.tsv").write_text("d\t1\tA\n")
    Path("s.tsv").write_text("d\t1\tA\nd\t\\d\tA\nd\t1{1}\tA\n")
    assert run(["newsreader", "evaluate", "g.tsv", "s.tsv", "r.tsv"]) == 0
    assert capfd.readouterr().out.splitlines()[:4] == ["SYSTEM\t3", "GOLD\t1", "TP\t1", "FUZZY\t3"]


def test_a_brace_that_counts_nothing_is_a_brace() -> None:
    assert Pattern("1{a").found_in("1{a")


@pytest.mark.parametrize(
    ("span", "text"),
    [("(1*)*(1*)*(1|1)*x", "1" * 2000), (r"((1?){40}1{40}){2}\d{1,300}+x", "1" * 1000)],
)
def test_a_pattern_looks_at_each_of_its_states_once_at_a_place(
    span: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backtracking engine would take ages."""
    steps = 0
    holds = patterns._State.holds

    def counted(state: patterns._State, before: str, behind: str) -> bool:
        nonlocal steps
        steps += 1
        return holds(state, before, behind)

    monkeypatch.setattr(patterns._State, "holds", counted)
    pattern = Pattern(span)
    assert not pattern.found_in(text)
    assert steps <= len(pattern._states) * (len(text) + 1)


@given(st.lists(SPANS, max_size=8), SPANS)
def test_runs_are_found_as_patterns_find_them(spans: list[str], span: str) -> None:
    def found(part: str, whole: str) -> bool:
        return re.search(rf"(^|-){re.escape(part)}($|-)", whole) is not None

    numbers = {span: number for number, span in enumerate(spans)}
    expected = [one for one in numbers if found(span, one) or found(one, span)]
    assert RunIndex(numbers).matching(span) == [numbers[one] for one in expected]
    assert RunIndex(numbers).parts_of(span) == [numbers[one] for one in numbers if found(one, span)]


ODD = SPANS | st.sampled_from(["1.2", ".", "2+", "(1|2)-3", "1|2", r"\b2", "1-2" * 30, ".*1", "*", "?1"])


@given(st.lists(ODD, max_size=8), st.lists(ODD, min_size=1, max_size=4))
def test_plain_and_odd_spans_together(golds: list[str], systems: list[str]) -> None:
    def found(part: str, whole: str) -> bool:
        return re.search(rf"(^|\-){part}($|\-)", whole) is not None

    lines = {gold: line for line, gold in enumerate(golds)}
    for span, met in zip(systems, GoldSpans(lines, systems, StepsLeft()).met(), strict=True):
        assert met == [lines[gold] for gold in lines if found(span, gold) or found(gold, span)]


@given(st.lists(PIECES, max_size=5).map("".join), st.lists(st.text("12-a.", max_size=6), max_size=5))
def test_patterns_are_found_in_many_spans_as_in_each(span: str, texts: list[str]) -> None:
    try:
        pattern = Pattern(span)
    except InputError:
        return
    assert Texts(texts).holding(pattern) == {place for place, text in enumerate(texts) if pattern.found_in(text)}


def test_a_refused_gold_pattern_stops_only_lines_that_it_is_needed_for() -> None:
    spans = GoldSpans({"(1": 0, "2": 1}, [".*", "2"], StepsLeft()).met()
    assert next(spans) == [0, 1]
    with pytest.raises(InputError, match="an opening parenthesis has no closing one"):
        next(spans)


@pytest.mark.parametrize(("gold", "system"), [("-", "."), (".", "-"), (".", ".")])
def test_spans_with_dots_take_work_that_grows_as_they_do(gold: str, system: str) -> None:
    def work(size: int) -> Callable[[], object]:
        sides = ([f"{place}{sign}{place + 1}" for place in range(100, 100 + size)] for sign in (gold, system))
        golds, systems = sides
        spans = GoldSpans({span: line for line, span in enumerate(golds)}, systems, StepsLeft())
        return lambda: list(spans.met())

    assert growth(work, 200) < 2.3


def test_patterns_that_take_too_many_steps_are_refused_unless_more_are_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.tsv").write_text(f"d\t{'1' * 100}x\tA\n")
    Path("s.tsv").write_text(f"d\t{'1' * 100}x\tA\nd\t(1?){{99}}x\tA\n")
    words = ["newsreader", "evaluate", "g.tsv", "s.tsv", "r.tsv"]
    assert run([*words, "--pattern-steps", "1000"]) == 3
    assert "takes more than 1,000 steps; allow more with --pattern-steps, or" in capfd.readouterr().err
    assert not Path("r.tsv").exists()
    assert run(words) == 0


def test_plain_spans_have_no_special_character() -> None:
    assert not SPECIAL.search("t1-w2_é #3")


def test_plain_spans_that_share_a_token_take_counted_steps() -> None:
    lines = [("d", TokenLink(f"1-{number}", "Q1")) for number in range(2, 500)]
    evaluation = PublishedEvaluation(lines, lines, StepsLeft(10_000))
    with pytest.raises(InputError, match=r"10,000 steps.*--pattern-steps"):
        evaluation.run()
    PublishedEvaluation(lines, lines).run()
