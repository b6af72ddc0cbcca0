"""Nothing takes more than n log n steps, in any dimension of the input, unless a limit is stated."""

from __future__ import annotations

import importlib

import pytest

from karat.annotations.faults import faults
from karat.cli import karat
from karat.evaluation.registry import protocols
from tests.fuzz.targets import targets
from tests.fuzz.test_fuzz import commands
from tests.growth.corpora import DIMENSIONS
from tests.growth.limits import LIMITS, is_excepted
from tests.growth.measuring import too_fast
from tests.growth.results import COMMANDS, of_command, views_of, views_of_words
from tests.growth.subjects import of_protocol, of_target

FORMATS = [title for title, target in targets().items() if target.is_format]
CALLED = [title for title, target in targets().items() if not target.is_format]


@pytest.mark.parametrize("title", FORMATS)
def test_reading(title: str) -> None:
    assert [found for found in of_target(targets()[title], 6) if found[1]] == []


@pytest.mark.parametrize("title", CALLED)
def test_calling(title: str) -> None:
    found = of_target(targets()[title], 5, most=6)
    assert [told for told in found if told[1] and not is_excepted(f"{title}, {told[0]}")] == []


@pytest.mark.parametrize("name", [name for name in protocols() if name != "tac2015-sf"])
def test_judging(name: str) -> None:
    """The protocol of Cold Start is called with its files, among the commands."""
    found = of_protocol(protocols()[name], 6)
    assert [told for told in found if told[1] and not is_excepted(f"protocol {name}, {told[0]}")] == []


@pytest.mark.parametrize("name", [name for name in COMMANDS if views_of(name) and name != "score --family"])
def test_showing(name: str) -> None:
    """The view for terminals looks at every line before it shows one; the others, and families, are of the long run."""
    assert [told for told in of_command(name, 9, views_of(name)[:1]) if told[1]] == []


def test_every_command_that_shows_results_is_measured() -> None:
    shown = {" ".join(names) for names in commands(karat) if views_of_words(names)}
    others = {"show": "is score without the scoring", "validate": "is measured by reading every sample"}
    assert shown - {name.partition(" -")[0].partition(" of ")[0] for name in COMMANDS} == shown & others.keys()


@pytest.mark.parametrize("name", DIMENSIONS)
def test_the_documents_are_sound(name: str) -> None:
    for side in DIMENSIONS[name](6):
        assert [fault for document in side for fault in faults(document)] == []


@pytest.mark.parametrize("place", LIMITS)
def test_the_limits_are_those_of_the_code(place: str) -> None:
    module, _, name = place.partition(":")
    assert getattr(importlib.import_module(module), name) > LIMITS[place]


def test_what_grows_too_fast_is_found() -> None:
    def pairs(number: int) -> object:
        def work() -> None:
            for _ in range(number):
                for _ in range(number):
                    pass

        return work

    def halves(number: int) -> object:
        def work() -> None:
            for _ in range(number):
                step = number
                while step:
                    step //= 2

        return work

    assert "steps more from 41 to 82" in too_fast(pairs, 40)  # type: ignore[arg-type]
    assert too_fast(halves, 40) == ""  # type: ignore[arg-type]
