"""Damage to JSON, one value or lines of them: nodes left out, repeated, exchanged, of another type, or nested."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.fuzz.grammar import raw, rows
from tests.fuzz.grammar.values import hostile, near, times

Place = tuple[Any, Any]
"""A list or dictionary and the index or key of a node in it."""

OTHERS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 2**64, -(2**63), 1.5, 1e308, "", "x", "\ud800", "\0"),
    *([], {}, [[]], [{}], {"": ""}, [0, 0], [1, 0], [-1, -1], [0, 10**9], [None], ["", ""], [[0, 1], [0, 1]]),
)
_TEXTS = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "1E-999",
    "0.0",
    "-0",
    '"\\ud800"',
    '{"a":1,"a":2}',
    "[,]",
    "01",
    "'x'",
)


def mutate(content: bytes, random: Random) -> bytes:
    """Return the content with one of its nodes changed; what is no JSON is changed by lines."""
    text = content.decode("utf-8", "surrogateescape")
    lines = [text] if _parsed(text) is not None else text.split("\n")
    chosen = [place for place, line in enumerate(lines) if line.strip()]
    place = random.choice(chosen) if chosen else 0
    value = _parsed(lines[place])
    if value is None or (len(lines) > 1 and random.random() < 0.15):
        return rows.mutate(content, random)
    root = [value]
    text = _write(root, random) if random.random() < 0.9 else _with_text(root, random)
    lines[place] = text[1:-1]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _write(root: list[Any], random: Random) -> str:
    _change(root, random)
    return json.dumps(root, ensure_ascii=random.random() < 0.5)


def _with_text(root: list[Any], random: Random) -> str:
    """Put a text that no program would write in the place of a node."""
    holder, key = random.choice(list(places(root)))
    holder[key] = "\x01mark\x01"
    text = random.choice((*_TEXTS, "[" * 2000, '{"a":' * 2000))
    return json.dumps(root).replace('"\\u0001mark\\u0001"', text)


def places(node: Any) -> Any:
    """Yield every place of a node below this one."""
    waiting = [node]
    while waiting:
        holder = waiting.pop()
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])


def _change(root: list[Any], random: Random) -> None:
    every = list(places(root))
    holder, key = random.choice(every)
    node = holder[key]
    kind = random.randrange(9)
    if kind == 0 and len(every) > 1:
        del holder[key]
    elif kind == 1 and isinstance(holder, list) and holder is not root:
        holder[key:key] = [node] * times(random)
    elif kind == 2 and isinstance(holder, dict):
        holder[random.choice((hostile(random), *holder))] = holder.pop(key)
    elif kind == 3:
        for _ in range(random.choice((1, 1, 2, 30))):
            node = [node] if random.random() < 0.7 else {"a": node}
        holder[key] = node
    elif kind == 4:
        other, name = random.choice(every)
        if not isinstance(node, dict | list):
            holder[key], other[name] = (other[name] if not isinstance(other[name], dict | list) else 0), node
    elif kind < 7 and not isinstance(node, dict | list):
        holder[key] = _leaf(node, random)
    elif isinstance(node, list) and node and kind == 7:
        node[:] = random.choice((node[::-1], node * 2, node[:1] * times(random), node[:-1]))
    else:
        holder[key] = random.choice(OTHERS)


def _leaf(node: Any, random: Random) -> Any:
    """Return a leaf that looks like this one, but is another."""
    if isinstance(node, str):
        if random.random() < 0.5:
            return raw.mutate_numbers(node.encode("utf-8", "surrogatepass"), random).decode("utf-8", "replace")
        return random.choice((hostile(random), node + hostile(random), node * times(random), node[:-1], node.lower()))
    if isinstance(node, int) and not isinstance(node, bool):
        text = near(node, random)
        return int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdigit() else random.choice(OTHERS)
    return random.choice(OTHERS)
