"""conlleval: precision, recall and F1 of chunks, overall and by type, as text or as a table for LaTeX."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from karat.annotations.tag_chunks import OUTSIDE
from karat.cli.drop_in import ProgramOutput
from karat.errors import UsageError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.registry import configure
from karat.evaluation.tally import Group, Tally
from karat.measures.published import whole_zero_f1, whole_zero_prf
from karat.protocols.spans.drop_in.rows import ENCODING, columns, cut_by, in_bytes, raw_lines, sentences
from karat.protocols.spans.readings import Tag, between, split

BOUNDARY = "-X-"
"""A line whose first field is this separates sentences, as an empty one does."""

Tags = Sequence[Sequence[str]]
"""The tags of one side, sentence by sentence."""


class Chunks(NamedTuple):
    """The number of correct chunks, of system chunks and of gold chunks."""

    correct: int
    system: int
    gold: int

    @property
    def percent(self) -> tuple[float, float, float]:
        """Precision, recall and F1 in per cent, 0 where the denominator is 0."""
        precision, recall = percent(self.correct, self.system), percent(self.correct, self.gold)
        return precision, recall, whole_zero_f1(precision, recall)

    @property
    def shares(self) -> tuple[float, float, float]:
        """The same as fractions; times 100 they may differ from ``percent`` in the last digit."""
        return whole_zero_prf(self.correct, self.system, self.gold)


class ChunkCounts(NamedTuple):
    """The chunks overall and by type, the number of tokens, and that of tokens with the same tag on both sides."""

    total: Chunks
    types: dict[str, Chunks]
    tokens: int
    same_tags: int


def percent(part: int, whole: int) -> float:
    """Return a share in per cent, 0 if the denominator is 0.

    >>> percent(1, 3), percent(0, 0)
    (33.333333333333336, 0.0)
    """
    return 100 * part / whole if whole else 0.0


def read(delimiter: str) -> tuple[Tags, Tags]:
    """Read the tags of gold and system from standard input: the last two fields of each line.

    ``delimiter`` is a regular expression.
    """
    try:
        pattern = re.compile(in_bytes(delimiter), re.ASCII)
    except re.error as error:
        raise UsageError(f"-d {delimiter!r} is no regular expression: {error}") from None
    return columns(sentences(raw_lines(), cut_by(pattern), boundary=BOUNDARY))


def evaluate(gold: Tags, system: Tags, **options: str) -> ChunkCounts:
    """Count the chunks of tags; ``options`` are those of the protocol ``conlleval``.

    As published, the tags are walked through as the program does. The protocol counts the same, except for chunks that
    the program opens and never closes, none of which it counts as correct: see the quirk bare-unknown-prefix-lost.
    """
    if options.get("profile", "official") == "official" and options.get("raw") != "yes":
        return walk(gold, system)
    bound = configure("conlleval", options)
    filled = [[tags for tags in side if tags] for side in (gold, system)]
    sides = load(bound, filled, [Reading()] * 2, again=True)
    return counts_of(Evaluation(bound, *sides).tallies().total(), bound.counts)


_between = lru_cache(maxsize=65_536)(between)


def walk(
    gold: Tags,
    system: Tags,
    split: Callable[[str], Tag] = split,
    between: Callable[[Tag, Tag], tuple[bool, bool]] = _between,
) -> ChunkCounts:
    """Count chunks tag by tag: one is correct if it starts and ends on both sides together, with the same types.

    A chunk that is still open at the last tag counts as correct, too, since the program looks no further.

    Args:
        gold: The tags of the gold.
        system: The tags of the system.
        split: Returns the prefix and the type of a tag, by default as conlleval does.
        between: Says whether a chunk ends, and whether one starts, between two tags, by default as in conlleval.

    >>> walk([["B", "S", "O", "B", "O"]], [["B", "S", "O", "B", "O"]]).total
    Chunks(correct=1, system=2, gold=2)

    """
    right, systems, golds = Counter[str](), Counter[str](), Counter[str]()
    tokens = same = 0
    previous = outside = (OUTSIDE, ""), (OUTSIDE, "")
    is_right = False
    for pair in chain.from_iterable((None, *zip(*sides, strict=True)) for sides in zip(gold, system, strict=True)):
        here = (split(pair[0]), split(pair[1])) if pair else outside
        gold_ends, gold_starts = between(previous[0], here[0])
        system_ends, system_starts = between(previous[1], here[1])
        if is_right:
            if gold_ends and system_ends and previous[0][1] == previous[1][1]:
                right[previous[0][1]] += 1
                is_right = False
            elif gold_ends != system_ends or here[0][1] != here[1][1]:
                is_right = False
        is_right = is_right or (gold_starts and system_starts and here[0][1] == here[1][1])
        golds[here[0][1]] += gold_starts
        systems[here[1][1]] += system_starts
        tokens += pair is not None
        same += pair is not None and here[0] == here[1]
        previous = here
    right[previous[0][1]] += is_right
    types = {name: Chunks(right[name], systems[name], golds[name]) for name in (+systems).keys() | (+golds).keys()}
    return ChunkCounts(Chunks(right.total(), systems.total(), golds.total()), types, tokens, same)


def counts_of(total: Tally, names: Sequence[str]) -> ChunkCounts:
    """Return the counts in the tally of a whole evaluation, whose columns have these names."""
    rows = {group.label: dict(zip(names, map(int, row), strict=True)) for group, row in total.items()}
    every = rows.pop(Group().label, dict.fromkeys(names, 0))
    types = {str(label): _chunks(row) for label, row in rows.items()}
    return ChunkCounts(_chunks(every), types, every["tokens"], every["same-tags"])


def _chunks(row: dict[str, int]) -> Chunks:
    return Chunks(row["correct"], row["system"], row["gold"])


def printed(result: ChunkCounts, *, latex: bool = False) -> ProgramOutput:
    """Return what conlleval prints; ``latex`` asks for a LaTeX table."""
    return ProgramOutput((latex_table(result) if latex else text(result)).encode(ENCODING))


def text(result: ChunkCounts, *, in_python: bool = False) -> str:
    """Return the text of conlleval, or of its translation into Python, which divides before it takes per cent."""
    total = result.total
    head = f"processed {result.tokens} tokens with {total.gold} phrases; found: {total.system} phrases; "
    lines = [f"{head}correct: {total.correct}."]
    if result.tokens:
        accuracy = percent(result.same_tags, result.tokens)
        lines.append(f"accuracy: {accuracy:6.2f}%; {_cells(total, in_python)}")
    rows = sorted(result.types.items()) if in_python else _listed(result.types)
    lines += [f"{name:>17}: {_cells(row, in_python)}  {row.system}" for name, row in rows]
    return "\n".join([*lines, ""])


def _cells(chunks: Chunks, in_python: bool) -> str:
    precision, recall, f1 = [100 * share for share in chunks.shares] if in_python else chunks.percent
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {f1:6.2f}"


def latex_table(result: ChunkCounts) -> str:
    """Return the rows of a LaTeX table."""
    cells = r"{:<7} &  {:6.2f}\% & {:6.2f}\% & {:6.2f} \\"
    rows = [cells.format(name, *row.percent) for name, row in _listed(result.types)]
    head = r"        & Precision &  Recall  & F$_{\beta=1} \\\hline"
    return "\n".join([head, *rows]) + "\\hline\n" + cells.format("Overall", *result.total.percent) + "\\hline\n"


def _listed(types: dict[str, Chunks]) -> list[tuple[str, Chunks]]:
    """Return the types in the order of their bytes; the program lists the empty one twice if both sides have it."""
    rows = sorted(types.items())
    return rows[:1] + rows if rows and not rows[0][0] and rows[0][1].system and rows[0][1].gold else rows
