"""Extraction and evaluation as the documentation of the NewsReader programs promises them.

The first five sentences, tokens through the layer of terms, the best DBpedia reference, names whole, UTF-8; in the
evaluation any shared token, each line at most once, and 0 where nothing matches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from karat.annotations.tokens import covered_tokens
from karat.errors import InputError
from karat.files import lines
from karat.formats._naf_assembly import Assembly, NafOptions
from karat.formats._naf_layers import read_layers
from karat.formats.base import Problems
from karat.model import Document, Mention
from karat.protocols.newsreader.dense import crowd
from karat.protocols.newsreader.drop_in.documents import NAF, check_regular, paths
from karat.protocols.newsreader.drop_in.redirects import Redirects
from karat.protocols.newsreader.judge import Mark, judge_corrected
from karat.protocols.newsreader.prepare import link_name

SENTENCES = 5
KB = "dbpedia"
HEADER = "TP\tGold\tSystem\tDocID\tGold-span\tSystem-span"

Tell = Callable[[str], None]


class Extraction:
    """Extraction from a folder, for gold and systems alike; ``entities`` and ``linked`` count what was seen."""

    def __init__(
        self, *, resource: str = "", redirects: Redirects | None = None, ending: re.Pattern[str] = NAF
    ) -> None:
        self.resource, self.redirects, self.ending = resource, redirects or {}, ending
        self.entities = self.linked = 0

    @property
    def information(self) -> str:
        """The three lines of the information file."""
        return f"NERC\t{self.entities}\nNED\t{self.linked}\nNo NED\t{self.entities - self.linked}\n"

    def gold(self, folder: str, tell: Tell) -> str:
        """Return the gold lines: document, span, entity."""
        return "".join(f"{name}\t{span}\t{entity}\n" for name, span, entity, _ in self._rows(folder, "skip", tell))

    def system(self, folder: str, tell: Tell, *, english: bool = True) -> str:
        """Return a system's lines: document, span, entity, mention; of other languages by the English references."""
        rows = self._rows(folder, "skip" if english else "only", tell)
        return "".join("\t".join(map(_cell, row)) + "\n" for row in rows)

    def _rows(self, folder: str, nested: str, tell: Tell) -> Iterator[tuple[str, str, str, str]]:
        for path in _paths(folder, self.ending):
            problems = Problems()
            document = Assembly(read_layers(path), path, problems, NafOptions(self.resource, nested)).document(
                path.name
            )
            assert document is not None  # noqa: S101 - problems are raised, not collected
            for one in problems.found:
                tell(f"{one.path}:{one.line}: {one.message}")
            for mention, span in _within(document):
                self.entities += 1
                found = (link_name(one.target, KB, published=False) for one in mention.links if KB in one.target)
                name = next((one for one in found if one), None)
                if name is None:
                    if nested == "only":
                        tell(f"{path.name}: {span} has no English DBpedia reference")
                    continue
                self.linked += 1
                yield path.name, span, self.redirects.get(name, name), mention.text


def _paths(folder: str, ending: re.Pattern[str]) -> Iterator[Path]:
    for path in map(Path, paths(folder, ending)):
        if not path.name.isprintable():
            raise InputError(f"the file name {path.name!a} has no place in a line of text; rename it", path=folder)
        check_regular(str(path))
        yield path


def _within(document: Document) -> Iterator[tuple[Mention, str]]:
    """Yield the mentions that begin in the first sentences, with the numbers of their tokens."""
    table = document.table
    assert table is not None  # noqa: S101 - NAF always has tokens
    end = table.segments[SENTENCES] if len(table.segments) > SENTENCES else len(table.forms)
    ends = [start + len(form) for start, form in zip(table.starts, table.forms, strict=True)]
    ids = table.columns.get("ID", [])
    for mention in document.mentions:
        tokens = [at for span in mention.spans for at in range(*covered_tokens(span, table.starts, ends))]
        if tokens and tokens[0] < end and (mention.labels or mention.links or not document.chains):
            yield mention, "-".join(re.sub(r"^[^0-9]+(?=[0-9])", "", ids[at]) for at in tokens)


def _cell(text: str) -> str:
    return re.sub(r"[\t\n\r]+", " ", text)


class Line(NamedTuple):
    """A line of an extracted file."""

    document: str
    mark: Mark


class Result(NamedTuple):
    """What an evaluation prints, and its result file."""

    printed: str
    results: str


def read_lines(path: str) -> list[Line]:
    """Read an extracted file; blank lines are nothing."""
    found = []
    for number, line in enumerate(lines(path), 1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) < 3 or not cells[1]:
            message = "expected a document, a span such as 13-14 and an entity, separated by tabs"
            raise InputError(message, path=path, line=number)
        found.append(Line(cells[0], Mark(tuple(cells[1].split("-")), cells[2])))
    return found


def evaluate(gold: list[Line], system: list[Line], tell: Tell) -> Result:
    """Evaluate a system's lines: each is right at most once, and any shared token is enough for fuzzy."""
    golds, systems = _by_document(gold), _by_document(system)
    exact = fuzzy = 0
    results = [HEADER]
    for name in [*golds, *(one for one in systems if one not in golds)]:
        if name not in golds:
            tell(f"the gold has no document {name!r}")
        left, right = golds.get(name, []), systems.get(name, [])
        crowded = crowd(left, right)
        if crowded:
            tell(f"document {name!r}: {crowded}")
        for verdict in judge_corrected(left, right):
            if verdict.gold is None or verdict.system is None:
                continue
            one, other = left[verdict.gold], right[verdict.system]
            exact += verdict.case == "exact"
            fuzzy += verdict.case in ("exact", "overlap")
            right_or_wrong = int(verdict.case != "wrong-link")
            results.append(f"{right_or_wrong}\t{one.name}\t{other.name}\t{name}\t{one.span}\t{other.span}")
    counts = (("SYSTEM", len(system)), ("GOLD", len(gold)), ("TP", exact), ("FUZZY", fuzzy))
    printed = [f"{word}\t{count}" for word, count in counts]
    printed += [_scores(hits, len(system), len(gold)) for hits in (exact, fuzzy)]
    return Result("".join(f"{line}\n" for line in printed), "".join(f"{line}\n" for line in results))


def _by_document(found: list[Line]) -> dict[str, list[Mark]]:
    documents: dict[str, list[Mark]] = {}
    for line in found:
        documents.setdefault(line.document, []).append(line.mark)
    return documents


def _scores(hits: int, system: int, gold: int) -> str:
    precision = hits / system if system else 0.0
    recall = hits / gold if gold else 0.0
    f = 2 * hits / (system + gold) if system + gold else 0.0
    return "\t".join(f"{100 * value:.15g}" for value in (precision, recall, f))
