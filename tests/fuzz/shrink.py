"""Making a case that broke a promise as small as it can be, as long as it breaks the same one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from tests.fuzz.cases import Case
from tests.fuzz.oracle import FaultError, Place, examine
from tests.fuzz.targets import targets

MOST_TRIES = 600


def shrunk(case: Case, key: str, place: Place, most: int = MOST_TRIES) -> Case:
    """Return a smaller case with the same fault: fewer options, files, lines and bytes."""
    tries = [most]

    def holds(smaller: Case) -> bool:
        tries[0] -= 1
        try:
            examine(smaller, place)
        except FaultError as fault:
            return fault.key == key
        return False

    for step in (_without_options, _as_sample, _without_lines, _without_bytes):
        case = _repeated(case, step, holds, tries)
    return case


def _repeated(
    case: Case, step: Callable[[Case], Iterator[Case]], holds: Callable[[Case], bool], tries: list[int]
) -> Case:
    """Take a step as long as some smaller case holds."""
    is_smaller = True
    while is_smaller and tries[0] > 0:
        is_smaller = False
        for smaller in step(case):
            if tries[0] <= 0:
                break
            if holds(smaller):
                case, is_smaller = smaller, True
                break
    return case


def _without_options(case: Case) -> Iterator[Case]:
    for part in ("options", "settings"):
        given = getattr(case, part)
        for name in given:
            yield msgspec.structs.replace(case, **{part: {key: given[key] for key in given if key != name}})


def _as_sample(case: Case) -> Iterator[Case]:
    """Yield the case with one of its files as in the sample, or left out."""
    sample = targets()[case.target].files
    for name, content in case.files.items():
        if name in sample and sample[name] != content:
            yield msgspec.structs.replace(case, files={**case.files, name: sample[name]})
        elif name not in sample:
            yield msgspec.structs.replace(case, files={key: case.files[key] for key in case.files if key != name})


def _without_lines(case: Case) -> Iterator[Case]:
    yield from _without(case, b"\n")


def _without_bytes(case: Case) -> Iterator[Case]:
    yield from _without(case, b"")


def _without(case: Case, mark: bytes) -> Iterator[Case]:
    """Yield the case without a piece of one of its files, large pieces first."""
    for name, content in case.files.items():
        pieces = content.split(mark) if mark else [content[place : place + 1] for place in range(len(content))]
        size = len(pieces) // 2
        while size:
            for start in range(0, len(pieces), size):
                fewer = mark.join(pieces[:start] + pieces[start + size :])
                yield msgspec.structs.replace(case, files={**case.files, name: fewer})
            size //= 2
