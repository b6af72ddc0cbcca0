from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.vocabularies.coldstart.problems import NO_PLACE, ProblemLog, Stop, catalogue

records = st.lists(
    st.tuples(
        st.sampled_from(["NO_MENTIONS", "COLON_OMITTED", "ILLEGAL_ENTITY_NAME"]),
        st.sampled_from(["a", "b"]),
        st.integers(1, 4),
    )
)


def logged(items) -> ProblemLog:
    log = ProblemLog()
    for name, argument, line in items:
        log.record(name, argument, where=f"kb line {line}")
    return log


@given(records, st.randoms())
def test_the_order_of_problems_does_not_matter(items, random):
    shuffled = list(items)
    random.shuffle(shuffled)
    one, two = logged(items), logged(shuffled)
    assert (one.errors, one.warnings) == (two.errors, two.warnings)
    assert [(f.text, set(f.places)) for f in one.findings()] == [(f.text, set(f.places)) for f in two.findings()]


@given(records)
def test_every_occurrence_counts_and_every_text_is_shown_once(items):
    log = logged(items)
    assert log.errors + log.warnings == len(items)
    assert len(log.report().splitlines()) == len({(name, argument) for name, argument, _ in items})


def test_places():
    log = ProblemLog()
    for line in (3, 3, 5, 9):
        log.record("COLON_OMITTED", "E1", where=f"kb line {line}")
    log.record("NO_MENTIONS", ":E1", where=NO_PLACE)
    log.record("UNKNOWN_TYPE", ":E1", where="")
    assert log.report().splitlines() == [
        "WARNING: Initial colon omitted from name of entity E1 (kb line 3 and 2 other places)",
        "WARNING: Entity :E1 has no mentions",
        "ERROR: Cannot infer type for Entity :E1 ()",
    ]
    with pytest.raises(Stop, match="1 error encountered"):
        log.conclusion()


def test_only_warnings_can_be_ignored():
    log = ProblemLog(["COLON_OMITTED"])
    log.record("COLON_OMITTED", "E1", where=NO_PLACE)
    assert log.conclusion() == "No warnings encountered\n"
    with pytest.raises(Stop, match="Unknown warning: NOPE"):
        ProblemLog(["NOPE"])
    with pytest.raises(Stop, match="ILLEGAL_DOCID is a fatal error"):
        ProblemLog(["ILLEGAL_DOCID"])


def test_every_problem_that_can_occur_says_what_to_do():
    for kind in catalogue().values():
        if "never raised" not in kind.when and kind.repair not in ("", "-"):
            assert kind.message
    assert catalogue()["MISSING_INVERSE"].fix
