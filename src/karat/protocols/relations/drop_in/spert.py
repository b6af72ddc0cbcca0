"""The tables that SpERT prints: entities, relations, and relations with typed ends, for each type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from karat.cli.drop_in import ProgramOutput
from karat.measures.published import PRF, whole_zero_prf
from karat.protocols.relations.counted import ENTITIES, REL, REL_PLUS
from karat.protocols.relations.drop_in.counts import CountsByLabel, DraftedFiles, ProgramCounts, evaluate
from karat.protocols.relations.drop_in.counts import read as read_files

__all__ = ["evaluate", "printed", "read"]

_ENTITIES = """--- Entities (named entity recognition (NER)) ---
An entity is considered correct if the entity type and span is predicted correctly
"""
_WITHOUT = (
    "A relation is considered correct if the relation type and the spans of the two related entities are predicted "
    "correctly (entity type is not considered)\n"
)
_WITH = (
    "A relation is considered correct if the relation type and the two related entities are predicted correctly "
    "(in span and entity type)\n"
)


def read(gold: str, system: str | None = None) -> DraftedFiles:
    """Read two files of any format with relations, or one file of SciERC lines with predictions beside the gold."""
    return read_files("spert", gold, system)


def printed(regimes: Mapping[str, CountsByLabel]) -> ProgramOutput:
    """Return the three tables, with types in alphabetical order."""
    parts = ["Evaluation\n\n", _ENTITIES, *_table(regimes[ENTITIES]), "\n--- Relations ---\n"]
    parts += ["\nWithout named entity classification (NEC)\n" + _WITHOUT, *_table(regimes[REL])]
    parts += ["\nWith named entity classification (NEC)\n" + _WITH, *_table(regimes[REL_PLUS])]
    return ProgramOutput("".join(parts))


def _table(regime: CountsByLabel) -> Iterator[str]:
    """Yield the rows of a table; if no item is correct, SpERT prints the support as a float."""
    total = regime[None]
    labels = sorted(label for label in regime if label is not None)
    rows = {label: [100 * share for share in _prf(regime[label])] for label in labels}
    means = [sum(row[column] for row in rows.values()) / len(rows) if rows else float("nan") for column in range(3)]
    is_fraction = bool(labels) and not total.correct

    def row(name: str, shares: list[float], support: int) -> str:
        cells = [f"{share:.2f}" for share in shares]
        return _row(name, *cells, str(float(support) if is_fraction else support))

    yield "\n" + _row("type", "precision", "recall", "f1-score", "support")
    yield from (row(label, rows[label], regime[label].gold) for label in labels)
    yield "\n"
    yield row("micro", [100 * share for share in _prf(total)], total.gold)
    yield row("macro", means, total.gold)


def _row(name: str, *cells: str) -> str:
    return f"{name:>20}" + "".join(f" {cell:>12}" for cell in cells) + "\n"


def _prf(counts: ProgramCounts) -> PRF:
    return whole_zero_prf(counts.correct, counts.system, counts.gold)
