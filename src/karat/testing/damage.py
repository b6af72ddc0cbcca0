"""Files damaged in many ways, each with words for what was done to it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_DAMAGES = 60
"""How many times some bytes of each sample are replaced."""
_LONG = 200_000
_FILLINGS = (b"", b"\t", b"\n", b"\n\n", b'"', b"{", b"-1", b"9" * 30, b"\x80", b"<", bytes(3))


def damaged(content: bytes, random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield what a file is now, and its content."""
    yield "an empty file", b""
    yield "a file of 100 NUL bytes", b"\x00" * 100
    yield "a sample behind the byte-order mark of UTF-16", b"\xff\xfe" + content
    yield "a sample in UTF-16", content.decode("utf-8", "replace").encode("utf-16")
    yield "a sample with CR instead of LF", content.replace(b"\n", b"\r")
    yield f"a sample with its first byte {_LONG:,} times at its end", content + content[:1] * _LONG
    for _ in range(_DAMAGES):
        start, end = sorted(random.randrange(len(content) + 1) for _ in range(2))
        filling = random.choice(_FILLINGS)
        end = end if random.random() < 0.5 else start
        yield f"a sample with {filling!r} for its bytes {start} to {end}", content[:start] + filling + content[end:]
