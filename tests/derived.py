"""Parts of the documentation that are derived from the code: tables of quirks, and the picture of the packages.

In a page they stand between ``<!-- derived: NAME ARGUMENTS -->`` and ``<!-- derived: end -->``. ``python -m
tests.docs`` writes them anew; a test checks that they are what the code says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path
from statistics import fmean

from karat.evaluation.quirks import quirks_of
from tests import floorplan

_PART = re.compile(r"<!-- derived: (?P<head>(?!end)(?P<name>\w+)[^\n]*) -->\n.*?(?=<!-- derived: end -->)", re.S)
PICTURE = Path(__file__).parents[1] / "docs" / "packages.svg"
FOUNDATIONS = ("_version", "errors", "lazy", "plugins", "settings")
"""Root modules that everything stands on, drawn as one box."""


def quirks(package: str, *protocols: str) -> str:
    """Return the table of the quirks of a package, or of some of its protocols."""
    of_each = [quirks_of(f"karat.{package}", protocol) for protocol in protocols or ("",)]
    known = list(dict.fromkeys(quirk for several in of_each for quirk in several))
    if not known:
        raise LookupError(f"karat.{package} has no quirks; expected a package with a quirks.toml")
    columns: dict[str, list[str]] = {"quirk": [f"`{quirk.name}`" for quirk in known]}
    if len(protocols) != 1 and any(quirk.protocols for quirk in known):
        names = [", ".join(f"`{name}`" for name in quirk.protocols) for quirk in known]
        columns = {"protocol": [name or "all" for name in names], **columns}
    if any(quirk.otherwise for quirk in known):
        columns["as published"] = [quirk.seen or quirk.text for quirk in known]
        columns["otherwise"] = [quirk.otherwise for quirk in known]
    else:
        columns["what happens"] = [quirk.text for quirk in known]
        if any(quirk.profiles for quirk in known):
            columns["profiles"] = [", ".join(f"`{name}`" for name in quirk.profiles) or "none" for quirk in known]
    rows = [list(columns), ["---"] * len(columns), *zip(*columns.values(), strict=True)]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


PARTS: Mapping[str, Callable[..., str]] = {"quirks": quirks}


def renewed(page: str) -> str:
    """Return a page with its derived parts as the code has them."""

    def part(found: re.Match[str]) -> str:
        content = PARTS[found["name"]](*found["head"].split()[1:])
        return f"<!-- derived: {found['head']} -->\n\n{content}\n"

    return _PART.sub(part, page)


class _Box:
    """A package in the picture: its place in the grid."""

    def __init__(self, name: str, column: int, row: float) -> None:
        self.name = name
        self.x, self.y = 20 + column * 200, 40 + row * 48

    def draw(self) -> str:
        name = escape(self.name)
        box = f'<rect x="{self.x}" y="{self.y:g}" width="150" height="30" rx="6"/>'
        return f'{box}<text x="{self.x + 75}" y="{self.y + 19:g}">{name}</text>'


def picture(graph: floorplan.Plan) -> str:
    """Draw the packages in columns, each to the right of all that it imports, without imports that others imply."""
    merged = _merged(graph)
    columns = _columns(merged)
    boxes = dict(_placed(columns, merged))
    lines = []
    for name, others in sorted(_reduced(merged).items()):
        for other in sorted(others):
            start, end = boxes[other], boxes[name]
            lines.append(
                f'<path d="M{start.x + 150} {start.y + 15:g} C{start.x + 180} {start.y + 15:g} '
                f'{end.x - 30} {end.y + 15:g} {end.x} {end.y + 15:g}"/>'
            )
    width = 20 + 200 * (max(columns.values()) + 1)
    height = max(box.y for box in boxes.values()) + 60
    style = (
        "text{font:13px sans-serif;text-anchor:middle;fill:#1b1b1f}rect{fill:#f4f1e8;stroke:#8a7a4a}"
        "path{fill:none;stroke:#8a8a94;stroke-width:1.1}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" role="img" '
        f'aria-label="The packages of Karat, each to the right of what it imports">\n<style>{style}</style>\n'
        f'<rect width="{width}" height="{height:g}" style="fill:#fff;stroke:none"/>\n'
        + "\n".join([*lines, *(box.draw() for box in boxes.values())])
        + "\n</svg>\n"
    )


def _merged(graph: floorplan.Plan) -> dict[str, set[str]]:
    """Return the graph with the foundations as one box, all evaluations as one, and all drop-ins as one."""

    def box(name: str) -> str:
        if name in FOUNDATIONS:
            return "foundations"
        if name.startswith("protocols."):
            return "drop-ins" if name.endswith(".drop_in") else "evaluations"
        return {"__main__": "cli"}.get(name, name)

    merged: dict[str, set[str]] = {}
    for name, others in graph.items():
        merged.setdefault(box(name), set()).update(box(other) for other in others)
    merged["protocols"] = merged.get("protocols", set()) - {"evaluations"}
    return {name: others - {name} for name, others in merged.items()}


def _columns(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the column of each box: one more than that of everything it imports."""
    columns: dict[str, int] = {}

    def column(name: str) -> int:
        if name not in columns:
            columns[name] = 1 + max((column(other) for other in graph.get(name, ())), default=-1)
        return columns[name]

    for name in sorted(graph):
        column(name)
    return columns


def _placed(columns: Mapping[str, int], graph: Mapping[str, set[str]]) -> Iterator[tuple[str, _Box]]:
    """Yield the boxes column by column; in a column they stand in the order of what they import."""
    tallest = max(list(columns.values()).count(column) for column in columns.values())
    rows: dict[str, float] = {}
    for column in range(max(columns.values()) + 1):
        names = sorted(name for name, place in columns.items() if place == column)
        names.sort(key=lambda name: fmean([rows[other] for other in graph.get(name, ())] or [0]))
        for place, name in enumerate(names):
            rows[name] = place + (tallest - len(names)) / 2
            yield name, _Box(name, column, rows[name])


def _reduced(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the graph without the imports that follow from others."""
    reach: dict[str, set[str]] = {}

    def below(name: str) -> set[str]:
        if name not in reach:
            reach[name] = set().union(*({other} | below(other) for other in graph.get(name, ())))
        return reach[name]

    return {
        name: {other for other in others if not any(other in below(one) for one in others)}
        for name, others in graph.items()
    }
