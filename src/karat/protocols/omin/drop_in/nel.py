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
from karat.protocols.likeness import LikenessOptions
from karat.protocols.omin.drop_in import tables
from karat.protocols.omin.drop_in.files import FileShelf, JudgedDocuments, judge
from karat.protocols.omin.drop_in.tables import noted
from karat.protocols.omin.links import by_phrase, pairs_of
from karat.protocols.omin.options import BestLinkOptions, LinkOptions
from karat.vocabularies.ontology.provider import Likeness, LikenessSums, Service, summed

_SHOWN = {"strong": "Strong", "weak": "Weak", "flexible": "Flex", "best": "Best"}


AS_THE_SERVICE = LikenessOptions(rounding="service")
"""How likeness is asked for where nothing is said: from nowhere, and rounded."""


class LinkRequest(NamedTuple):
    """The arguments of the program: the files, the column of identifiers, and the source of likeness scores."""

    results: str | TypedTable
    gold: str
    targets: str = "qids"
    source: LikenessOptions = AS_THE_SERVICE
    fill: bool = False
    profile: str = "head"


class LinkResult(NamedTuple):
    """The numbers of a set-up, and what they are computed from; an average without any score is ``None``."""

    prf: PRF
    likeness: LikenessSums
    counts: Mapping[str, float]

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """Precision, recall and F1, and the averages of jc and class."""
        return (*self.prf, *self.likeness.means())


class _AnySource(LikenessOptions):
    """Options that ask a source as it is: limits without anything to limit are nothing, a table may be any file."""

    def provider(self) -> Service | None:
        """Return what answers."""
        return self.opened()

    def asks(self) -> bool:
        """Say whether anything answers."""
        return self.given


class _LinkOptions(_AnySource, LinkOptions):
    pass


class _BestLinkOptions(_AnySource, BestLinkOptions):
    pass


def printed(tool: str, source: LikenessOptions, results: Mapping[str, LinkResult]) -> ProgramOutput:
    """Return the program's table for the results of a tool under all set-ups.

    With an ontology, notes say how many pairs could be scored; with a table there are none, as with the service.
    """
    notes = noted(remarks_on(results)) if source.ontology else ()
    numbers = {_SHOWN[name]: result.numbers for name, result in results.items()}
    return ProgramOutput(tables.links(tool, numbers), notes=notes)


def remarks_on(results: Mapping[str, LinkResult]) -> tuple[str, ...]:
    """Say of each set-up how many pairs have a likeness."""
    by_setup = ((_SHOWN[name], result.likeness) for name, result in results.items())
    return tuple(f"{name}: {sums.scored:,} of {many(sums.pairs, 'pair')} could be scored" for name, sums in by_setup)


def evaluate(request: LinkRequest, shelf: FileShelf) -> dict[str, LinkResult]:
    """Score links under each set-up of the profile, of files that the shelf reads."""
    judged = judged_links(request, shelf)
    return {setup: _result(judged, setup, request.profile) for setup in judged.bound.regimes()}


def judged_links(request: LinkRequest, shelf: FileShelf) -> JudgedDocuments:
    """Judge the links of every gold document."""
    bound = _configured(request)
    gold, results = shelf.gold(request.gold), shelf.results(request.results)
    for name in ("id", "entity", "qid"):
        gold.column(name)
    for name in ("mentions", "c5_id"):
        results.column(name)
    results.column(request.targets, "name another one with -q")
    columns = {"ids": "c5_id", "phrases": "mentions", "targets": request.targets}
    fill = "yes" if request.fill else "no"
    golds = shelf.documents(gold, bound, "gold", ids="id", phrases="entity", fill=fill)
    return judge(bound, golds, shelf.documents(results, bound, "system", **columns))


def _configured(request: LinkRequest) -> Bound:
    source = vars(request.source)
    if request.profile == "seed":
        return protocol("omin-seed-nel").bound_to(_BestLinkOptions(**source))
    profile = "published" if request.profile == "head" else "corrected"
    return protocol("omin-head-nel").bound_to(_LinkOptions(profile=profile, **source))


def _result(judged: JudgedDocuments, setup: str, profile: str) -> LinkResult:
    """Return the numbers of a set-up; other than published, a recall of nothing is a whole 0."""
    precision, recall, f1 = judged.prf(setup)
    if profile != "head" and not recall:
        recall, f1 = 0, whole_zero_f1(precision, 0)
    counts = {name: judged.counts[f"{setup}-{name}"] for name in ("right", "wrong", "missed")}
    return LinkResult((precision, recall, f1), _likeness(judged.sheets, setup), counts)


def _likeness(sheets: Sequence[Sheet], setup: str) -> LikenessSums:
    """Return what adds up over all documents: the best scores of linked phrases, rounded once."""
    scores: list[list[Likeness | None]] = []
    for page in (page for sheet in sheets for page in sheet.content if page.answers):
        pairs = [pair for name, _, row_pairs in pairs_of(page) if name == setup for pair in row_pairs]
        scores += by_phrase(pairs, page.answers[setup])
    return summed(scores)
