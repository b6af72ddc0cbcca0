"""What the ledgers of PURE, SpERT, DyGIE++ and PL-Marker add up to is what they count, label by label."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.differential.relations import scierc_pair

import karat
from karat.evaluation.ledger import Entry
from karat.evaluation.registry import protocol
from karat.protocols.relations.programs import PROGRAMS, SYMMETRIC

REGIMES = ("rel", "rel+", "entities")
refused = (HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much)  # PL-Marker stops at many inputs
few = settings(max_examples=25, deadline=None, suppress_health_check=refused)


def told(entries: list[Entry], *, doubles: bool) -> Counter[tuple[str, str | None]]:
    """Count the items of a ledger by the names of the tally; what is right again has no gold item of its own."""
    counts: Counter[tuple[str, str | None]] = Counter()
    for entry in entries:
        for regime, outcome in entry.verdicts.items():
            for side in ("gold", "system"):
                item = getattr(entry, side)
                if item is not None and not (side == "gold" and entry.case.startswith("repeated")):
                    times = 2 if doubles and regime != "entities" and item.label in SYMMETRIC else 1
                    counts.update({(f"{regime}-{side}", label): times for label in (None, item.label)})
            if outcome == "correct" and (found := entry.gold or entry.system):
                times = 2 if doubles and regime != "entities" and found.label in SYMMETRIC else 1
                counts.update({(f"{regime}-correct", label): times for label in (None, found.label)})
    return counts


@pytest.mark.parametrize("profile", PROGRAMS)
@few
@given(seed=st.integers(0, 10_000))
def test_the_ledger_adds_up_to_the_tallies(profile: str, seed: int, tmp_path: Path) -> None:
    sides = scierc_pair(Random(seed), tmp_path, ("R", "CONJUNCTION"))  # noqa: S311 - nothing here is secret
    try:
        total = karat.score("relations", *sides, format="scierc", profile=profile).tallies.total()
    except karat.InputError:
        assume(False)  # PL-Marker stops at repeated gold relations, and says so
    names = [f"{regime}-{part}" for regime in REGIMES for part in ("gold", "system", "correct")]
    places = {name: protocol("relations").with_options(profile=profile).counts.index(name) for name in names}
    wanted = {(name, group.label): counts[place] for group, counts in total.items() for name, place in places.items()}
    entries = karat.explain("relations", *sides, format="scierc", profile=profile)
    assert told(list(entries), doubles=PROGRAMS[profile].doubles) == {key: n for key, n in wanted.items() if n}
