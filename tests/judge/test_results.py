"""The summary of a project, beside a plain calculation."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from karat.analysis.statistics.samples import JudgedSample, clopper_pearson, document_sample, simple_sample
from karat.errors import InputError
from karat.judge.database import open_database
from karat.judge.estimates import PoolSample
from karat.judge.items import Kind, fact_item
from karat.judge.journal import Act, Journal
from karat.judge.judgements import Judgements
from karat.judge.pool import Draw, Pool, make_pool
from karat.judge.results import JudgedFigure, JudgedResults, results_of
from karat.judge.scheme import read_scheme
from karat.judge.web.overview import headline_of

from .test_pool import document

SYSTEMS = {
    "a": ("1", [document(f"d{n}", *((f"h{n}", "is", f"t{k}") for k in range(3))) for n in range(6)]),
    "b": (
        "2",
        [document(f"d{n}", *((f"h{n}", "has", f"t{k}") for k in range(2)), (f"h{n}", "is", "t0")) for n in range(5)],
    ),
}


class Project:
    """A pool whose items are judged by calls."""

    def __init__(self, folder: Path, pool: Pool, scheme: str = "correct") -> None:
        self.pool, self.scheme = pool, read_scheme(scheme)
        self.journal = Journal(open_database(str(folder / "project.db")))

    def say(
        self, person: str, act: str, target: str, question: str = "right", value: float | None = None, text=""
    ) -> None:
        number = str(sum(1 for _ in self.journal.lines()))
        self.journal.add(Act(person, act, number, target, question, value, text, 2.0))

    def results(self) -> JudgedResults:
        return results_of(Judgements(self.pool, self.scheme, self.journal.standing()))


def figure(results: JudgedResults, table: str, measure: str, system: str = "", about: str = "") -> JudgedFigure:
    (only,) = (
        figure
        for figure in results.figures
        if (figure.table, figure.measure, figure.system, figure.about) == (table, measure, system, about)
    )
    return only


def is_right(entry) -> bool:
    return entry.item.label == "is"


def test_all_judged_leaves_no_doubt_about_precision(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation"))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=float(is_right(entry)))
    results = project.results()
    precision = figure(results, "precision", "precision", "b")
    assert (precision.value, precision.low, precision.high) == (pytest.approx(1 / 3),) * 3
    assert (precision.rated, precision.listed) == (15, 15)
    assert figure(results, "precision", "precision", "b", "has").value == 0
    assert figure(results, "recall", "relative recall", "b", "pool").value == pytest.approx(5 / 18)
    assert figure(results, "recall", "found by no other", "a", "pool").value == 13
    assert figure(results, "output", "share", "b", "documents").value == pytest.approx(5 / 6)
    assert figure(results, "comparison", "difference of precision", about="a − b").value == pytest.approx(2 / 3)


def test_items_that_were_drawn_are_a_sample_of_all(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation", draw=Draw(items=20)))
    judged = project.pool.entries[:14]
    for entry in judged:
        project.say("ann", "answer", entry.id, value=float(is_right(entry)))
    ours = [entry for entry in judged if "a" in entry.systems]
    expected = simple_sample(JudgedSample(18, len(ours), sum(map(is_right, ours)))).interval()
    precision = figure(project.results(), "precision", "precision", "a")
    assert (precision.low, precision.high) == pytest.approx(expected)
    assert precision.rated == len(ours)


def test_documents_that_were_judged_so_far_are_a_sample_of_all(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation"))
    judged = project.pool.entries[:14]
    for entry in judged:
        project.say("ann", "answer", entry.id, value=float(is_right(entry)))
    samples = []
    for name in dict.fromkeys(entry.item.document for entry in judged):
        inside = [entry for entry in judged if entry.item.document == name and "a" in entry.systems]
        samples.append(JudgedSample(3, len(inside), sum(map(is_right, inside))))
    expected = document_sample([sample for sample in samples if sample.judged], 6).interval(method=clopper_pearson)
    precision = figure(project.results(), "precision", "precision", "a")
    assert (precision.low, precision.high) == pytest.approx(expected)


def test_documents_that_were_reached_have_the_order_of_the_pool() -> None:
    """Sums over them are the same to the last digit then, whatever order a set of names has."""
    pool = make_pool(SYSTEMS, "relation")
    documents = list(dict.fromkeys(entry.item.document for entry in pool.entries))
    assert PoolSample(pool, set(documents[1:])).reached == documents[1:]


RARE = {
    "often": ("1", [document(f"d{n}", (f"h{n}", "is", "t"), (f"h{n}", "has", "t")) for n in range(12)]),
    "rarely": ("2", [document(f"d{n}", (f"h{n}", "is", "t"), (f"h{n}", "has", "u")) for n in range(0, 12, 2)]),
}


def judged_documents(project: Project, number: int) -> list[str]:
    """Judge the first documents that are shown, and return their names."""
    documents = list(dict.fromkeys(entry.item.document for entry in project.pool.entries))[:number]
    for entry in project.pool.entries:
        if entry.item.document in documents:
            project.say("ann", "answer", entry.id, value=float(is_rarely_right(entry)))
    return documents


def is_rarely_right(entry) -> bool:
    return entry.item.label == "is" or entry.item.document in ("d0", "d6", "d10")


def test_documents_that_nobody_has_reached_were_not_drawn_yet(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(RARE, "relation"))
    documents = judged_documents(project, 7)
    samples = []
    for name in documents:
        ours = [entry for entry in project.pool.entries if entry.item.document == name and "rarely" in entry.systems]
        samples += [JudgedSample(2, 2, sum(map(is_rarely_right, ours)))] if ours else []
    assert {sample.right for sample in samples} == {1, 2}
    expected = document_sample(samples, 12, empty=7 - len(samples))
    precision = figure(project.results(), "precision", "precision", "rarely")
    assert (precision.low, precision.high) == pytest.approx(expected.interval(method=clopper_pearson))
    assert figure(project.results(), "comparison", "p", about="often − rarely").rated == 7


def test_a_single_document_with_items_leaves_an_interval_unsaid(tmp_path: Path) -> None:
    systems = {**RARE, "once": ("3", [document("d3", ("x", "is", "y"), ("x", "has", "y"))])}
    project = Project(tmp_path, make_pool(systems, "relation"))
    place = [*dict.fromkeys(entry.item.document for entry in project.pool.entries)].index("d3") + 1
    judged_documents(project, max(2, place))
    precision = figure(project.results(), "precision", "precision", "once")
    assert (precision.value, precision.low, precision.high) == (0.5, None, None)


def test_documents_without_items_count_when_all_others_are_judged(tmp_path: Path) -> None:
    systems = {"a": ("1", [*SYSTEMS["a"][1], document("bare"), document("tested")])}
    controls = {"right": [document("tested", ("x", "is", "y")), document("elsewhere", ("x", "is", "y"))]}
    project = Project(tmp_path, make_pool(systems, "relation", controls=controls))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=float(entry.item.parts[1].surface == "t0"))
    precision = figure(project.results(), "precision", "precision", "a")
    assert (precision.low, precision.high) == (pytest.approx(1 / 3),) * 2
    assert figure(project.results(), "output", "share", "a", "documents").listed == 8


def test_documents_that_were_drawn_are_clusters(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation", draw=Draw(documents=4)))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=float(is_right(entry)))
    samples = []
    for page in project.pool.pages:
        inside = [entry for entry in project.pool.entries if entry.item.document == page.id and "b" in entry.systems]
        samples.append(JudgedSample(len(inside), len(inside), sum(map(is_right, inside))))
    expected = document_sample(samples, 6).interval(method=clopper_pearson)
    precision = figure(project.results(), "precision", "precision", "b")
    assert (precision.low, precision.high) == pytest.approx(expected)
    assert any("4 of 6 documents" in note for note in project.results().notes)
    judgements = Judgements(project.pool, project.scheme, project.journal.standing())
    sentence = headline_of(judgements, results_of(judgements)).sentence
    items = len(project.pool.entries)
    assert "of the relations of 6 documents are correct, 95 % interval [" in sentence
    assert sentence.endswith(f"{items} of {items} in 4 documents are judged.")


def test_judges_agree_disagree_and_are_decided_over(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation", overlap=1))
    first, second, *rest = project.pool.entries
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=float(is_right(entry)))
    for entry in rest:
        project.say("ben", "answer", entry.id, value=float(is_right(entry)))
    project.say("ben", "answer", first.id, value=float(not is_right(first)))
    project.say("ben", "unsure", second.id)
    results = project.results()
    assert figure(results, "agreement", "equal answers", about="right").value == pytest.approx(
        len(rest) / (len(rest) + 1)
    )
    assert figure(results, "judges", "answers", "ben").value == len(project.pool.entries)
    assert any("2 disagreements" in note for note in results.notes)
    project.say("eve", "adjudicate", first.id, value=1.0)
    judgements = Judgements(project.pool, project.scheme, project.journal.standing())
    assert judgements.rightness(first, project.scheme.named("right")) == 1
    assert [found.decided for found in judgements.disagreements() if found.target == first.id] == [1.0]


def test_controls_test_the_judge_and_count_for_no_system(tmp_path: Path) -> None:
    controls = {"right": [document("d0", ("x", "is", "y"))], "wrong": [document("d0", ("x", "is", "z"))]}
    project = Project(tmp_path, make_pool(SYSTEMS, "relation", controls=controls))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=1.0)
    results = project.results()
    assert figure(results, "judges", "controls recognised", "ann").value == 0.5
    assert figure(results, "precision", "precision", "a").listed == 18
    for entry in project.pool.entries:
        answer = ("unsure", None) if entry.control == "wrong" else ("answer", 1.0)
        project.say("ben", answer[0], entry.id, value=answer[1])
    recognised = figure(project.results(), "judges", "controls recognised", "ben")
    assert (recognised.value, recognised.rated) == (1.0, 1)


def test_what_was_found_in_the_text_gives_recall(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation"))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=float(is_right(entry)))
    for tail in ("t0", "missed"):
        fact = f'{{"label": "is", "parts": [["h0", []], ["{tail}", []]]}}'
        project.say("ann", "fact", "d0", question=tail, text=fact)
    project.say("ann", "done", "d0", question="")
    results = project.results()
    assert figure(results, "recall", "recall", "a", "discovery").value == pytest.approx(3 / 4)
    assert figure(results, "recall", "recall", "b", "discovery").value == pytest.approx(1 / 4)
    project.say("ann", "fact", "d1", question="x", text='{"label": "is", "parts": [["h1", []], ["missed", []]]}')
    assert project.results() == results  # nobody has said yet that d1 is searched
    assert figure(results, "recall", "recall", "a", "discovery").low is None  # one document of six
    project.say("ann", "done", "d1", question="")
    recall = figure(project.results(), "recall", "recall", "a", "discovery")
    assert (recall.value, recall.rated) == (pytest.approx(6 / 8), 8)
    assert recall.low is not None
    assert recall.high is not None
    assert 0 < recall.low < 6 / 8 < recall.high <= 1


@pytest.mark.parametrize(
    ("kind", "parts", "sentence"),
    [
        ("relation", 1, "this relation has the wrong number of parts: it has 1 part"),
        ("mention", 2, "this mention has the wrong number of parts: it has 2 parts"),
        ("chain", 1, "this chain has the wrong number of parts: it has 1 part"),
        ("event", 2, "this event has the wrong number of parts: it has 2 parts"),
    ],
)
def test_what_is_found_has_the_parts_of_its_kind(kind: Kind, parts: int, sentence: str) -> None:
    fact = msgspec.json.encode({"label": "x", "parts": [["words", [[0, 5]]]] * parts}).decode()
    with pytest.raises(InputError, match=sentence):
        fact_item(kind, "d0", fact)


def test_the_scheme_of_omin(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool({"a": SYSTEMS["a"]}, "relation"), "omin")
    for index, entry in enumerate(project.pool.entries):
        project.say("ann", "answer", entry.id, "syntactic", (0.0, 0.5, 1.0)[index % 3])
        project.say("ann", "answer", entry.id, "semantic", float(index % 2))
        project.say("ann", "answer", entry.id, "hallucination", float(index == 0))
    project.say("ann", "answer", "d0", "consistency", 1.0)
    project.say("ann", "answer", "d1", "consistency", 0.0)
    results = project.results()
    assert figure(results, "questions", "mean", "a", "syntactic").value == pytest.approx(0.5)
    assert figure(results, "questions", "mean", "a", "semantic").value == pytest.approx(0.5)
    assert figure(results, "questions", "sum", "a", "hallucination").value == 1
    consistency = figure(results, "questions", "consistency", "a", "consistency")
    assert consistency.value == pytest.approx((2 / 3 + 1) / 2)
    assert (consistency.rated, consistency.listed) == (2, 6)


def test_consistency_is_told_of_a_system_only_where_nobody_else_gave_anything(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation"), "omin")
    project.say("ann", "answer", "d0", "consistency", 2.0)  # five items of both systems
    project.say("ann", "answer", "d5", "consistency", 1.0)  # three items of a
    results = project.results()
    shares = {
        system: figure(results, "questions", "consistency", system, "consistency").value for system in ("a", "b", "")
    }
    assert shares == {"a": pytest.approx(2 / 3), "b": None, "": pytest.approx((3 / 5 + 2 / 3) / 2)}


def test_items_of_drawn_documents_are_no_sample_of_all(tmp_path: Path) -> None:
    project = Project(tmp_path, make_pool(SYSTEMS, "relation", draw=Draw(documents=4, items=6)))
    for entry in project.pool.entries:
        project.say("ann", "answer", entry.id, value=1.0)
    results = project.results()
    assert "do not cover the other documents" in results.notes[-1]
    judgements = Judgements(project.pool, project.scheme, project.journal.standing())
    assert "documents" not in headline_of(judgements, results).sentence
