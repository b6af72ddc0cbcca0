"""Files as some other system or hand leaves them: line ends, bytes, lines that are lost, doubled or of another form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

Lines = list[bytes]

_PIECES = (" ", "\t", "\xa0", "\u2028", "\x0b", "\x85", "é", "e\u0301", "0", "-", "\ufeff", "|", ";")
"""What may come into a line, or in the place of one of its bytes."""


def damage(file: Path, random: Random, others: Sequence[str]) -> None:
    """Change a few lines of a file, and sometimes all of it; ``others`` are lines that may come in."""
    lines = file.read_bytes().removesuffix(b"\n").split(b"\n")
    coming = [line.encode() for line in others]
    for _ in range(random.randint(0, 3)):
        lines = random.choice(_CHANGES)(lines, random, coming)
    content = b"".join(line + b"\n" for line in lines)
    file.write_bytes(odd_bytes(content, random) if random.random() < 0.2 else content)


def odd_bytes(content: bytes, random: Random) -> bytes:
    """Return a file with other line ends, with a mark before it, in other bytes, cut, or not ended."""
    match random.randrange(6):
        case 0:
            return content.replace(b"\n", b"\r\n")
        case 1:
            return content.replace(b"\n", b"\r")
        case 2:
            return b"\xef\xbb\xbf" + content
        case 3:
            return content.replace(b"w", "é".encode("cp1252"), random.randint(1, 3))
        case 4:
            return content[: random.choice((0, random.randint(0, len(content))))]
        case _:
            return content.removesuffix(b"\n")


def _inserted(lines: Lines, random: Random, others: Lines) -> Lines:
    place = random.randint(0, len(lines))
    return [*lines[:place], random.choice(others), *lines[place:]]


def _doubled(lines: Lines, random: Random, _: Lines) -> Lines:
    return [*lines, random.choice(lines or [b""])]


def _lost(lines: Lines, random: Random, _: Lines) -> Lines:
    place = random.randint(0, len(lines))
    return lines[:place] + lines[place + 1 :]


def _shuffled(lines: Lines, random: Random, _: Lines) -> Lines:
    return random.sample(lines, len(lines))


def _misspelt(lines: Lines, random: Random, _: Lines) -> Lines:
    """Put a character where it does not belong: a blank of some kind, a letter that is none of ASCII, half a letter."""
    place = random.randint(0, len(lines) - 1) if lines else 0
    line = lines[place] if lines else b""
    at = random.randint(0, len(line))
    changed = line[:at] + random.choice(_PIECES).encode() + line[at + random.randint(0, 1) :]
    return [*lines[:place], changed, *lines[place + 1 :]]


_CHANGES: tuple[Callable[[Lines, Random, Lines], Lines], ...] = (
    *(_inserted, _inserted, _inserted),
    *(_doubled, _lost, _shuffled, _misspelt),
)
