"""Files as some other system or hand leaves them: line ends, bytes, lines that are lost, doubled or of another form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

Lines = list[bytes]


def _inserted(lines: Lines, random: Random, others: Sequence[bytes]) -> Lines:
    place = random.randint(0, len(lines))
    return [*lines[:place], random.choice(others), *lines[place:]] if others else lines


def _doubled(lines: Lines, random: Random, _: Sequence[bytes]) -> Lines:
    return [*lines, random.choice(lines)] if lines else lines


def _lost(lines: Lines, random: Random, _: Sequence[bytes]) -> Lines:
    place = random.randint(0, len(lines))
    return lines[:place] + lines[place + 1 :]


def _shuffled(lines: Lines, random: Random, _: Sequence[bytes]) -> Lines:
    return random.sample(lines, len(lines))


def _other_characters(lines: Lines, random: Random, _: Sequence[bytes]) -> Lines:
    """Put a character where it does not belong: a blank of some kind, a letter that is none of ASCII, half a letter."""
    place = random.randrange(len(lines)) if lines else 0
    line = lines[place] if lines else b""
    at = random.randint(0, len(line))
    pieces = (" ", "\t", "\xa0", "\u2028", "\x0b", "\x85", "é", "e\u0301", "0", "-", "\ufeff", "|", ";")
    changed = line[:at] + random.choice(pieces).encode() + line[at + random.randint(0, 1) :]
    return [*lines[:place], changed, *lines[place + 1 :]]


_CHANGES: tuple[Callable[[Lines, Random, Sequence[bytes]], Lines], ...] = (
    _inserted, _inserted, _inserted, _doubled, _lost, _shuffled, _other_characters,
)  # fmt: skip


def odd_bytes(content: bytes, random: Random) -> bytes:
    """Return a file with other line ends, as other bytes, cut, or not ended."""
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
            return content[: random.choice((0, random.randrange(len(content) or 1)))]
        case _:
            return content.removesuffix(b"\n")


def damage(file: Path, random: Random, others: Sequence[str] = ()) -> None:
    """Change a few lines of a file, and sometimes all of it; ``others`` are lines that may come in."""
    lines = file.read_bytes().split(b"\n")
    ended = lines[-1:] == [b""]
    lines = lines[:-1] if ended else lines
    for _ in range(random.randint(0, 3)):
        lines = random.choice(_CHANGES)(lines, random, [line.encode() for line in others])
    content = b"".join(line + b"\n" for line in lines)
    file.write_bytes(odd_bytes(content, random) if random.random() < 0.2 else content)
