"""The OMIn program about entity links, ``nel_eval.py``, and the evaluation that its first description promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import many
from karat.evaluation.protocol import Bound, Sheet
from karat.evaluation.registry import protocol
from karat.formats.typed_tables import TypedTable
from karat.measures.published import PRF, whole_zero_f1
from karat.model import Document
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.drop_in import tables
from karat.protocols.omin.drop_in.files import FileCache, JudgedDocuments, judge
from karat.protocols.omin.drop_in.tables import noted
from karat.protocols.omin.links import by_phrase, pairs_of
from karat.protocols.omin.options import BestLinkOptions, LinkOptions
from karat.vocabularies.ontology.provider import Likeness, LikenessSums, Service, summed

_SHOWN = {"strong": "Strong", "weak": "Weak", "flexible": "Flex", "best": "Best"}


AS_THE_SERVICE = LikenessOptions(rounding="service")
"""The default: no source of likeness scores, and scores rounded as the service rounds them."""


class LinkRequest(NamedTuple):
    """The arguments of the program: the files, the column of identifiers, and the source of likeness scores."""

    results: str | TypedTable
    gold: str
    targets: str = "qids"
    source: LikenessOptions = AS_THE_SERVICE
    fill: bool = False
    profile: str = "head"


class LinkInput(NamedTuple):
    """The protocol with its options, the documents of both sides, and how a recall of 0 is printed.

    The published program prints it as ``0.0``; the first description and ``corrected`` print ``0``.
    """

    bound: Bound
    golds: list[Document]
    systems: list[Document]
    keeps_float_zero: bool


class LinkResult(NamedTuple):
    """The scores of a set-up and the counts behind them; the mean of no likeness score is ``None``."""

    prf: PRF
    likeness: LikenessSums
    counts: Mapping[str, float]

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """Precision, recall and F1, and the averages of jc and class."""
        return (*self.prf, *self.likeness.means())


class _AnySource(LikenessOptions):
    """Options without checks: a limit may be given without an ontology, and the table may be any file."""

    def provider(self) -> Service | None:
        """Return the service that answers likeness queries, or None."""
        return self.opened()

    def asks(self) -> bool:
        """Return whether a source was given."""
        return self.given


class _LinkOptions(_AnySource, LinkOptions):
    pass


class _BestLinkOptions(_AnySource, BestLinkOptions):
    pass


def printed(tool: str, source: LikenessOptions, results: Mapping[str, LinkResult]) -> ProgramOutput:
    """Return the program's table, with a row for each set-up.

    Notes say how many pairs have a score, but only with an ontology: the service that a table stands for says nothing.

    Args:
        tool: The name of the tool, for the first cell of the table.
        source: The source of likeness scores.
        results: The scores by set-up.

    """
    notes = noted(remarks_on(results)) if source.ontology else ()
    numbers = {_SHOWN[name]: result.numbers for name, result in results.items()}
    return ProgramOutput(tables.links(tool, numbers), notes=notes)


def remarks_on(results: Mapping[str, LinkResult]) -> tuple[str, ...]:
    """Return for each set-up a remark on how many pairs have a likeness score."""
    by_setup = ((_SHOWN[name], result.likeness) for name, result in results.items())
    return tuple(f"{name}: {sums.scored:,} of {many(sums.pairs, 'pair')} could be scored" for name, sums in by_setup)


def read(request: LinkRequest, files: FileCache) -> LinkInput:
    """Read the gold and the results; a missing column is an error."""
    bound = _configured(request)
    gold, results = files.gold(request.gold), files.results(request.results)
    for name in ("id", "entity", "qid"):
        gold.column(name)
    for name in ("mentions", "c5_id"):
        results.column(name)
    results.column(request.targets, "name another one with -q")
    columns = {"ids": "c5_id", "phrases": "mentions", "targets": request.targets}
    fill = "yes" if request.fill else "no"
    golds = files.documents(gold, bound, "gold", ids="id", phrases="entity", fill=fill)
    systems = files.documents(results, bound, "system", **columns)
    return LinkInput(bound, golds, systems, keeps_float_zero=request.profile == "head")


def evaluate(documents: LinkInput) -> dict[str, LinkResult]:
    """Return the scores of the links by set-up."""
    judged = judge(documents.bound, documents.golds, documents.systems)
    return {
        setup: _result(judged, setup, keeps_float_zero=documents.keeps_float_zero) for setup in judged.bound.regimes()
    }


def _configured(request: LinkRequest) -> Bound:
    source = vars(request.source)
    if request.profile == "seed":
        return protocol("omin-seed-nel").bound_to(_BestLinkOptions(**source))
    profile = "published" if request.profile == "head" else "corrected"
    return protocol("omin-head-nel").bound_to(_LinkOptions(profile=profile, **source))


def _result(judged: JudgedDocuments, setup: str, *, keeps_float_zero: bool) -> LinkResult:
    """Return the scores of a set-up; a recall of 0 becomes an integer unless it stays a float."""
    precision, recall, f1 = judged.prf(setup)
    if not (keeps_float_zero or recall):
        recall, f1 = 0, whole_zero_f1(precision, 0)
    counts = {name: judged.counts[f"{setup}-{name}"] for name in ("right", "wrong", "missed")}
    return LinkResult((precision, recall, f1), _likeness(judged.sheets, setup), counts)


def _likeness(sheets: Sequence[Sheet], setup: str) -> LikenessSums:
    """Return the sums of the best scores of linked phrases over all documents, rounded once."""
    scores: list[list[Likeness | None]] = []
    for page in (page for sheet in sheets for page in sheet.content if page.answers):
        pairs = [pair for name, _, row_pairs in pairs_of(page) if name == setup for pair in row_pairs]
        scores += by_phrase(pairs, page.answers[setup])
    return summed(scores)
