"""The cases of a pack in bunches: a test for each of thousands would take as long to start and report as to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any

import pytest

Check = Callable[..., None]
CAPTURES = {"capsys", "capfd", "capfdbinary"}


def in_bunches(names: str, cases: Sequence[Any], size: int = 20) -> Callable[[Check], Check]:
    """Return what makes tests of a check: they do it for every case, ``size`` cases each, and name all that fail.

    ``names`` are the arguments for a case, as in ``pytest.mark.parametrize``; the others are fixtures. A case finds its
    own folder and its own patches, and nothing that was printed before. None can be skipped: that is a failure.
    """
    arguments = names.split(",")
    rows = [case if len(arguments) > 1 else (case,) for case in cases]
    bunches = [rows[start : start + size] for start in range(0, len(rows), size)]

    def tests_of(check: Check) -> Check:
        fixtures = [name for name in signature(check).parameters if name not in arguments]

        @pytest.mark.parametrize("bunch", bunches, ids=[name_of(bunch[0]) for bunch in bunches])
        @wraps(check)
        def test(bunch: list[tuple[Any, ...]], **given: Any) -> None:
            failures: dict[str, BaseException] = {}
            for number, row in enumerate(bunch):
                try:
                    with _own(given, number) as own:
                        check(*row, **own)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as failure:  # noqa: BLE001 - all are told
                    failures[name_of(row)] = failure
            if failures:
                told = f"{len(failures)} of {len(bunch)} cases fail: {', '.join(failures)}"
                raise BaseExceptionGroup(told, list(failures.values()))

        test.__signature__ = Signature(  # type: ignore[attr-defined]
            [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in ("bunch", *fixtures)]
        )
        return test

    return tests_of


def name_of(row: Sequence[Any]) -> str:
    """Return the name of a case: its id, and whatever else it consists of."""
    return "-".join(str(value["id"]) if isinstance(value, dict) else str(value) for value in row)


@contextmanager
def _own(given: dict[str, Any], number: int) -> Iterator[dict[str, Any]]:
    """Lend a case of a bunch what a test of its own would be given."""
    own = dict(given)
    if "tmp_path" in own:
        own["tmp_path"] /= str(number)
        own["tmp_path"].mkdir()
    for name in CAPTURES & own.keys():
        own[name].readouterr()
    with pytest.MonkeyPatch.context() as patches:
        if "monkeypatch" in own:
            own["monkeypatch"] = patches
        yield own
