"""The official ranking tables of HIPE 2020 and 2022, from the rows of the scorer's condensed reports.

Two quirks of the published tables, which ``corrected`` avoids: systems with the same figures leave only one row
(*drops-equal-figures*, 2022 only), and the newspaper challenge's EL-only points bear the name of the commentary
challenge (*mislabels-el-only*, in :mod:`karat.protocols.hipe.drop_in.points`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from karat.protocols.hipe.drop_in.names import check_name
from karat.protocols.hipe.drop_in.reports import HEADER, WHOLE

Row = Mapping[str, str]
"""One row of a condensed report, by column name."""

_END_TO_END = frozenset({1, 2, 3, 4})
_LINKS_ONLY = frozenset({5})


@dataclass(frozen=True)
class RankTable:
    """One ranking table of a data set and language.

    ``columns`` are the beginnings of the evaluated columns, ``relaxed`` says whether to take the relaxed evaluations,
    the others, or both (``None``), and ``first`` is the column that the table is sorted by before F1.
    """

    name: str
    columns: tuple[str, ...]
    regime: str = "micro-fuzzy"
    bundles: frozenset[int] = _END_TO_END | _LINKS_ONLY
    relaxed: bool | None = False
    first: str = "Label"
    line_end: str = "\r\n"


_NERC = tuple(
    (f"{task}-{regime}-all", columns, regime)
    for task, columns in (("coarse", ("NE-COARSE",)), ("fine", ("NE-FINE", "NE-NESTED")))
    for regime in ("micro-fuzzy", "micro-strict")
)
_LINKS = (("nel", _END_TO_END), ("nel-only", _LINKS_ONLY))

TABLES = {
    "hipe-2022": (
        *(RankTable(name, columns, regime) for name, columns, regime in _NERC),
        RankTable("nel-micro-fuzzy-all", ("NEL",), bundles=_END_TO_END, line_end="\n"),
        RankTable("nel-only-micro-fuzzy-all", ("NEL",), bundles=_LINKS_ONLY, first="Evaluation", line_end="\n"),
        *(
            RankTable(f"{task}-micro-fuzzy-relaxed-all", ("NEL",), "micro-fuzzy", bundles, True, "Evaluation", "\n")
            for task, bundles in _LINKS
        ),
    ),
    "hipe-2020": (
        *(RankTable(name, columns, regime, first="Evaluation") for name, columns, regime in _NERC),
        *(
            RankTable(f"{task}-micro-fuzzy{ending}", ("NEL",), "micro-fuzzy", bundles, relaxed, "Evaluation")
            for task, bundles in _LINKS
            for ending, relaxed in (("", None), ("-relaxed", True))
        ),
    ),
}
"""The tables of each edition; those of links ended in a plain line feed in 2022."""

_WITHOUT_FINE = {
    "hipe-2022": {("hipe2020", "en"), ("sonar", "de"), ("topres19th", "en")},
    "hipe-2020": {("", "en")},
}


def tables(edition: str, dataset: str, language: str) -> list[RankTable]:
    """Return the tables of a data set and language: those without fine annotation have no table for it.

    >>> [table.name for table in tables("hipe-2022", "sonar", "de")][:3]
    ['coarse-micro-fuzzy-all', 'coarse-micro-strict-all', 'nel-micro-fuzzy-all']
    """
    fine = (dataset, language) not in _WITHOUT_FINE[edition]
    return [table for table in TABLES[edition] if fine or not table.name.startswith("fine")]


def file_name(table: RankTable, dataset: str, language: str) -> str:
    """Return the official file name.

    >>> file_name(TABLES["hipe-2020"][0], "", "de")
    'ranking-de-coarse-micro-fuzzy-all.tsv'
    """
    return "-".join(filter(None, ("ranking", dataset, language, table.name))) + ".tsv"


def ranking(rows: Iterable[Row], table: RankTable, edition: str, *, corrected: bool = False) -> list[Row]:
    """Select and sort the rows of a table: by Label or Evaluation, then by F1, the best first.

    HIPE-2020 ranks aggregates only and knows no slices in the names of evaluations. HIPE-2022 ranks every label and
    the first link only, and of rows that differ in nothing but the system it keeps one, unless ``corrected``.

    >>> row = {"Evaluation": "NE-COARSE-LIT-micro-fuzzy-TIME-ALL-LED-ALL", "Label": "ALL", "P": "0.5", "R": "0.5"}
    >>> rows = [{**row, "System": f"{team}_bundle4_ajmc_de_1", "F1": f1} for team, f1 in (("a", "0.5"), ("b", "0.75"))]
    >>> [row["System"] for row in ranking(rows, TABLES["hipe-2022"][0], "hipe-2022")]
    ['b_bundle4_ajmc_de_1', 'a_bundle4_ajmc_de_1']
    """
    chosen = [row for row in sorted(rows, key=_system) if _belongs(row, table, edition)]
    if edition == "hipe-2020":
        chosen = [
            {**row, "Evaluation": row["Evaluation"].replace(WHOLE, "")} for row in chosen if row["Label"] == "ALL"
        ]
    elif not corrected:
        distinct: dict[tuple[str, ...], Row] = {}
        for row in chosen:
            distinct.setdefault(tuple(row.get(name, "") for name in HEADER[1:]), row)
        chosen = list(distinct.values())
    chosen.sort(key=lambda row: (row["Evaluation"], row["System"]))
    chosen.sort(key=lambda row: row["F1"], reverse=True)
    return sorted(chosen, key=lambda row: row[table.first])


def ranking_text(rows: Sequence[Row], table: RankTable, edition: str) -> str:
    """Return a ranking as the organisers wrote it; HIPE-2022 left out the standard deviations."""
    names = [name for name in HEADER if edition == "hipe-2020" or not name.endswith("_std")]
    lines = ["\t".join(names), *("\t".join(row.get(name, "") for name in names) for row in rows)]
    return "".join(line + table.line_end for line in lines)


def _belongs(row: Row, table: RankTable, edition: str) -> bool:
    evaluation = row["Evaluation"]
    return (
        evaluation.startswith(table.columns)
        and f"-{table.regime}-" in f"{evaluation}-"
        and table.relaxed in (None, "-relaxed-" in evaluation)
        and ("-@" not in evaluation or evaluation.endswith("-@1") or edition == "hipe-2020")
        and check_name(f"{row['System']}.tsv", edition).bundle in table.bundles
    )


def _system(row: Row) -> str:
    return row["System"]
