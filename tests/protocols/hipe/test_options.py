from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.protocols.hipe.sheets import COARSE, document

import karat
from karat.errors import InputError
from karat.protocols.hipe.options import (
    HipeOptions,
    Level,
    parse_cutoffs,
    parse_glue,
    parse_levels,
    parse_periods,
    parse_tagset,
)


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_levels, "0.1"),
        (parse_levels, "a-b"),
        (parse_levels, ","),
        (parse_periods, "1790"),
        (parse_periods, "1790-x"),
        (parse_periods, "1790/13/01-1791/01/01"),
        (parse_cutoffs, "1,x"),
        (parse_glue, "A"),
        (parse_glue, "A+B+C"),
    ],
)
def test_what_cannot_be_read_is_quoted_with_an_example(parse: object, text: str) -> None:
    with pytest.raises(InputError, match="expected") as caught:
        parse(text)  # type: ignore[operator]
    assert repr(text.split(",")[0] or text) in str(caught.value) or repr(text) in str(caught.value)


def test_days_and_years() -> None:
    (years,), (days,) = parse_periods("1790-1810"), parse_periods("1790/01/01-1810/12/31")
    assert years.name == days.name == "TIME-1790-1810"
    assert (str(years.end), str(days.end)) == ("1810-01-01", "1810-12-31")


def test_a_noise_band_ends_before_its_upper_bound_unless_it_is_a_point() -> None:
    assert [Level(0, 0.1).holds(noise) for noise in (0.0, 0.1, None)] == [True, False, True]
    assert Level(0, 0).holds(0.0)


def test_a_tag_set_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "tags.txt").write_text("loc\nOrg\n", encoding="utf-8")
    assert parse_tagset(str(tmp_path / "tags.txt")) == ("LOC", "ORG")


def test_options_are_in_the_signature_where_they_differ() -> None:
    gold = [document("B-loc")]
    options: dict[str, Any] = {"n_best": "1,3", "overlap": "best", "noise_level": "0-0.1", "tagset": ("LOC",)}
    signature = karat.score(COARSE, gold, gold, **options).signature
    parts = {key: value for key, _, value in (part.partition(":") for part in signature.split("|"))}
    assert parts.items() >= {"profile": "current", "n_best": "1,3", "overlap": "best"}.items()
    assert parts["noise_level"] == "LED-0.0-0.1"
    assert len(parts["tagset"]) == 12
    assert "glue" not in parts


def test_slices_are_every_band_in_every_period() -> None:
    options = HipeOptions(noise_level=parse_levels("0-1"), time_period=parse_periods("1790-1800"))
    assert [part.name for part in options.slices] == [
        "",
        "TIME-1790-1800-LED-ALL",
        "TIME-ALL-LED-0.0-1.0",
        "TIME-1790-1800-LED-0.0-1.0",
    ]
