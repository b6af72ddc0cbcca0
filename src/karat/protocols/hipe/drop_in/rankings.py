"""The official ranking tables of HIPE 2020 and 2022, from the rows of the scorer's condensed reports, and the points.

In the challenges of HIPE 2022 the best run of every team gets points, summed over data sets and sub-challenges.

Two quirks of the published tables, which ``corrected`` avoids: systems with the same figures leave only one row
(*drops-equal-figures*, 2022 only), and the newspaper challenge's EL-only points bear the name of the commentary
challenge (*mislabels-el-only*).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from karat.protocols.hipe.drop_in.evaluate import DATASETS, Submission, check_name
from karat.protocols.hipe.drop_in.reports import HEADER, WHOLE

ReportRow = Mapping[str, str]
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


def ranking(rows: Iterable[ReportRow], table: RankTable, edition: str, *, corrected: bool = False) -> list[ReportRow]:
    """Select and sort the rows of a table: by Label or Evaluation, then by F1, the best first.

    HIPE-2020 ranks aggregates only and knows no slices in the names of evaluations. HIPE-2022 ranks every label and
    the first link only, and of rows that differ in nothing but the system it keeps one, unless ``corrected``.

    >>> row = {"Evaluation": "NE-COARSE-LIT-micro-fuzzy-TIME-ALL-LED-ALL", "Label": "ALL", "P": "0.5", "R": "0.5"}
    >>> rows = [{**row, "System": f"{team}_bundle4_ajmc_de_1", "F1": f1} for team, f1 in (("a", "0.5"), ("b", "0.75"))]
    >>> [row["System"] for row in ranking(rows, TABLES["hipe-2022"][0], "hipe-2022")]
    ['b_bundle4_ajmc_de_1', 'a_bundle4_ajmc_de_1']
    """
    chosen = [row for row in sorted(rows, key=itemgetter("System")) if _belongs(row, table, edition)]
    if edition == "hipe-2020":
        chosen = [
            {**row, "Evaluation": row["Evaluation"].replace(WHOLE, "")} for row in chosen if row["Label"] == "ALL"
        ]
    elif not corrected:
        distinct: dict[tuple[str, ...], ReportRow] = {}
        for row in chosen:
            distinct.setdefault(tuple(row.get(name, "") for name in HEADER[1:]), row)
        chosen = list(distinct.values())
    chosen.sort(key=lambda row: (row["Evaluation"], row["System"]))
    chosen.sort(key=lambda row: row["F1"], reverse=True)
    return sorted(chosen, key=lambda row: row[table.first])


def ranking_text(rows: Sequence[ReportRow], table: RankTable, edition: str) -> str:
    """Return a ranking as the organisers wrote it; HIPE-2022 left out the standard deviations."""
    names = [name for name in HEADER if edition == "hipe-2020" or not name.endswith("_std")]
    lines = ["\t".join(names), *("\t".join(row.get(name, "") for name in names) for row in rows)]
    return "".join(line + table.line_end for line in lines)


def _belongs(row: ReportRow, table: RankTable, edition: str) -> bool:
    evaluation = row["Evaluation"]
    return (
        evaluation.startswith(table.columns)
        and f"-{table.regime}-" in f"{evaluation}-"
        and table.relaxed in (None, "-relaxed-" in evaluation)
        and ("-@" not in evaluation or evaluation.endswith("-@1") or edition == "hipe-2020")
        and check_name(f"{row['System']}.tsv", edition).bundle in table.bundles
    )


EDITION = "hipe-2022"
COMMENTARIES = frozenset({"ajmc"})
NEWSPAPERS = frozenset(DATASETS) - COMMENTARIES

Rankings = Mapping[tuple[str, str, str], Sequence[ReportRow]]
"""Ranking tables by data set, language and name."""


@dataclass(frozen=True)
class SubChallenge:
    """A task of a challenge: the ranking table it is decided by, and the bundles that take part."""

    name: str
    label: str
    table: str
    bundles: frozenset[int]
    averages: bool = False
    """Whether fine and nested entities are averaged for each run."""


@dataclass(frozen=True)
class Challenge:
    """A challenge: its data sets by kind, of which a team needs every kind, and its sub-challenges."""

    name: str
    kinds: tuple[frozenset[str], ...]
    parts: tuple[SubChallenge, ...]


_COARSE = SubChallenge("nerc-coarse-fuzzy", "NERC-COARSE", "coarse-micro-fuzzy-all", _END_TO_END)
_FINE = SubChallenge("nerc-fine+nested-fuzzy", "NERC-FINE+NESTED", "fine-micro-fuzzy-all", _END_TO_END, averages=True)
_EL = SubChallenge("nel-relaxed", "EL", "nel-micro-fuzzy-relaxed-all", frozenset({1, 2, 4}))
_EL_ONLY = SubChallenge("nel-only-relaxed", "EL-ONLY", "nel-only-micro-fuzzy-relaxed-all", _LINKS_ONLY)

CHALLENGES = (
    Challenge("mnc", (NEWSPAPERS,), (_EL_ONLY, _EL, _COARSE)),
    Challenge("mcc", (COMMENTARIES,), (_EL_ONLY, _EL, _COARSE)),
    Challenge("gac", (COMMENTARIES, NEWSPAPERS), (_EL_ONLY, _EL, _COARSE, _FINE)),
)
"""The Multilingual Newspaper, Multilingual Classical Commentary and Global Adaptation Challenges."""


class Placing(NamedTuple):
    """The best run of a team on one data set and language."""

    rank: int
    team: str
    submission: Submission
    f1: str
    system: str

    @property
    def points(self) -> int:
        """50 for the best team, 10 less for each one after it."""
        return max(0, 50 - 10 * (self.rank - 1))


def participants(systems: Collection[str], challenge: Challenge, baselines: Collection[str] = ()) -> set[str]:
    """Return the teams of a challenge: those with a run on every kind of its data sets, baselines aside.

    >>> systems = ["a_bundle4_ajmc_de_1", "b_bundle4_ajmc_fr_1", "b_bundle4_sonar_de_1"]
    >>> participants(systems, CHALLENGES[2])
    {'b'}
    """
    runs = [check_name(f"{system}.tsv", EDITION) for system in systems]
    teams = [{run.team for run in runs if run.dataset in kind} for kind in challenge.kinds]
    return set.intersection(*teams) - set(baselines)


def placings(rows: Sequence[ReportRow], part: SubChallenge, teams: Collection[str]) -> list[Placing]:
    """Return the best run of every team in the order of a ranking table."""
    aggregates = [row for row in rows if row["Label"] == "ALL"]
    by_team: dict[str, Placing] = {}
    for row in averaged(aggregates) if part.averages else aggregates:
        run = check_name(f"{row['System']}.tsv", EDITION)
        if run.bundle in part.bundles and run.team in teams and run.team not in by_team:
            by_team[run.team] = Placing(len(by_team) + 1, run.team, run, f"{float(row['F1']):.3f}", row["System"])
    return list(by_team.values())


def averaged(rows: Sequence[ReportRow]) -> list[ReportRow]:
    """Average the F1 of fine and nested entities for each run, and sort again; a run with one of them keeps it.

    >>> rows = [{"System": "a", "Evaluation": "NE-FINE-LIT-micro", "F1": "0.7"},
    ...         {"System": "b", "Evaluation": "NE-FINE-LIT-micro", "F1": "0.6"},
    ...         {"System": "a", "Evaluation": "NE-NESTED-micro", "F1": "0.3"}]
    >>> [(row["System"], row["F1"]) for row in averaged(rows)]
    [('b', '0.6'), ('a', '0.5')]
    """
    runs: dict[str, ReportRow] = {}
    for row in rows:
        known = runs.get(row["System"])
        if known is None:
            runs[row["System"]] = row
            continue
        name = re.sub("-FINE-LIT-|-NESTED-", "-FINE-LIT-NE-NESTED-AVG-", known["Evaluation"])
        mean = (float(known["F1"]) + float(row["F1"])) / 2
        runs[row["System"]] = {**known, "Evaluation": name, "F1": repr(mean)}
    return sorted(runs.values(), key=lambda row: float(row["F1"]), reverse=True)


def challenge_files(
    rankings: Rankings, systems: Collection[str], baselines: Collection[str] = (), *, corrected: bool = False
) -> dict[str, str]:
    """Return the point tables of all challenges by their official file names."""
    files: dict[str, str] = {}
    for challenge in CHALLENGES:
        teams = participants(systems, challenge, baselines)
        results = {part: _results(rankings, challenge, part, teams) for part in challenge.parts}
        for part, placings_of_part in results.items():
            label = f"{challenge.name.upper()}:{part.label}"
            if label == "MNC:EL-ONLY" and not corrected:
                label = "MCC:EL-ONLY"
            name = f"{challenge.name}-challenge-{part.name}"
            files[f"{name}-dataset-team-ranking.tsv"] = _placings_text(label, placings_of_part)
            points = _points(sorted(placings_of_part, key=lambda placing: placing.team))
            ranks = range(1, len(points) + 1)
            files[f"{name}-challenge-team-ranking.tsv"] = _points_text(label, ranks, points)
        points = _points(chain.from_iterable(results.values()))
        name = f"{challenge.name}-challenge-team-ranking.tsv"
        files[name] = _points_text(challenge.name.upper(), _shared_ranks(points), points)
    return files


def _results(rankings: Rankings, challenge: Challenge, part: SubChallenge, teams: Collection[str]) -> list[Placing]:
    """Return the placings of a sub-challenge, by data set and language."""
    datasets = frozenset[str]().union(*challenge.kinds)
    return [
        placing
        for dataset, language, table in sorted(rankings)
        if dataset in datasets and table == part.table
        for placing in placings(rankings[dataset, language, table], part, teams)
    ]


def _points(placed: Iterable[Placing]) -> list[tuple[str, int]]:
    """Sum the points of every team, the best first; of equals the one found first."""
    points: Counter[str] = Counter()
    for placing in placed:
        points[placing.team] += placing.points
    return points.most_common()


def _shared_ranks(points: Sequence[tuple[str, int]]) -> list[int]:
    """Rank the teams; equal points share a rank, and the next rank is skipped.

    >>> _shared_ranks([("a", 90), ("b", 50), ("c", 50), ("d", 0)])
    [1, 2, 2, 4]
    """
    order = [total for _, total in points]
    return [order.index(total) + 1 for total in order]


def _placings_text(label: str, placed: Sequence[Placing]) -> str:
    header = "CHALLENGE\tRANK\tPOINTS\tTEAM\tDATASET\tLANGUAGE\tF1\tSystem\n"
    return header + "".join(
        f"{label}\t{placing.rank}\t{placing.points}\t{placing.team}\t{placing.submission.dataset}\t{placing.submission.language}"
        f"\t{placing.f1}\t{placing.system}\n"
        for placing in placed
    )


def _points_text(label: str, ranks: Iterable[int], points: Sequence[tuple[str, int]]) -> str:
    lines = (f"{label}\t{rank}\t{total}\t{team}\n" for rank, (team, total) in zip(ranks, points, strict=True))
    return "CHALLENGE\tRANK\tPOINTS\tTEAM\n" + "".join(lines)
