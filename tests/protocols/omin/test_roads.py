"""The programs and ``karat score`` on the same files: two roads to the same numbers, whatever the files hold."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.protocols.omin import plain
from tests.protocols.omin.files import put

from karat.analysis.summary import evaluate
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.registry import configure
from karat.evaluation.scores import Scores
from karat.protocols.omin.drop_in.tables import two_digits

A, B, C = (letter + "0" * 14 for letter in "ABC")
MEASURES = ("precision", "recall", "f1")
TYPED = ("strict", "exact", "partial", "type")
UNTYPED = ("partial", "exact")
many_examples = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table(header: str, rows: Iterable[Sequence[object]]) -> str:
    """Return a CSV file; ``None`` is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header.split(","))
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return text.getvalue()


def printed(*words: str) -> list[str] | None:
    """Return what a program prints, line by line, or nothing if it stops with a sentence."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run(["omin", *words, "-g", "g.csv", "-d", "t/r.csv"])
    assert status in (0, 3), err.getvalue()
    return out.getvalue().splitlines() if status == 0 else None


def cells(lines: Sequence[str]) -> list[str]:
    return [cell.strip() for cell in lines[-1].split("|")[2:-1]]


def scored(name: str, reading: dict[str, str], **options: str) -> Scores:
    """Return the scores of the files, undefined ratios as 0."""
    bound = configure(name, options)
    sides = load(bound, ["g.csv", "t/r.csv"], [Reading("omin", reading)] * 2)
    return evaluate(bound, *sides, zero="zero")


@contextmanager
def both_stop(program: object) -> Iterator[None]:
    """Expect that scoring stops if the program does, and only then."""
    if program is None:
        with pytest.raises(InputError):
            yield
    else:
        yield


# --- entities ---------------------------------------------------------------------------------------------------------

words = st.sampled_from(["engine", "left", "pilot", "wing", "'s", "/.", "/?", ",", "(", ")"])
documents = st.fixed_dictionaries({A: st.lists(words, max_size=8), B: st.lists(words, max_size=5)})
WRITTEN = {"/.": ".", "/?": "?"}


def phrase_in(tokens: Sequence[str]) -> st.SearchStrategy[str | None]:
    """Draw a phrase: some tokens as people write them, or with other words, in any capitals."""
    places = st.tuples(st.integers(0, max(len(tokens) - 1, 0)), st.integers(1, 3))
    taken = places.map(lambda place: " ".join(tokens[place[0] : place[0] + place[1]]))
    glued = taken.map(lambda text: text.replace(" 's", "'s").replace(" /.", ".").replace(" ,", ","))
    texts = (taken | glued | st.lists(words, min_size=1, max_size=2).map(" ".join)).filter(str.strip)
    capitals = texts.flatmap(lambda text: st.sampled_from([text.upper(), text.upper(), text.upper(), text.title()]))
    return capitals | capitals | capitals | st.sampled_from([None, "NA", "  "])


def rows_of(tokens: dict[str, list[str]], labels: st.SearchStrategy[Any], ids: Sequence[str]) -> st.SearchStrategy[Any]:
    row = st.sampled_from(ids).flatmap(
        lambda name: st.tuples(
            st.just(name),
            st.sampled_from(["T", "T", "T", "T", None]),
            phrase_in(tokens.get(name, ["engine"])),
            labels,
        )
    )
    return st.lists(row, max_size=6)


labels = st.sampled_from(["PER", "ORG", "LOC", "MISC", "PERSON", "GPE", None])


@st.composite
def entity_files(draw: st.DrawFn) -> tuple[dict[str, list[str]], list[Any], list[Any]]:
    tokens = draw(documents)
    gold = draw(rows_of(tokens, labels, (A, B)).filter(bool))
    return tokens, gold, draw(rows_of(tokens, labels, (A, B, C)))


def write_tokens(tokens: dict[str, list[str]]) -> None:
    blocks = []
    for name, forms in tokens.items():
        rows = (f"faa/0_{name} 0 {place} {form} - *" for place, form in enumerate(forms))
        blocks.append("\n".join([f"#begin document (faa/0_{name}); part 000", *rows, "#end document", ""]))
    put("tok.conll", "".join(blocks))


FOUND_BY_REVIEW = (
    {A: ["engine", "left", "pilot", "left"], B: []},
    [(A, "T", "ENGINE LEFT", "LOC"), (A, "T", "LEFT PILOT", "PER")],
    [(A, "T", "Left", "MISC"), (A, "T", "ENGINE LEFT PILOT", "LOC")],
)
TAKES_NO_PLACE = (
    {A: ["engine", "engine"], B: []},
    [(A, None, "ENGINE", "PER"), (A, "T", "ENGINE", "PER")],
    [(A, "T", "ENGINE", "PER")],
)
"""A gold row that vanishes does not use up the first of two places."""


@many_examples
@example(files=FOUND_BY_REVIEW, types="conll03", untyped=False, profile="head")
@given(
    files=entity_files(),
    types=st.sampled_from(["conll03", "ontonotes", "ace05", "ace05_nltk", "scierc"]),
    untyped=st.booleans(),
    profile=st.sampled_from(["head", "corrected"]),
)
def test_entities_as_spans(files: Any, types: str, untyped: bool, profile: str) -> None:
    tokens, gold, results = files
    untyped = untyped or types == "scierc"
    write_tokens(tokens)
    header = "id,sample,entities" if untyped else "id,sample,entities,labels"
    put("g.csv", table(header, [row[: 3 if untyped else 4] for row in gold]))
    put("t/r.csv", table("c5_id,c119_input,entities,labels", results))
    flags = ["--untyped"] if untyped else []
    lines = printed("ner", "-t", types, *flags, "--tokens", "tok.conll", "--profile", profile)
    name = "published" if profile == "head" else profile
    with both_stop(lines):
        typing = "untyped" if untyped else "typed"
        scores = scored("omin-head-ner", {"tokens": "tok.conll"}, profile=name, types=types, typing=typing)
        assert lines is not None
        regimes = UNTYPED if untyped else TYPED
        values = [scores.value(measure, regime=regime) for regime in regimes for measure in MEASURES]
        assert [cell.replace("--", "0.0") for cell in cells(lines)] == [two_digits(value) for value in values]


@many_examples
@example(files=FOUND_BY_REVIEW, types="conll03", untyped=False)
@example(files=TAKES_NO_PLACE, types="conll03", untyped=False)
@given(files=entity_files(), types=st.sampled_from(["conll03", "ontonotes", "ace05"]), untyped=st.booleans())
def test_entities_as_spans_are_judged_as_in_the_description(files: Any, types: str, untyped: bool) -> None:
    """Both roads lead through one engine, so a third one shows that it leads to the program."""
    tokens, gold, results = files
    write_tokens(tokens)
    gold = [row[: 3 if untyped else 4] for row in gold]
    put("g.csv", table("id,sample,entities" if untyped else "id,sample,entities,labels", gold))
    put("t/r.csv", table("c5_id,c119_input,entities,labels", results))
    try:
        expected = plain.counted(tokens, gold, results, types, untyped=untyped)
    except plain.StopsError:
        expected = None
    with both_stop(expected):
        typing = "untyped" if untyped else "typed"
        scores = scored("omin-head-ner", {"tokens": "tok.conll"}, types=types, typing=typing)
        assert expected is not None
        for regime, counts in expected.items():
            numbers = plain.precision_and_recall(counts)
            assert tuple(scores.value(measure, regime=regime) for measure in MEASURES[:2]) == numbers


@many_examples
@given(files=entity_files(), profile=st.sampled_from(["seed", "corrected"]))
def test_entities_as_texts(files: Any, profile: str) -> None:
    _, gold, results = files
    put("g.csv", table("id,sample,entities", [row[:3] for row in gold]))
    put("t/r.csv", table("c5_id,c119_input,entities", [row[:3] for row in results]))
    by_regime = {
        "strict": printed("ner", "--profile", profile, "-s"),
        "non-strict": printed("ner", "--profile", profile),
    }
    name = "published" if profile == "seed" else profile
    with both_stop(by_regime["strict"]):
        scores = scored("omin-seed-ner", {}, profile=name)
        for regime, lines in by_regime.items():
            if lines is not None:
                numbers = [float(line[15:]) for line in lines[3:6]]
                assert numbers == pytest.approx(
                    [scores.value(measure, regime=regime) for measure in MEASURES], abs=1e-15
                )


# --- links ------------------------------------------------------------------------------------------------------------

phrases = st.sampled_from(["CART", "BAGGAGE CART", "Cart", "DOOR", "CARGO DOOR"])
identifiers = st.sampled_from(["Q1", "Q2", "Q3", "7"])
levels = st.lists(st.tuples(phrases | st.none(), identifiers | st.none()), min_size=3, max_size=3)
gold_links = st.lists(st.tuples(st.sampled_from("AB"), levels), min_size=1, max_size=5)
links = st.lists(st.tuples(st.sampled_from("ABC"), phrases | st.none(), identifiers | st.none()), max_size=6)
likeness = st.dictionaries(
    st.tuples(identifiers, identifiers), st.tuples(st.none() | st.floats(0, 1), st.none() | st.floats(0, 1))
)


@many_examples
@given(gold=gold_links, results=links, alike=likeness, profile=st.sampled_from(["head", "corrected", "seed"]))
def test_links(gold: Any, results: Any, alike: Any, profile: str) -> None:
    rows = [(name, "T", repr([one for one, _ in several]), repr([one for _, one in several])) for name, several in gold]
    put("g.csv", table("id,sample,entity,qid", rows))
    put("t/r.csv", table("c5_id,mentions,qids", results))
    put("s.csv", table("q1,q2,class,jc", [(*pair, *found) for pair, found in alike.items()]))
    lines = printed("nel", "--profile", profile, "--similarity-table", "s.csv", "--rounding", "none")
    chosen = "omin-seed-nel" if profile == "seed" else "omin-head-nel"
    options = {} if profile == "seed" else {"profile": "published" if profile == "head" else profile}
    with both_stop(lines):
        scores = scored(chosen, {"numbers": "apart"}, similarity_table="s.csv", **options)
        assert lines is not None
        regimes = ("best",) if profile == "seed" else ("strong", "weak", "flexible")
        values = [scores.value(measure, regime=regime) for regime in regimes for measure in MEASURES]
        assert [cell for place, cell in enumerate(cells(lines)) if place % 5 < 3] == [two_digits(one) for one in values]
        for place, regime in enumerate(regimes):
            found = {
                one.measure: one.value for one in scores if one.regime == regime and one.measure in ("jc", "class")
            }
            shown = cells(lines)[5 * place + 3 : 5 * place + 5]
            assert [cell.replace("nan", "0.0") for cell in shown] == [
                two_digits(found.get(measure) or 0.0) for measure in ("jc", "class")
            ]


# --- coreference ------------------------------------------------------------------------------------------------------

mentions = st.tuples(st.integers(0, 4), st.integers(0, 2)).map(lambda place: [place[0], place[0] + place[1]])
chains = st.lists(st.lists(mentions | st.integers(0, 4).map(lambda word: [word]), min_size=1, max_size=4), max_size=3)
chain_rows = st.dictionaries(st.sampled_from("ABC"), chains, min_size=1)


@many_examples
@given(gold=chain_rows, results=chain_rows, profile=st.sampled_from(["head", "seed", "corrected"]))
def test_chains(gold: Any, results: Any, profile: str) -> None:
    put("g.csv", table("id,sample,coreferences", [(name, "T", repr(several)) for name, several in gold.items()]))
    put("t/r.csv", table("c5_id,corefs", [(name, repr(several)) for name, several in results.items()]))
    lines = printed("coref", "--profile", profile)
    with both_stop(lines):
        corrected = profile == "corrected"
        scores = scored("coref", {}, missing="empty") if corrected else scored("omin-coref", {})
        assert lines is not None
        compare_chains(lines, scores, profile)


def compare_chains(lines: list[str], scores: Scores, profile: str) -> None:
    values = [scores.value(measure, regime=regime) for regime in ("muc", "b3", "ceafe", "lea") for measure in MEASURES]
    values.insert(9, scores.value("f1", regime="conll"))
    if profile == "seed":
        numbers = [float(line.rpartition("\t")[2]) for line in lines if "\t" in line]
        (average,) = (float(line.partition(": ")[2]) for line in lines if line.startswith("CoNLL"))
        assert [*numbers[:9], average, *numbers[9:]] == pytest.approx(values, abs=1e-12)
    else:
        assert cells(lines) == [two_digits(value) for value in values]
