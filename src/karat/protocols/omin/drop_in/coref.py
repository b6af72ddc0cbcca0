"""The OMIn program about coreference, ``cr_eval.py``: chains of word indices in the cells of a CSV file."""

from __future__ import annotations

from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, many
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import configure
from karat.evaluation.tally import Group, Tally
from karat.formats.typed_tables import TypedTable
from karat.measures.published import PRF, added_in_order, whole_zero_f1
from karat.model import Document
from karat.protocols.omin.drop_in import tables
from karat.protocols.omin.drop_in.files import FileCache
from karat.protocols.omin.drop_in.tables import noted
from karat.protocols.omin.mentions import is_nameless

MEASURES = ("muc", "b3", "ceafe", "lea")
_COUNTS = ("found", "gold", "given", "system")


class ChainRequest(NamedTuple):
    """The arguments of the program: the files, the columns of the results, and the revision."""

    results: str
    gold: str
    ids: str = "c5_id"
    chains: str = "corefs"
    profile: str = "head"


class ChainInput(NamedTuple):
    """The protocol, the gold rows, the result rows by document id, and how many gold rows have no result row."""

    bound: Bound
    golds: list[Document]
    systems: dict[str, Document]
    lacking: int


class ChainResult(NamedTuple):
    """Precision, recall and F1 of each measure, the CoNLL average, the number of documents, and remarks."""

    scores: dict[str, PRF]
    average: float
    documents: int
    remarks: tuple[str, ...] = ()


def printed(tool: str, profile: str, result: ChainResult) -> ProgramOutput:
    """Return the program's table for the results of a tool."""
    if profile == "seed":
        return ProgramOutput(tables.seed_coref(tool, result.scores, result.average, result.documents))
    return ProgramOutput(tables.head_coref(tool, result.scores, result.average), notes=noted(result.remarks))


def read(request: ChainRequest, files: FileCache) -> ChainInput:
    """Read the gold and the results; the published program stops at a gold document without a row in the results."""
    bound = configure("coref" if request.profile == "corrected" else "omin-coref", {})
    gold, results = files.gold(request.gold), files.results(request.results)
    golds, systems = _documents(request, files, bound, gold, results)
    lacking = [document for document in golds if document.id not in systems]
    if lacking and request.profile != "corrected":
        message = f"there is no row for document {lacking[0].id!r}, where the published program stops"
        advice = "add it with [] for no chains, or choose --profile corrected, which does so"
        raise InputError(f"{message}; {advice}", path=results.path)
    return ChainInput(bound, golds, systems, len(lacking))


def evaluate(documents: ChainInput) -> ChainResult:
    """Score the chains of all gold documents."""
    bound, golds, systems, lacking = documents
    tallies: list[Tally] = []
    for document in golds:  # two gold rows with one id are two documents, as in the program
        system = systems.get(document.id, Document(document.id))
        tallies += map(bound.book.tally, bound.draft(document, system, None))
    scores = _scores(bound, tallies)
    average = sum(scores[measure][2] for measure in MEASURES[:3]) / 3
    remark = f"{many(lacking, 'gold document')} without a result row counted as having no chains"
    return ChainResult(scores, average, len(golds), (remark,) if lacking else ())


def _documents(
    request: ChainRequest, files: FileCache, bound: Bound, gold: TypedTable, results: TypedTable
) -> tuple[list[Document], dict[str, Document]]:
    """Return the rows of the gold as documents, and the first row of the results for each of them."""
    gold_ids = "c5" if request.profile == "seed" and "c5" in gold else "id"
    wanted = set(gold.column(gold_ids)) - {None}
    ids = results.column(request.ids, "name another one with -i")
    gold.column("coreferences")
    results.column(request.chains, "name another one with -c")
    compared = results.only([row for row, name in enumerate(ids) if name in wanted])
    reading = {"incomplete": "keep", "repeated": "apart"}
    golds = files.documents(gold, bound, "gold", ids=gold_ids, chains="coreferences", **reading)
    reading = {"side": "results", "ids": request.ids, "chains": request.chains}
    systems = files.documents(compared, bound, "system", **reading)
    return golds, {document.id: document for document in systems if not is_nameless(document)}


def _scores(bound: Bound, tallies: list[Tally]) -> dict[str, PRF]:
    """Return precision, recall and F1 of each measure; a whole 0 where nothing is right."""
    sums = added_in_order((tally[Group()] for tally in tallies), len(bound.counts))
    counts = dict(zip(bound.counts, sums, strict=True))
    scores = {}
    for measure in MEASURES:
        found, gold, given, system = (counts[f"{measure}-{count}"] for count in _COUNTS)
        precision, recall = given / system if given else 0, found / gold if found else 0
        scores[measure] = precision, recall, whole_zero_f1(precision, recall)
    return scores
