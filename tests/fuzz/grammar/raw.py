"""Damage to bytes and to the numbers and brackets in a text, whatever the file is."""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.grammar.values import hostile, near

_NUMBER = re.compile(rb"-?\d{1,18}")
_BRACKET = re.compile(rb"[][(){}<>|\"']")
_ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-8-sig")
_BAD = (
    b"\x80",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\0",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\xfd7zXZ\0",
)


def mutate(content: bytes, random: Random) -> bytes:
    """Return the content with bytes changed, or all of it encoded or cut in another way."""
    kind = random.randrange(12)
    first, last = sorted(random.randrange(len(content) + 1) for _ in range(2))
    if kind < 2:
        return content[:first] + content[last:] if last - first < 40 else content[:first]
    if kind < 4:
        return content[:first] + hostile(random).encode() + content[first:]
    if kind < 6:
        return content[:first] + random.choice(_BAD) + content[first + random.randrange(2) :]
    if kind == 6:
        return content[:first] + content[first:last] * 2 + content[last:]
    if kind == 7 and content:
        place = min(first, len(content) - 1)
        return content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1 :]
    if kind == 8:
        return content.replace(b"\n", random.choice((b"\r", b"\r\n", b"\n\n", b"\x0b", "\u2028".encode())))
    if kind == 9:
        return content.decode("utf-8", "replace").encode(random.choice(_ENCODINGS), "replace")
    if kind == 10:
        return random.choice((content.rstrip(b"\n"), content + b"\n\n", b"\n" + content, b"\xef\xbb\xbf" + content))
    return random.choice((b"", b"\n", b" ", b"\0" * 50, content[: len(content) // 2], content * 2))


def mutate_numbers(content: bytes, random: Random) -> bytes:
    """Return the content with one of its numbers or brackets exchanged, doubled or left out."""
    pattern = _NUMBER if random.random() < 0.75 else _BRACKET
    places = list(pattern.finditer(content))
    if not places:
        return mutate(content, random)
    place = random.choice(places)
    if pattern is _NUMBER:
        new = near(int(place[0]), random).encode()
    else:
        new = random.choice((b"", place[0] * 2, random.choice(places)[0]))
    return content[: place.start()] + new + content[place.end() :]
