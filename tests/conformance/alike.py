"""When two results are the same: whole numbers exactly, fractions to the twelfth digit, texts by the byte."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any


def differences(found: Any, expected: Any, place: str = "") -> list[str]:
    """Return where two results differ; ``"NaN"`` stands for what is not a number."""
    if hasattr(found, "tolist"):
        found = found.tolist()
    if isinstance(expected, dict):
        if not isinstance(found, dict) or found.keys() != expected.keys():
            return [f"{place}: {found!r} instead of {expected!r}"]
        return [fault for key in expected for fault in differences(found[key], expected[key], f"{place}/{key}")]
    if isinstance(expected, list):
        if not isinstance(found, list | tuple) or len(found) != len(expected):
            return [f"{place}: {found!r} instead of {expected!r}"]
        pairs = enumerate(zip(found, expected, strict=True))
        return [fault for number, pair in pairs for fault in differences(*pair, f"{place}/{number}")]
    return [] if _same(found, expected) else [f"{place}: {found!r} instead of {expected!r}"]


def _same(found: Any, expected: Any) -> bool:
    if expected == "NaN" or (isinstance(expected, float) and math.isnan(expected)):
        return isinstance(found, float) and math.isnan(found)
    if isinstance(expected, float):
        return isinstance(found, int | float) and abs(found - expected) <= 1e-12
    return bool(found == expected)


def result_of(call: Callable[[], Any]) -> Any:
    """Return what a call gives, or the error that it ends with by its class."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - the class is what is compared
        return {"error": type(error).__name__}


def without_messages(expected: Any) -> Any:
    """Return an expected result in which errors have their class and no message."""
    if isinstance(expected, dict):
        if expected.keys() == {"error", "message"}:
            return {"error": expected["error"]}
        return {key: without_messages(value) for key, value in expected.items()}
    return [without_messages(value) for value in expected] if isinstance(expected, list) else expected
