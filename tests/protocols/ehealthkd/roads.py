"""Both roads to the numbers of eHealth-KD: what a program finds in two files, and what ``karat.score`` does."""

from __future__ import annotations

import tempfile
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import karat
from karat.evaluation.scores import Scores
from karat.measures.published import whole_zero_f1
from karat.model import Argument, Document, Mention, Relation
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.drop_in import evaltest, files
from karat.protocols.ehealthkd.drop_in.evaluation import REPORTED, WORDS, A, B, Metrics, TextEvaluation
from karat.protocols.ehealthkd.drop_in.files import Texts, read
from karat.protocols.ehealthkd.rules import Rules


class Judged(NamedTuple):
    """What a program found in the files of a gold and a system, and which subtasks count."""

    evaluation: TextEvaluation
    skip_a: bool
    skip_b: bool
    metrics: Metrics

    @property
    def part(self) -> str:
        """The protocol's name for what counts; none if nothing does."""
        if self.skip_a and self.skip_b:
            return ""
        return "relations" if self.skip_a else "entities" if self.skip_b else "main"


class Spy:
    """Keeps what a program judges, while it does so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.judged: list[Judged] = []
        published = TextEvaluation.metrics

        def metrics(
            evaluation: TextEvaluation, *, skip_a: bool = False, skip_b: bool = False, **others: bool
        ) -> Metrics:
            found = published(evaluation, skip_a=skip_a, skip_b=skip_b, **others)
            self.judged.append(Judged(evaluation, skip_a, skip_b, found))
            return found

        monkeypatch.setattr(TextEvaluation, "metrics", metrics)
        for module in (evaltest, files):
            monkeypatch.setattr(module, "read", _read_once)


def _read_once(path: Path, rules: Rules, texts: Texts, **others: bool) -> Annotations:
    """Read what was read before only if it is not the same, to the last byte."""
    beside = [file.read_bytes() for file in _beside(Path(path), rules.edition) if file.is_file()]
    key = (str(path), rules, *others.items(), *beside)
    if key not in _LOADED:
        _LOADED[key] = read(path, rules, texts, **others)
    return _LOADED[key]


_LOADED: dict[Hashable, Annotations] = {}
"""What was read before: a team's runs are judged for every form of the tables, and then one by one."""


def compare(judged: Judged) -> None:
    """Score the same files by the protocol: counts and ratios are the same, to the last bit."""
    expected = dict.fromkeys(("correct", "incorrect", "partial", "missed", "spurious"), 0)
    for skipped, subtask in ((judged.skip_a, A), (judged.skip_b, B)):
        for case in REPORTED[subtask] if not skipped else ():
            expected[case] += judged.evaluation.counts[f"{WORDS.get(case, case)}_{subtask}"]
    scores = through_score(judged)
    (f1,) = [row for row in scores if row.measure == "f1"]
    assert f1.counts == expected
    precision, recall = scores.value("precision"), scores.value("recall")
    assert (precision, recall) == (judged.metrics["precision"], judged.metrics["recall"])
    assert whole_zero_f1(precision, recall) == judged.metrics["f1"]
    assert f1.value == pytest.approx(judged.metrics["f1"], rel=4e-16)


def through_score(judged: Judged) -> Scores:
    """Return what ``karat.score`` says about the files that a program judged, by the same rules."""
    rules = judged.evaluation.rules
    options: dict[str, Any] = {
        "edition": rules.edition,
        "profile": "corrected" if rules.corrected else "published",
        "skip_incorrect": "yes" if rules.skip_incorrect else "no",
    }
    if judged.part != "entities":
        options["skip_same_as"] = "yes" if rules.skip_same_as else "no"
        options["propagate_error"] = "yes" if rules.propagate_error else "no"
    files = [Path(side.source) for side in judged.evaluation.sides]
    key = (judged.part, rules, *[path.read_bytes() for file in files for path in _beside(file, rules.edition)])
    if key not in _SCORED:
        _SCORED[key] = _score(f"ehealthkd2021-{judged.part}", files, options)
    return _SCORED[key]


_SCORED: dict[Hashable, Scores] = {}
"""What was scored before: the programs that rank judge the same files again for every form of their tables."""


def _beside(file: Path, edition: str) -> list[Path]:
    """Return a text file and the annotations beside it."""
    if edition != "2019":
        return [file, file.with_name(file.stem + ".ann")]
    return [file, *[file.with_name(f"output_{task}_{file.name.split('_')[1]}") for task in "ab"]]


def _score(protocol: str, files: Sequence[Path], options: Mapping[str, Any]) -> Scores:
    if options["edition"] == "2019":
        gold, system = ([document_2019(file)] for file in files)
        return karat.score(protocol, gold, system, zero="zero", **options)
    gold, system = (tuple(path.read_bytes() for path in _beside(file, "")) for file in files)
    with _under_one_name(*system) as folder:
        return karat.score(protocol, _gold(*gold), folder, zero="zero", **options)


@cache
def _gold(text: bytes, annotations: bytes) -> list[Document]:
    """Read a gold file once for all systems."""
    with _under_one_name(text, annotations) as folder:
        return karat.read(folder, rules="ehealthkd")


@contextmanager
def _under_one_name(text: bytes, annotations: bytes) -> Iterator[str]:
    """Lend a folder with a text and its annotations, which have the same name for gold and system."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "d.txt").write_bytes(text)
        Path(folder, "d.ann").write_bytes(annotations)
        yield folder


def document_2019(file: Path) -> Document:
    """Return the document that the three files of 2019 hold; no format reads them."""
    text, entities, relations = (path.read_text("utf-8") for path in _beside(file, "2019"))
    document = Document("d", text, [], [], [])
    for line in entities.splitlines():
        number, spans, label, _ = line.strip().split("\t")
        offsets = [fragment.split() for fragment in spans.split(";")]
        fragments = tuple((int(start), int(end)) for start, end in offsets)
        document.mentions.append(Mention(f"T{int(number)}", fragments, (label,)))
    for index, line in enumerate(relations.splitlines()):
        label, *ends = line.strip().split("\t")
        arguments = tuple(Argument("", f"T{int(end)}") for end in ends)
        document.relations.append(Relation(f"R{index}", label, arguments))
    return document
