"""The list of cases that run as drop-in only: it names cases, and every case at which a program stops."""

from __future__ import annotations

import pytest

from tests.conformance import packs


@pytest.mark.parametrize("suite", ["tags", "relations"])
def test_the_list_is_that_of_the_pack(suite: str) -> None:
    listed = packs.drop_in_only(suite)
    cases = {case["id"]: case for case in packs.manifest(suite)}
    assert listed.keys() <= cases.keys()
    stops = {name for name, case in cases.items() if case["exit"] and not case["program"].endswith("checker")}
    assert {name for name, reason in listed.items() if reason == "the program stops"} == stops
