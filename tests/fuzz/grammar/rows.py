"""Damage to lines and cells: rows left out, repeated and exchanged, cells moved, emptied and filled otherwise."""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.grammar.raw import mutate_numbers
from tests.fuzz.grammar.values import hostile, times


def separator_of(text: str) -> str:
    """Return what stands between the cells of most lines."""
    return max("\t,; ", key=lambda mark: (sum(mark in line for line in text.split("\n")), mark == "\t"))


def mutate(content: bytes, random: Random) -> bytes:
    """Return the content with its lines or the cells of a line changed."""
    text = content.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    if random.random() < 0.4:
        _change_lines(lines, random)
    else:
        _change_cells(lines, separator_of(text), random)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _change_lines(lines: list[str], random: Random) -> None:
    place, other = (random.randrange(len(lines)) for _ in range(2))
    first, last = sorted((place, other))
    kind = random.randrange(8)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines[place:place] = [lines[place]] * times(random)
    elif kind == 2:
        lines[place], lines[other] = lines[other], lines[place]
    elif kind == 3:
        lines.insert(place, random.choice(("", "", hostile(random), f"# {hostile(random)}")))
    elif kind == 4:
        lines[first:last] = []
    elif kind == 5:
        lines[last:last] = lines[first:last] * min(times(random), 20)
    elif kind == 6:
        lines[place : place + 2] = ["".join(lines[place : place + 2])]
    else:
        cut = random.randrange(len(lines[place]) + 1)
        lines[place : place + 1] = [lines[place][:cut], lines[place][cut:]]


def _change_cells(lines: list[str], mark: str, random: Random) -> None:
    places = [place for place, line in enumerate(lines) if line]
    if not places:
        lines.append(hostile(random))
        return
    place = random.choice(places)
    cells = _split(lines[place], mark)
    column = random.randrange(len(cells))
    kind = random.randrange(10)
    if kind < 3:
        cells[column] = hostile(random)
    elif kind == 3:
        cells[column] = random.choice(_split(lines[random.choice(places)], mark))
    elif kind == 4:
        del cells[column]
    elif kind == 5:
        cells[column:column] = [cells[column]] * times(random)
    elif kind == 6:
        other = random.randrange(len(cells))
        cells[column], cells[other] = cells[other], cells[column]
    elif kind == 7:
        cells[column] = cells[column] * times(random) + hostile(random)
    elif kind == 8:
        cells[column] = mutate_numbers(cells[column].encode("utf-8", "surrogatepass"), random).decode(
            "utf-8", "surrogateescape"
        )
    else:
        _change_column(lines, mark, column, random)
        return
    lines[place] = mark.join(cells)


def _change_column(lines: list[str], mark: str, column: int, random: Random) -> None:
    """Leave a column out, repeat it, or fill it with one value."""
    value = hostile(random)
    kind = random.randrange(3)
    for place, line in enumerate(lines):
        cells = _split(line, mark)
        if column < len(cells) > 1:
            cells[column : column + 1] = ([], [cells[column]] * 2, [value])[kind]
            lines[place] = mark.join(cells)


def _split(line: str, mark: str) -> list[str]:
    """Return the cells of a line; commas inside of quotation marks do not separate."""
    if mark == ",":
        return re.findall(r'(?:"(?:[^"]|"")*"|[^,])+|(?<=,)(?=,|$)|^(?=,)|^$', line) or [line]
    return line.split(mark)
