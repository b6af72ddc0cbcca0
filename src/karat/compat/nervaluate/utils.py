"""The helper functions of all nervaluate versions, which convert tags to dictionaries with label, start and end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from karat.protocols.spans.readings import old_nervaluate


def split_list(token: list[str], split_chars: list[str] | None = None) -> list[list[str]]:
    """Return the parts of a list between separators (default: empty texts), without an empty last part.

    >>> split_list(["a", "", "b", "c"]), split_list(["a", ""]), split_list(["", "a"])
    ([['a'], ['b', 'c']], [['a']], [[], ['a']])
    """
    splits: Collection[str] = [""] if split_chars is None else split_chars
    parts: list[list[str]] = [[]]
    for item in token:
        if item in splits:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts if parts[-1] else parts[:-1]


def conll_to_spans(doc: str) -> list[list[dict[str, Any]]]:
    """Return the entities of a text of columns, with tags in the second column, by document."""
    return list_to_spans([[line.split("\t")[1] for line in part] for part in split_list(doc.split("\n"))])


def list_to_spans(doc: list[list[str]]) -> list[list[dict[str, Any]]]:
    """Return the entities of lists of tags."""
    return [collect_named_entities(tokens) for tokens in doc]


def collect_named_entities(tokens: Sequence[str]) -> list[dict[str, Any]]:
    """Return the entities of tags; the last position is part of them.

    >>> collect_named_entities(["B-PER", "I-PER", "O"])
    [{'label': 'PER', 'start': 0, 'end': 1}]
    """
    return [{"label": label, "start": start, "end": end - 1} for start, end, label in old_nervaluate(tokens)]


def find_overlap(true_range: range, pred_range: range) -> set[int]:
    """Return the positions that are in both ranges.

    >>> find_overlap(range(1, 3), range(2, 4))
    {2}
    """
    return set(true_range).intersection(pred_range)


def clean_entities(ent: dict[str, Any]) -> dict[str, Any]:
    """Return an entity with only its label, start and end."""
    return {key: ent[key] for key in ("start", "end", "label")}
