"""What is read off whole documents by their runs of tags is what is read segment by segment, tag by tag."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.tag_chunks import NeighbourReading, Reading, chunks_over, one_by_one
from karat.annotations.tag_schemes import (
    SCHEMES,
    broken_tags,
    chunks_and_forms,
    decode,
    fitting_scheme,
    misfits,
    shapes,
)
from karat.protocols.spans import readings

TAGS = ["O", "O", "O", "B-X", "I-X", "I-Y", "E-X", "S-X", "S", "X", "B-0", "[-X", "]-Y", ".", "I-_", "O-X", "Q-Z"]
READINGS: dict[str, Reading] = {
    "conlleval": readings.conlleval,
    "seqeval": readings.seqeval(),
    "seqeval-suffix": readings.seqeval(suffix=True),
    "wnut17-first": readings.wnut17_first,
}
segmented = st.lists(st.lists(st.sampled_from(TAGS), min_size=1, max_size=8), max_size=5)


def together(segments: list[list[str]]) -> tuple[list[str], list[int]]:
    starts = [sum(map(len, segments[:number])) for number in range(len(segments))]
    return [tag for segment in segments for tag in segment], starts


@pytest.mark.parametrize("name", READINGS)
@given(segments=segmented)
def test_runs_are_read_as_tags_one_by_one(name: str, segments: list[list[str]]) -> None:
    tags, starts = together(segments)
    assert chunks_over(READINGS[name], tags, starts) == one_by_one(READINGS[name], tags, starts)


def test_runs_that_stand_alone_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = NeighbourReading(readings.split, readings.between)
    tags = ["B-X", "I-X", "O", "B-Y"] * 50
    expected = one_by_one(reading, tags, [0])
    assert reading.over(tags, [0]) == expected
    monkeypatch.setattr(NeighbourReading, "__call__", None)
    assert reading.over(tags, [0]) == expected


@given(segments=segmented)
def test_repairs_told_from_forms_are_those_of_tags(segments: list[list[str]]) -> None:
    tags, starts = together(segments)
    chunks, forms = chunks_and_forms(tags, starts)
    counts = {form: forms.count(form) for form in forms}
    decoded = [decode(segment, "IOB2") for segment in segments]
    assert [chunk[2] for chunk in chunks] == [chunk.label for found, _ in decoded for chunk in found]
    for scheme in SCHEMES:
        repairs = sum(len(decode(segment, scheme)[1]) for segment in segments)
        assert broken_tags(counts, scheme) == (scheme, repairs)
    listed = [shape for segment in segments for shape in shapes(segment)]
    best = fitting_scheme({shape: listed.count(shape) for shape in listed})
    assert broken_tags(counts)[0] == best
    assert misfits({shape: listed.count(shape) for shape in listed}, best) <= broken_tags(counts)[1]
