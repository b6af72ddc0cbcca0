"""The challenges of HIPE 2022: points for the best run of every team, summed over data sets and sub-challenges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from karat.protocols.hipe.drop_in.names import DATASETS, Submission, check_name
from karat.protocols.hipe.drop_in.rank import Row

EDITION = "hipe-2022"
COMMENTARIES = frozenset({"ajmc"})
NEWSPAPERS = frozenset(DATASETS) - COMMENTARIES

Rankings = Mapping[tuple[str, str, str], Sequence[Row]]
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


_COARSE = SubChallenge("nerc-coarse-fuzzy", "NERC-COARSE", "coarse-micro-fuzzy-all", frozenset({1, 2, 3, 4}))
_FINE = SubChallenge(
    "nerc-fine+nested-fuzzy",
    "NERC-FINE+NESTED",
    "fine-micro-fuzzy-all",
    frozenset({1, 2, 3, 4}),
    averages=True,
)
_LINKS = SubChallenge("nel-relaxed", "EL", "nel-micro-fuzzy-relaxed-all", frozenset({1, 2, 4}))
_LINKS_ONLY = SubChallenge("nel-only-relaxed", "EL-ONLY", "nel-only-micro-fuzzy-relaxed-all", frozenset({5}))

CHALLENGES = (
    Challenge("mnc", (NEWSPAPERS,), (_LINKS_ONLY, _LINKS, _COARSE)),
    Challenge("mcc", (COMMENTARIES,), (_LINKS_ONLY, _LINKS, _COARSE)),
    Challenge("gac", (COMMENTARIES, NEWSPAPERS), (_LINKS_ONLY, _LINKS, _COARSE, _FINE)),
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


def placings(rows: Sequence[Row], part: SubChallenge, teams: Collection[str]) -> list[Placing]:
    """Return the best run of every team in the order of a ranking table."""
    aggregates = [row for row in rows if row["Label"] == "ALL"]
    by_team: dict[str, Placing] = {}
    for row in averaged(aggregates) if part.averages else aggregates:
        run = check_name(f"{row['System']}.tsv", EDITION)
        if run.bundle in part.bundles and run.team in teams and run.team not in by_team:
            by_team[run.team] = Placing(len(by_team) + 1, run.team, run, f"{float(row['F1']):.3f}", row["System"])
    return list(by_team.values())


def averaged(rows: Sequence[Row]) -> list[Row]:
    """Average the F1 of fine and nested entities for each run, and sort again; a run with one of them keeps it.

    >>> rows = [{"System": "a", "Evaluation": "NE-FINE-LIT-micro", "F1": "0.7"},
    ...         {"System": "b", "Evaluation": "NE-FINE-LIT-micro", "F1": "0.6"},
    ...         {"System": "a", "Evaluation": "NE-NESTED-micro", "F1": "0.3"}]
    >>> [(row["System"], row["F1"]) for row in averaged(rows)]
    [('b', '0.6'), ('a', '0.5')]
    """
    runs: dict[str, Row] = {}
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
