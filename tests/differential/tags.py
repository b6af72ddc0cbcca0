"""Libraries that score sequences of tags, call by call beside the modules that stand in for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests.differential.comparing import Case, Program, Reference
from tests.differential.scripts.calls import answers

_CALLS = Path(__file__).parent / "scripts" / "calls.py"
_LABELS = ("LOC", "PER", "x-y")
SCHEMES = {"IOB1": "IOB", "IOB2": "IOB", "IOE1": "IOE", "IOE2": "IOE", "IOBES": "IOBES", "BILOU": "BILOU"}
_METRICS = ("precision_score", "recall_score", "f1_score", "precision_recall_fscore_support", "classification_report")
_ENDS_OF_MESSAGES = {
    "must be one of": "names",
    "required keys": "keys",
    "not supported": "letters",
    "max() arg is an empty sequence": "nothing to report",
    "there is nothing to report": "nothing to report",
    "string index out of range": "an empty tag",
    "a tag is empty": "an empty tag",
}
"""Messages that list a set, or say no more than where the package failed."""
_RESULTS = ["overall", "entities"]
_SCENARIOS = ("strict", "exact", "partial", "ent_type")

Call = tuple[str, str, list[Any], dict[str, Any], list[tuple[str, dict[str, Any]]]]
"""The module and name of a function, its arguments, and methods of what it returns that are called then."""


def _tag(random: Random, letters: str, before: str) -> str:
    if random.random() < 0.4:
        return "O"
    label = before[2:] if before[1:2] == "-" and random.random() < 0.6 else random.choice(_LABELS)
    return f"{random.choice(letters)}-{label}".rstrip("-").replace("O-", "I-")


def _sequences(random: Random, sizes: Sequence[int], letters: str) -> list[list[str]]:
    sequences = []
    for size in sizes:
        tags: list[str] = []
        for _ in range(size):
            tags.append(_tag(random, letters, tags[-1] if tags else ""))
        sequences.append(tags)
    return sequences


def sides_of(random: Random, letters: str, least: int = 0) -> tuple[list[list[str]], list[list[str]]]:
    """Return random tags of the gold and of a system that is often right; a last sentence may be shorter there."""
    sizes = [random.randint(least, 6) for _ in range(random.randint(1, 4))]
    gold = _sequences(random, sizes, letters)
    other = _sequences(random, sizes, letters)
    system = [
        [one if random.random() < 0.6 else two for one, two in zip(*pair, strict=True)]
        for pair in zip(gold, other, strict=True)
    ]
    if random.random() < 0.05 and system[-1]:
        system[-1].pop()
    return gold, system


def _seqeval_calls(random: Random) -> list[Call]:
    scheme = random.choice(list(SCHEMES))
    letters = random.choice((SCHEMES[scheme], "IOBES", "IOB", "BILOUES."))
    gold, system = sides_of(random, letters)
    suffix = random.random() < 0.2
    if suffix:
        gold, system = (
            [["-".join(tag.split("-", 1)[::-1]) for tag in tags] for tags in side] for side in (gold, system)
        )
    calls: list[Call] = []
    for name in random.sample(_METRICS, 3):
        keywords: dict[str, Any] = {"suffix": suffix} if suffix else {}
        if random.random() < 0.5:
            keywords["mode"] = "strict"
        if random.random() < 0.7:
            keywords["scheme"] = scheme
        if random.random() < 0.5:
            keywords["zero_division"] = random.choice(("warn", 0, 1))
        if name == "classification_report":
            keywords |= {"digits": random.choice((2, 4)), "output_dict": random.random() < 0.5}
        elif random.random() < 0.7:
            keywords["average"] = random.choice((None, "micro", "macro", "weighted", "other"))
        if name == "precision_recall_fscore_support" and random.random() < 0.5:
            keywords["beta"] = random.choice((0.5, 1.0, 2.0, -1.0))
        calls.append((".metrics.sequence_labeling", name, [gold, system], keywords, []))
    letters_and_types = [*random.choices("BIESOU.", k=2), *random.choices(("LOC", "PER", "_"), k=2)]
    names = ("start_of_chunk", "end_of_chunk")
    calls += [(".metrics.sequence_labeling", name, letters_and_types, {}, []) for name in names]
    calls.append((".metrics", random.choice(("accuracy_score", "performance_measure")), [gold, system], {}, []))
    calls.append(
        (".metrics.sequence_labeling", "get_entities", [random.choice((gold, gold[0]))], {"suffix": suffix}, [])
    )
    return calls


def _dictionaries(random: Random, documents: int) -> list[list[dict[str, Any]]]:
    sides = []
    for _ in range(documents):
        entities = []
        for _ in range(random.randint(0, 5)):
            start = random.randint(0, 8)
            end = start + random.choice((0, 0, 1, 2, 5))
            entities.append({"label": random.choice(_LABELS), "start": start, "end": end})
        sides.append(entities)
    return sides


def _columns(random: Random, documents: list[list[str]]) -> str:
    ends = random.choice(("\n", "\n\n", ""))
    return "\n\n".join("\n".join(f"w\t{tag}" for tag in tags) for tags in documents) + ends


def _nervaluate_sides(random: Random) -> tuple[Any, Any, str]:
    loader = random.choice(("dict", "list", "conll", "default"))
    if loader == "dict" or (loader == "default" and random.random() < 0.3):
        documents = random.randint(1, 4)
        gold = _dictionaries(random, documents)
        system = [[*random.sample(entities, random.randint(0, len(entities)))] for entities in gold]
        for entities, more in zip(system, _dictionaries(random, documents), strict=True):
            entities.extend(more[:2])
        if random.random() < 0.05:
            del system[-1]
        return gold, system, loader
    tags = sides_of(random, random.choice(("IB", "IB", "IB", "IBES")), least=1)
    if loader == "conll":
        return *(_columns(random, side) for side in tags), loader
    return *tags, loader


def _reports(random: Random) -> list[tuple[str, dict[str, Any]]]:
    scenario = random.choice((*_SCENARIOS, "other"))
    return [
        ("summary_report", {"digits": random.choice((2, 4))}),
        ("summary_report", {"mode": "entities", "scenario": scenario}),
        ("summary_report_indices", {"scenario": random.choice(_SCENARIOS), "colors": random.random() < 0.5}),
        ("results_to_csv", {}),
    ]


def _nervaluate_calls(random: Random) -> list[Call]:
    gold, system, loader = _nervaluate_sides(random)
    keywords = {"tags": random.sample(_LABELS, random.randint(1, 3)), "loader": loader}
    if random.random() < 0.4:
        keywords["min_overlap_percentage"] = random.choice((1.0, 25, 50.0, 75, 100, 0.5))
    methods = [("evaluate", {}), *_reports(random)]
    return [("", "Evaluator", [gold, system], keywords, methods), *_helper_calls(random)]


def _nervaluate_and_loader_calls(random: Random) -> list[Call]:
    calls = _nervaluate_calls(random)
    data = {"data": calls[0][2][1]}
    name = random.choice(("ConllLoader", "ListLoader", "DictLoader"))
    return [*calls, (".loaders", name, [], {}, [("load", data)])]


def _helper_calls(random: Random) -> list[Call]:
    tags = _sequences(random, [random.randint(0, 6), 3], "IBES")
    words = [random.choice(("a", "", "b")) for _ in range(random.randint(0, 5))]
    return [
        ("", "collect_named_entities", [tags[0]], {}, []),
        ("", "list_to_spans", [tags], {}, []),
        ("", "conll_to_spans", [_columns(random, tags)], {}, []),
        ("", "split_list", [words, *random.choice(([], [["a"]]))], {}, []),
    ]


def _old_nervaluate_calls(random: Random) -> list[Call]:
    gold, system, loader = _nervaluate_sides(random)
    if loader == "dict":
        loader = "default"
    tags = random.sample(_LABELS, random.randint(1, 3))
    calls: list[Call] = [("", "Evaluator", [gold, system, tags, loader], {}, [("evaluate", {})])]
    calls += _helper_calls(random)
    entities = _dictionaries(random, 2)
    calls.append(("", "compute_metrics", [*entities, tags, random.randint(0, 3)], {}, []))
    counts = {name: random.randint(0, 3) for name in ("correct", "incorrect", "partial", "missed", "spurious")}
    calls.append(("", "compute_actual_possible", [counts], {}, []))
    counts = {**counts, "actual": random.randint(0, 3), "possible": random.randint(0, 3)}
    calls.append(("", "compute_precision_recall", [counts, random.random() < 0.5], {}, []))
    rows = {name: {**counts, "precision": 0.25, "recall": 0.125, "f1": 1 / 3} for name in _SCENARIOS}
    calls.append(("", "compute_precision_recall_wrapper", [rows], {}, []))
    calls.append(("", "summary_report_overall", [rows], {"digits": random.choice((2, 5))}, []))
    calls.append(("", "summary_report_ent", [{"LOC": rows, "P": rows}, random.choice((*_SCENARIOS, "x"))], {}, []))
    found = {
        name: {"correct_indices": [(0, 0)], "missed_indices": random.choice(([], [(0, 1)]))} for name in _SCENARIOS
    }
    predictions = [[{"label": "LOC", "start": 1, "end": 2}]]
    calls.append(("", "summary_report_overall_indices", [found, "strict", predictions], {}, []))
    calls.append(("", "summary_report_ents_indices", [{"LOC": found}, "exact", predictions], {}, []))
    return calls


def _case(theirs: str, ours: str, made: Callable[[Random], list[Call]], folder: str = "") -> Case:
    """Return a case that makes some calls and compares what both libraries give, errors and warnings included."""

    def case(random: Random, room: Path, program: Program) -> str:
        asked = json.dumps(made(random))
        (room / "calls.json").write_text(asked, "utf-8")
        printed = program.python(_CALLS, [theirs, "calls.json"], room, program.root / folder if folder else None)
        if printed.status:
            return printed.err
        calls = json.loads(asked)
        wanted, found = json.loads(printed.out), json.loads(json.dumps(answers(ours, calls)))
        pairs = zip(map(unordered, wanted), map(unordered, found), strict=True)
        different = [f"{one}\nand\n{two}" for one, two in pairs if one != two]
        return f"{asked}\n{different[0]}" if different else ""

    return case


def unordered(told: Any) -> Any:
    """Return an answer without what depends on the order of a set: the tags of nervaluate, and what errors list.

    A warning counts once, as it is shown; those of NumPy are its own. Where a tag is empty, more or fewer of the others
    were looked at before.
    """
    value, warnings = told
    warned = sorted({tuple(warning) for warning in warnings if warning[0] != "RuntimeWarning"})
    if isinstance(value, list) and value[:1] == ["error"]:
        listed = next((words for words in _ENDS_OF_MESSAGES if words in value[2]), "")
        told_before = [] if value[1] == "IndexError" else warned
        return [["error", value[1], _ENDS_OF_MESSAGES.get(listed, value[2])], told_before]
    if isinstance(value, list) and [one[0] for one in value if isinstance(one, list) and one][:2] == _RESULTS:
        return [[[name, sorted(part) if "entit" in name else part] for name, part in value], warned]
    return [value, warned]


SEQEVAL = Reference("seqeval", "", "", _case("seqeval", "karat.compat.seqeval", _seqeval_calls), ("seqeval",))
NERVALUATE = Reference(
    "nervaluate", "", "", _case("nervaluate", "karat.compat.nervaluate", _nervaluate_and_loader_calls), ("nervaluate",)
)
NERVALUATE_1_1_0 = Reference(
    "nervaluate 1.1.0",
    "MantisAI/nervaluate",
    "src/nervaluate/evaluator.py",
    _case("nervaluate", "karat.compat.nervaluate.v1_1_0", _nervaluate_calls, "src"),
    commit="fce01394b77a",
)
NERVALUATE_0_2_0 = Reference(
    "nervaluate 0.2.0",
    "MantisAI/nervaluate",
    "src/nervaluate/evaluate.py",
    _case("nervaluate", "karat.compat.nervaluate.v0_2_0", _old_nervaluate_calls, "src"),
    commit="0.2.0",
)
