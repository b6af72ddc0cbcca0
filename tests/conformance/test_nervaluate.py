"""nervaluate: every case of the pack by the module and through ``karat.score``, and the calls of its own tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

import pytest

import karat
from karat.compat.nervaluate import Evaluator, strategies
from karat.compat.nervaluate.entities import Entity
from karat.model import Document, Mention
from tests.conformance import packs
from tests.conformance.alike import differences, result_of, without_messages
from tests.conformance.bunches import in_bunches

CASES = [case for case in packs.manifest("tags") if case["program"] == "nervaluate"]
PUBLIC = packs.SHARED / "tags-relations" / "nervaluate" / "public" / "nervaluate.jsonl"
SCENARIOS = ("strict", "exact", "partial", "ent_type")
OUTCOMES = ("correct", "incorrect", "partial", "missed", "spurious")


def loaded(case: dict) -> tuple[dict, dict]:
    folder = packs.synthetic("tags")
    call, result = case["inputs"]["call"], case["expected"]["result"]
    return json.loads((folder / call).read_text("utf-8")), json.loads((folder / result).read_text("utf-8"))


def evaluated(evaluator: Evaluator) -> dict[str, Any]:
    """Return what the evaluator says, as the pack has it."""
    results = evaluator.evaluate()
    shown: dict[str, Any] = {
        "overall": {name: asdict(result) for name, result in results["overall"].items()},
        "entities": {
            tag: {name: asdict(result) for name, result in row.items()} for tag, row in results["entities"].items()
        },
        "overall_indices": {name: places(found) for name, found in results["overall_indices"].items()},
        "entity_indices": {
            tag: {name: places(found) for name, found in row.items()} for tag, row in results["entity_indices"].items()
        },
    }
    return shown


def places(found: Any) -> dict[str, Any]:
    return {name.removesuffix("_indices"): value for name, value in asdict(found).items()}


def reports(evaluator: Evaluator, digits: int) -> dict[str, Callable[[], str | None]]:
    """Return how each text of the pack is made."""
    made: dict[str, Callable[[], str | None]] = {
        "summary-overall.txt": partial(evaluator.summary_report, digits=digits),
        "indices-entities-strict.txt": partial(evaluator.summary_report_indices, mode="entities"),
        "indices-colors.txt": partial(evaluator.summary_report_indices, colors=True),
        "overall.csv": evaluator.results_to_csv,
        "entities-strict.csv": partial(evaluator.results_to_csv, mode="entities"),
    }
    for name in SCENARIOS:
        made[f"summary-{name}.txt"] = partial(evaluator.summary_report, mode="entities", scenario=name, digits=digits)
        made[f"indices-{name}.txt"] = partial(evaluator.summary_report_indices, scenario=name)
    return made


def unordered(name: str, text: Any) -> Any:
    """Return a text, or its parts in some order where the reference has them in that of a set."""
    if name == "entities-strict.csv":
        head, *rows = text.split("\r\n")
        return [head, *sorted(rows)]
    return sorted(text.split("\nEntity Type")) if name == "indices-entities-strict.txt" else text


@in_bunches("case", CASES)
def test_module(case: dict) -> None:
    call, expected = loaded(case)
    expected = without_messages(expected)
    digits = call.pop("digits", 2)
    found = result_of(lambda: evaluated(Evaluator(**call)))
    assert differences(found, expected["evaluate"]) == []
    if "error" in expected["evaluate"]:
        return
    for name, made in reports(Evaluator(**call), digits).items():
        text = expected["texts"].get(name)
        if text is None:
            assert result_of(made) == expected[name]
        else:
            assert unordered(name, made()) == unordered(name, text)


def documents(call: dict) -> tuple[list[Any], list[Any]]:
    """Return both sides for ``karat.score``: lists of tags, or documents with mentions in the order of the lists."""
    kind = call.get("loader", "default")
    if isinstance(call["true"], str):
        texts = [call[side].rstrip() for side in ("true", "pred")]
        parts = [text.split("\n\n") if text else [] for text in texts]
        sides = [
            [[(*line.split("\t"), "O")[1] for line in part.split("\n")] for part in documents] for documents in parts
        ]
        return sides[0], sides[1]
    if kind == "list" or (kind == "default" and isinstance(call["true"][0][0], str)):
        return call["true"], call["pred"]
    made = []
    for side in ("true", "pred"):
        made.append([])
        for number, entities in enumerate(call[side]):
            mentions = [
                Mention(f"T{index}", ((entity["start"], entity["end"] + 1),), (entity["label"],))
                for index, entity in enumerate(entities)
            ]
            made[-1].append(Document(f"{number:04d}", "x" * 200, mentions))
    return made[0], made[1]


REFUSED = ("hand-conll-three-newlines-one-side", "hand-conll-lengths-differ")
"""Cases whose sides have other tokens, which the loader conll does not look at."""
NOTHING = ("hand-conll-empty", "hand-no-documents", "hand-reversed")
"""Cases without a document, or with an entity that ends before it starts: there is nothing to be scored."""
SCORED = [case for case in CASES if case["id"] not in packs.drop_in_only("tags")]


@in_bunches("case", SCORED)
def test_score(case: dict) -> None:
    call, expected = loaded(case)
    name = case["id"].split("/")[1]
    if name in REFUSED:
        with pytest.raises(karat.InputError):
            karat.score("nervaluate", *documents(call))
        return
    if name in NOTHING:
        scores = karat.score("nervaluate", *documents(call))
        assert all(row.value is None for row in scores)
        return
    sides = documents(call)
    minimum = call.get("min_overlap_percentage", 1.0)
    for profile, wanted in versions(expected).items():
        options: dict[str, Any] = {"profile": profile, "tags": tuple(call["tags"])}
        options |= {} if minimum == 1 else {"min_overlap_percentage": minimum}
        scores = karat.score("nervaluate", *sides, zero="zero", by="label", **options)
        found = {(row.label, row.regime, row.measure): row for row in scores if row.average == "micro"}
        for label, rows in wanted.items():
            for name, row in rows.items():
                assert differences(shown(found, label, name, row), row, f"{profile}/{label}/{name}") == []


def shown(found: dict, label: str | None, name: str, row: dict) -> dict[str, Any]:
    """Return the numbers of a scenario as the pack has them: zeros for a label that does not occur."""
    if (label, name, "f1") not in found:
        return dict.fromkeys(row, 0)
    values: dict[str, Any] = {key: found[label, name, key].value for key in ("precision", "recall", "f1")}
    counts = found[label, name, "f1"].counts
    values |= {outcome: int(counts.get(outcome, 0)) for outcome in OUTCOMES}
    both = values["correct"] + values["incorrect"] + values["partial"]
    values |= {"actual": both + values["spurious"], "possible": both + values["missed"]}
    return {key: values[key] for key in row}


def versions(expected: dict) -> dict[str, dict[str | None, dict]]:
    """Return by profile and label what each version says."""
    wanted: dict[str, dict[str | None, dict]] = {
        "1.2.1": {None: expected["evaluate"]["overall"], **expected["evaluate"]["entities"]},
        "1.1.0": {None: expected.get("version-1.1.0", {})},
        "0.2.0": {None: expected.get("version-0.2.0", {}).get("overall", {})},
        "classic": {None: expected.get("classic", {})},
    }
    wanted["0.2.0"] |= expected.get("version-0.2.0", {}).get("entities", {})
    return {name: rows for name, rows in wanted.items() if rows[None] and "error" not in rows[None]}


def test_recorded_calls() -> None:
    if not PUBLIC.exists():
        pytest.skip("the recorded calls are not beside the repository")
    calls = [json.loads(line) for line in PUBLIC.read_text("utf-8").splitlines()]
    faults = []
    for number, call in enumerate(calls):
        strategy = getattr(strategies, call["s"])(call["min"])
        sides = ([Entity(*one) for one in call[side]] for side in ("true", "pred"))
        result, _ = strategy.evaluate(*sides, call["tags"])
        found = [getattr(result, outcome) for outcome in OUTCOMES], [result.precision, result.recall, result.f1]
        faults += differences(list(found), [call["r"], call["prf"]], f"{number} {call['s']}")
    assert faults == []
    assert len(calls) == 312
