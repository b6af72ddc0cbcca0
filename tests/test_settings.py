from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from karat.errors import UsageError
from karat.evaluation.pairing import Missing
from karat.evaluation.scores import ZERO_RULES
from karat.settings import Bounds, build, limit, option, shared_option, shown


@dataclass(frozen=True)
class Options:
    scheme: str = option("IOB2", "the tag scheme", choices=("IOB1", "IOB2", "BIOES"))
    cutoffs: tuple[int, ...] = option(
        (1,),
        "cutoffs",
        parse=lambda text: tuple(map(int, text.split(","))),
        show=lambda numbers: "+".join(map(str, numbers)),
    )
    profile: str = option("current", "the profile", always=True)


def test_texts_are_parsed_and_values_taken_as_they_are() -> None:
    assert (
        build(Options, {"cutoffs": "1,3"}, "x") == build(Options, {"cutoffs": (1, 3)}, "x") == Options(cutoffs=(1, 3))
    )


def test_unknown_names_and_values() -> None:
    with pytest.raises(UsageError, match="format x: unknown option 'sceme'; did you mean 'scheme'"):
        build(Options, {"sceme": "IOB1"}, "format x")
    with pytest.raises(UsageError, match="format x: scheme is 'IOB3'; expected IOB1, IOB2 or BIOES"):
        build(Options, {"scheme": "IOB3"}, "format x")


def test_a_signature_shows_what_differs_and_what_always_matters() -> None:
    assert shown(Options()) == {"profile": "current"}
    assert shown(Options("IOB1", (1, 3))) == {"scheme": "IOB1", "cutoffs": "1+3", "profile": "current"}


def test_paths_are_parsed_as_texts_are() -> None:
    @dataclass(frozen=True)
    class Files:
        table: int | None = option(None, "a file", parse=len, signed="table-file", show=str)

    assert build(Files, {"table": Path("abc")}, "x") == build(Files, {"table": "abc"}, "x") == Files(3)
    assert shown(Files(3)) == {"table-file": "3"}


def test_a_choice_of_nothing_is_not_offered() -> None:
    @dataclass(frozen=True)
    class Options:
        model: str = option("", "which model to use", choices=("", "small"))

    assert build(Options, {"model": ""}, "protocol x").model == ""
    with pytest.raises(UsageError, match=r"model is 'large'; expected small$"):
        build(Options, {"model": "large"}, "protocol x")


def test_shared_options_are_described_once() -> None:
    assert shared_option("missing").metadata["choices"] == get_args(Missing)
    assert shared_option("zero").metadata["choices"] == ZERO_RULES
    own = shared_option("profile", "corrected", help="which rules")
    assert (own.default, own.metadata["help"], own.metadata["always"]) == ("corrected", "which rules", True)


@pytest.mark.parametrize("value", [-1, 2.5, True, "2.5", "x", "", "9" * 5000, 11, None])
def test_numbers_have_bounds_in_python_and_on_the_command_line(value: object) -> None:
    @dataclass(frozen=True)
    class Options:
        most: int = option(4, "how many", bounds=Bounds(0, 10))
        share: float = option(0.5, "which share", bounds=Bounds(0, 1, whole=False))

    assert build(Options, {"most": "7", "share": "0.25"}, "protocol x") == Options(7, 0.25)
    assert build(Options, {"most": 10, "share": 1}, "protocol x") == Options(10, 1)
    with pytest.raises(UsageError, match=r"^protocol x: most is .*; expected a whole number from 0 to 10$"):
        build(Options, {"most": value}, "protocol x")


def test_limits_of_work_can_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_LIMITS", "10")
    assert limit(1000) == 10_000
    for wrong in ("0", "-1", "ten", "1e3", "", "9" * 30):
        monkeypatch.setenv("KARAT_LIMITS", wrong)
        with pytest.raises(UsageError, match="expected a whole number"):
            limit(1000)
