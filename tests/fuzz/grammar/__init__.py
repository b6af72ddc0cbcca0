"""How files are damaged: by lines and cells, JSON nodes, XML elements, numbers, or bytes, as their content suggests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.fuzz.grammar import elements, nodes, raw, rows

Mutation = Callable[[bytes, Random], bytes]
MOST_BYTES = 40_000
"""How large a damaged file may become; what is longer is cut off."""


def grammar_of(content: bytes) -> Mutation:
    """Return the mutation that knows what the content is made of."""
    head = content.lstrip()[:1]
    if b"\0" in content:
        return raw.mutate
    if head in (b"{", b"["):
        return nodes.mutate
    return elements.mutate if head == b"<" and b"</" in content else rows.mutate


def mutate(content: bytes, random: Random) -> bytes:
    """Return the content, damaged once."""
    kind = random.random()
    if kind < 0.75:
        changed = grammar_of(content)(content, random)
    elif kind < 0.93:
        changed = raw.mutate_numbers(content, random)
    else:
        changed = raw.mutate(content, random)
    return changed[:MOST_BYTES]
