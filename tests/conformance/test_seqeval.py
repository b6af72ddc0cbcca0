"""Every case of the pack, and every recorded call of seqeval's own tests, by the module and by the protocol."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

import karat
from karat.compat.evaluate import seqeval as huggingface
from karat.compat.seqeval import metrics
from karat.compat.seqeval.metrics import sequence_labeling, v1
from karat.compat.seqeval.scheme import Tokens, auto_detect, schemes
from tests.conformance import packs
from tests.conformance.alike import differences, result_of, without_messages
from tests.conformance.bunches import in_bunches

CASES = [case for case in packs.manifest("tags") if case["program"] == "seqeval"]
PUBLIC = packs.SHARED / "tags-relations" / "seqeval" / "public"
AVERAGES = {"micro": "micro", "macro": "macro", "weighted": "weighted", "none": None}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def loaded(case: dict) -> tuple[dict, dict]:
    folder = packs.synthetic("tags")
    call, result = case["inputs"]["call"], case["expected"]["result"]
    return json.loads((folder / call).read_text("utf-8")), json.loads((folder / result).read_text("utf-8"))


def by_module(call: dict) -> dict[str, Any]:
    """Return what the functions of the module say about a call, as the pack has it."""
    sides, options = (call["y_true"], call["y_pred"]), dict(call["options"])
    scheme = schemes().get(options.get("scheme"))
    given = {key: options[key] for key in ("suffix", "zero_division", "sample_weight") if key in options}
    moded = {**given, "scheme": scheme, **({"mode": options["mode"]} if "mode" in options else {})}
    digits = {"digits": options["digits"]} if "digits" in options else {}
    is_strict = options.get("mode") == "strict"
    four = v1.precision_recall_fscore_support if is_strict and scheme else None
    extra: dict[str, Any] = {"beta": options["beta"]} if "beta" in options else {}
    extra |= {"scheme": scheme} if four else {}
    four = four or sequence_labeling.precision_recall_fscore_support

    def averages(function: Any, **settings: Any) -> dict[str, Any]:
        return {
            name: result_of(partial(function, *sides, average=average, **settings))
            for name, average in AVERAGES.items()
        }

    named = {key: value for key, value in {**options, **given}.items() if key in ("mode", "scheme")}
    return {
        **{name: averages(getattr(metrics, name), **moded) for name in ("precision_score", "recall_score", "f1_score")},
        "precision_recall_fscore_support": averages(four, **given, **extra),
        "accuracy_score": result_of(lambda: metrics.accuracy_score(*sides)),
        "performance_measure": result_of(lambda: metrics.performance_measure(*sides)),
        "classification_report_dict": result_of(
            lambda: metrics.classification_report(*sides, output_dict=True, **moded)
        ),
        **text_or_error(result_of(lambda: metrics.classification_report(*sides, **digits, **moded))),
        "huggingface": result_of(
            lambda: huggingface.compute(references=sides[0], predictions=sides[1], **given, **named)
        ),
        "entities": {
            name: result_of(partial(entities, tags, call, is_strict=is_strict))
            for name, tags in zip(("true", "pred"), sides, strict=True)
        },
    }


def text_or_error(report: Any) -> dict[str, Any]:
    """Return the report among the texts, or the error in its place, as the pack has it."""
    named = {"classification_report": report}
    return named if isinstance(report, dict) else {"texts": named}


def entities(tags: Any, call: dict, *, is_strict: bool) -> Any:
    options = call["options"]
    suffix = options.get("suffix", False)
    if not is_strict:
        return sequence_labeling.get_entities(tags, suffix)
    scheme = schemes()[options["scheme"]] if options.get("scheme") else auto_detect(call["y_true"], suffix)
    return [[entity.to_tuple()[1:] for entity in Tokens(part, scheme, suffix).entities] for part in tags]


@in_bunches("case", CASES)
def test_module(case: dict) -> None:
    call, expected = loaded(case)
    found = by_module(call)
    expected = {key: value for key, value in without_messages(expected).items() if value and key != "warnings"}
    assert differences({key: found.get(key) for key in expected}, expected) == []


def by_protocol(call: dict) -> dict[str, Any]:
    """Return what ``karat score`` says about a call, in the words of the module."""
    options = call["options"]
    zero = "zero" if options.get("zero_division", "warn") in ("warn", 0) else "one"
    settings = {key: options[key] for key in ("scheme",) if options.get(key)}
    settings |= {"mode": "strict"} if options.get("mode") == "strict" else {}
    settings |= {"suffix": "yes"} if options.get("suffix") else {}
    scores = karat.score("seqeval", call["y_true"], call["y_pred"], by="label", zero=zero, **settings)
    averages = {"micro": "micro", "macro": "macro-label", "weighted": "weighted-label"}
    found: dict[str, Any] = {
        f"{measure}_score": {name: scores.value(measure, average=average) for name, average in averages.items()}
        for measure in ("precision", "recall", "f1")
    }
    labels = sorted({row.label for row in scores if row.label is not None})
    for measure in ("precision", "recall", "f1"):
        found[f"{measure}_score"]["none"] = [scores.value(measure, label=label) for label in labels]
    return {**found, "accuracy_score": scores.value("accuracy")}


@in_bunches("case", CASES)
def test_protocol(case: dict) -> None:
    """What the program ends at is refused, or without a number; macro of no types is undefined, there not a number."""
    call, expected = loaded(case)
    if isinstance(expected["f1_score"]["micro"], dict):
        with pytest.raises(karat.KaratError):
            by_protocol(call)
        return
    found = by_protocol(call)
    wanted: dict[str, Any] = {
        key: {name: None if value == "NaN" else value for name, value in expected[key].items()}
        for key in ("precision_score", "recall_score", "f1_score")
    }
    if isinstance(expected["accuracy_score"], float):
        wanted["accuracy_score"] = expected["accuracy_score"]
    assert differences({key: found[key] for key in wanted}, wanted) == []


def recorded(name: str) -> list[dict]:
    path = PUBLIC / name
    if not path.exists():
        pytest.skip("the recorded calls are not beside the repository")
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.splitlines()]


def test_recorded_calls() -> None:
    calls = recorded("seqeval.jsonl.gz")
    modules = {"seqeval.metrics.sequence_labeling": sequence_labeling, "seqeval.metrics.v1": v1}
    faults = []
    for number, call in enumerate(calls):
        arguments = dict(call["args"])
        if arguments.get("scheme"):
            arguments["scheme"] = schemes()[arguments["scheme"]]
        arguments |= {"suffix": True} if call["suffix"] else {}
        function = getattr(modules[call["mod"]], call["fn"])
        expected = {"error": call["error"].split(":")[0]} if "error" in call else call["result"]
        faults += differences(result_of(partial(function, **arguments)), expected, f"{number} {call['fn']}")
    assert faults == []
    assert len(calls) == 1253


def token_entities(*arguments: Any) -> list[tuple]:
    return [entity.to_tuple()[1:] for entity in Tokens(*arguments).entities]


def test_recorded_tokens() -> None:
    calls = recorded("seqeval_tokens.jsonl")
    faults = []
    for number, call in enumerate(calls):
        tags, scheme, suffix, delimiter = call["in"]
        found = result_of(partial(token_entities, tags, schemes()[scheme], suffix, delimiter))
        expected = {"error": "ValueError"} if "error" in call else call["out"]
        faults += differences(found, expected, f"{number}")
    assert faults == []
    assert len(calls) == 300
