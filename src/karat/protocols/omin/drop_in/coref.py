"""The OMIn program about coreference, ``cr_eval.py``: chains of word indices in the cells of a CSV file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from karat.errors import InputError, many
from karat.formats._omin_cells import read_chains
from karat.formats._typed_tables import Cell, Table, read_table
from karat.measures.published import whole_zero_f1
from karat.protocols.omin.drop_in import printing
from karat.protocols.omin.drop_in.printing import Prf
from karat.protocols.omin.drop_in.report import Report

Mention = tuple[Cell, ...]
"""The numbers of a mention as they stand: its first and its last word, both inside."""
Chains = list[list[Mention]]

GOLD_COLUMN = "coreferences"
_MEASURES = ("muc", "b3", "ceafe", "lea")


class Request(NamedTuple):
    """What the program is asked: the files, the columns of the results, and which revision."""

    results: str
    gold: str
    id_column: str = "c5_id"
    chain_column: str = "corefs"
    profile: str = "head"


class Result(NamedTuple):
    """Precision, recall and F1 of each measure, the CoNLL average, how many documents, and what is to be remarked."""

    scores: dict[str, Prf]
    average: float
    documents: int
    remarks: tuple[str, ...] = ()


def evaluate_chains(request: Request) -> Report:
    """Score chains, and return the program's table."""
    tool = printing.tool_name(request.results)
    result = chain_results(request)
    if request.profile == "seed":
        return Report(printing.seed_coref(tool, result.scores, result.average, result.documents))
    return Report(printing.head_coref(tool, result.scores, result.average), result.remarks)


def chain_results(request: Request) -> Result:
    """Score the chains of all gold documents."""
    remarks: list[str] = []
    pairs = _pairs(read_table(request.gold), read_table(request.results), request, remarks)
    scores, average = chain_scores(pairs, corrected=request.profile == "corrected")
    return Result(scores, average, len(pairs), tuple(remarks))


def _pairs(gold: Table, system: Table, request: Request, remarks: list[str]) -> list[tuple[Chains, Chains]]:
    """Return the chains of each gold row, and those of the first result row with the same id."""
    corrected = request.profile == "corrected"
    id_column = "c5" if request.profile == "seed" and "c5" in gold else "id"
    rows: dict[Cell, int] = {}
    for row, key in enumerate(system.column(request.id_column, "name another one with -i")):
        rows.setdefault(key, row)
    cells = gold.column(GOLD_COLUMN), system.column(request.chain_column, "name another one with -c")
    pairs: list[tuple[Chains, Chains]] = []
    lacking = 0
    for row, key in enumerate(gold.column(id_column)):
        place = None if key is None else rows.get(key)
        if place is None and not corrected:
            message = f"there is no row for document {key!r}, where the published program stops"
            advice = "add it with [] for no chains, or choose --profile corrected, which does so"
            raise InputError(f"{message}; {advice}", path=system.path)
        lacking += place is None
        theirs = [] if place is None else read_chains(system, place, cells[1][place])
        pair = read_chains(gold, row, cells[0][row]), theirs
        pairs.append((_whole(pair[0]), _whole(pair[1])) if corrected else pair)
    if lacking:
        remarks.append(f"{many(lacking, 'gold document')} without a result row counted as having no chains")
    return pairs


def _whole(chains: Chains) -> Chains:
    """Return the chains with mentions of one number as what they mean, one word; each mention once."""
    seen: set[Mention] = set()
    found: Chains = []
    for chain in chains:
        mentions = dict.fromkeys(mention * 2 if len(mention) == 1 else mention for mention in chain)
        found.append([mention for mention in mentions if mention not in seen])
        seen.update(mentions)
    return [chain for chain in found if chain]


def chain_scores(pairs: Sequence[tuple[Chains, Chains]], *, corrected: bool = False) -> tuple[dict[str, Prf], float]:
    """Return precision, recall and F1 of each measure over all documents, and the average of the first three F1."""
    from karat.protocols.coreference.judgement import Judgement
    from karat.protocols.coreference.measured import COREF, COREFEVAL

    measures = COREF if corrected else COREFEVAL
    totals = {name: [0.0] * 4 for name in _MEASURES}
    for gold, system in pairs:
        judged = Judgement(gold, system, lone=corrected)
        for name, total in totals.items():
            total[:] = map(float.__add__, total, map(float, measures[name](judged)))
    results = {name: _scores(*total) for name, total in totals.items()}
    return results, sum(results[name][2] for name in _MEASURES[:3]) / 3


def _scores(found: float, gold: float, given: float, system: float) -> Prf:
    precision = given / system if given else 0
    recall = found / gold if found else 0
    return precision, recall, whole_zero_f1(precision, recall)
