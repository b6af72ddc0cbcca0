"""The OMIn program about entity links, ``nel_eval.py``, and the evaluation that its first description promised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from karat.errors import InputError, many
from karat.formats._omin_cells import read_levels, shown
from karat.formats._typed_tables import Cell, Table, read_table
from karat.measures.published import whole_zero_f1, whole_zero_prf
from karat.ontology.asking import Source, Sums
from karat.protocols.omin.drop_in import printing
from karat.protocols.omin.drop_in.report import Report
from karat.protocols.omin.levels import SETUPS, Decision, Level, Linked, Setup, decide_best, decide_published
from karat.protocols.omin.similarity import Pair, ask, sums

_SHOWN = {"strong": "Strong", "weak": "Weak", "flexible": "Flex"}

Decide = Callable[[Sequence[Level], Sequence[Linked], Setup], Decision | None]


class Request(NamedTuple):
    """What the program is asked: the files, the column of identifiers, and where scores of likeness come from.

    ``similarity`` is a table of scores, ``ontology`` the folder of an index.
    """

    results: str
    gold: str
    target_column: str = "qids"
    similarity: str | None = None
    max_pairs: int | None = None
    fill_in: bool = False
    profile: str = "head"
    ontology: str | None = None
    rounded: bool = True

    @property
    def source(self) -> Source:
        """Where scores of likeness come from."""
        return Source(self.ontology, self.similarity, self.max_pairs, self.rounded, self.profile == "corrected")


class GoldRow(NamedTuple):
    """A gold row: its document, and its phrases with their identifiers, the longest first."""

    document: Cell
    levels: list[Level]


class Counted(NamedTuple):
    """What a set-up gives: rows right, wrong and missed, and the pairs whose likeness is asked."""

    right: int
    wrong: int
    missed: int
    pairs: list[Pair]


class Result(NamedTuple):
    """The numbers of a set-up, and what they are computed from; an average without any score is ``None``."""

    precision: float
    recall: float
    f1: float
    jc: float | None
    class_: float | None
    counted: Counted
    likeness: Sums = Sums()


def evaluate_links(request: Request) -> Report:
    """Score links under all set-ups, and return the program's table.

    With an ontology, remarks say how many pairs could be scored; a table is silent, as the service was.
    """
    tool = printing.tool_name(request.results)
    results = link_results(request)
    remarks = remarks_on(results) if request.ontology else ()
    return Report(printing.links(tool, {name: result[:5] for name, result in results.items()}), remarks)


def remarks_on(results: Mapping[str, Result]) -> tuple[str, ...]:
    """Say of each set-up how many pairs have a likeness."""
    counted = ((name, result.likeness) for name, result in results.items())
    return tuple(f"{name}: {one.scored:,} of {many(one.pairs, 'pair')} could be scored" for name, one in counted)


def link_results(request: Request) -> dict[str, Result]:
    """Score links under all set-ups, by the names that the table gives them."""
    provider = request.source.open()
    rows = gold_rows(read_table(request.gold), fill=request.fill_in)
    links = Links(read_table(request.results), request.target_column, lenient=request.profile == "corrected")
    published = request.profile == "head"
    setups = {"Best": "flexible"} if request.profile == "seed" else {shown: name for name, shown in _SHOWN.items()}
    results: dict[str, Result] = {}
    for name, setup in setups.items():
        counted = count_links(rows, links, SETUPS[setup], decide_published if published else decide_best)
        right, wrong, missed, pairs = counted
        precision, recall, f1 = whole_zero_prf(right, right + wrong, right + missed)
        if not published:
            recall = right / (right + wrong + missed) if right else 0
            f1 = whole_zero_f1(precision, recall)
        likeness = Sums() if provider is None else sums(pairs, ask(pairs, provider))
        results[name] = Result(precision, recall, f1, *likeness.means(), counted, likeness)
    return results


def count_links(rows: Sequence[GoldRow], links: Links, setup: Setup, decide: Decide) -> Counted:
    """Decide every gold row under a set-up."""
    outcomes = {True: 0, False: 0}
    missed = 0
    pairs: list[Pair] = []
    for row in rows:
        if decide(row.levels, (), setup) is None:
            continue
        candidates = links.of(row.document)
        decision = decide(row.levels, candidates, setup)
        if decision is None or decision.system is None:
            missed += 1
            continue
        outcomes[decision.correct] += 1
        link = candidates[decision.system]
        pairs += [Pair(row.document, link.phrase, *row.levels[one], link.target) for one in decision.levels]
    return Counted(outcomes[True], outcomes[False], missed, pairs)


def gold_rows(table: Table, *, fill: bool = False) -> list[GoldRow]:
    """Read the rows of a gold file, whose cells hold lists of three phrases and three identifiers."""
    return [gold_row(table, row, fill=fill) for row in range(len(table))]


def gold_row(table: Table, row: int, *, fill: bool = False) -> GoldRow:
    """Read one row of a gold file."""
    return GoldRow(table.column("id")[row], [Level(*level) for level in read_levels(table, row, fill=fill)])


class Links:
    """The links of a results file by document, in file order; a document is read when it is first asked for."""

    def __init__(self, table: Table, target_column: str, *, lenient: bool) -> None:
        self.table = table
        self.lenient = lenient
        self.phrases = table.column("mentions")
        self.targets = table.column(target_column, "name another one with -q")
        self.rows: dict[Cell, list[int]] = {}
        self.known: dict[Cell, list[Linked]] = {}
        for row, document in enumerate(table.column("c5_id")):
            if self.targets[row] is not None and document is not None:
                self.rows.setdefault(document, []).append(row)

    def of(self, document: Cell) -> list[Linked]:
        """Return the links of a document; a phrase that is missing or a number stops the program."""
        if document not in self.known:
            self.known[document] = [link for row in self.rows.get(document, ()) for link in self._link(row)]
        return self.known[document]

    def _link(self, row: int) -> list[Linked]:
        phrase = self.phrases[row]
        if isinstance(phrase, str):
            return [Linked(phrase.upper(), self.targets[row])]
        if self.lenient:
            return []
        advice = "take the row out, or choose --profile corrected, which passes over it"
        raise InputError(
            f"the mention of a link is {shown(phrase)}, where the published program stops; {advice}",
            path=self.table.path,
            line=self.table.places[row],
        )
