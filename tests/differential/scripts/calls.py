"""Calls functions of a library, and tells what each gives: a value, an error, and its warnings. JSON in, JSON out."""

import contextlib
import dataclasses
import importlib
import io
import json
import math
import pathlib
import sys
import warnings


def answers(package, asked):
    """Return what the calls give; each is a module, a name, arguments, and calls of methods of what it returns."""
    told = []
    for module, name, arguments, keywords, methods in asked:
        function = getattr(importlib.import_module(package + module), name)
        found, value = told_of(function, arguments, _with_scheme(package, keywords))
        told.append(found)
        for method, own_keywords in methods if value is not None else ():
            told.append(told_of(getattr(value, method), (), own_keywords)[0])
    return told


def _with_scheme(package, keywords):
    if not isinstance(keywords.get("scheme"), str):
        return keywords
    schemes = importlib.import_module(package + ".scheme")
    return {**keywords, "scheme": getattr(schemes, keywords["scheme"])}


def told_of(function, arguments, keywords):
    """Return what a call gives, as it is told, and its value."""
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        try:
            value = function(*arguments, **keywords)
            found = plain(value)
        except Exception as error:  # noqa: BLE001 - an error is an answer
            value, found = None, ["error", type(error).__name__, str(error)]
    return [found, sorted([one.category.__name__, str(one.message)] for one in caught)], value


def plain(value):
    """Return a value as JSON has it; the order of dictionaries counts."""
    if dataclasses.is_dataclass(value):
        return [type(value).__name__, plain(vars(value))]
    if hasattr(value, "_asdict"):
        return [type(value).__name__, plain(value._asdict())]
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(one) for one in value)
    if hasattr(value, "items"):
        return [[key, plain(one)] for key, one in value.items()]
    return value if isinstance(value, (str, int, float, bool, type(None))) else type(value).__name__


if __name__ == "__main__":
    calls = json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8"))
    sys.stdout.write(json.dumps(answers(sys.argv[1], calls)))
