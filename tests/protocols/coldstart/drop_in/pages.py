"""The generated parts of the Cold Start pages: the schema and the problems, from the tables of the package.

``python -m tests.protocols.coldstart.drop_in.pages`` writes them into the pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from karat.vocabularies.coldstart import table

FOLDER = Path(__file__).parents[4] / "docs" / "coldstart"
BEGIN, END = "<!-- generated from {} -->", "<!-- end -->"


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _types(text: str) -> str:
    return ", ".join(text.split(","))


def predicates() -> str:
    rows = [
        (
            _types(row["domain"]),
            f"`{row['name']}`",
            row["quantity"],
            _types(row["range"]),
            f"`{row['inverse']}`" * bool(row["inverse"]),
        )
        for row in table("predicates")
    ]
    return _table(("subject", "predicate", "values", "object", "inverse"), rows)


def aliases() -> str:
    rows = [
        (_types(row["domain"]), f"`{row['alias']}`", f"`{row['replacement']}`", row["reason"])
        for row in table("aliases")
    ]
    return _table(("subject", "alias", "stands for", "because"), rows)


def problems() -> str:
    fixes = {row["name"]: row["fix"] for row in table("fixes")}
    rows = [
        (
            f"`{row['name']}`",
            row["severity"].lower().replace("_", " "),
            f"`{row['message']}`",
            _plain(row["when"] if row["when"] != "-" else row["raised_by"]),
            _plain(row["repair"]),
            _plain(fixes.get(row["name"], "")),
        )
        for row in sorted(table("problems"), key=lambda row: row["name"])
    ]
    return _table(("problem", "severity", "text", "when", "what the programs do", "what to do"), rows)


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return re.sub(r"([<>*_])", r"\\\1", text)


PARTS: dict[str, Callable[[], str]] = {"predicates": predicates, "aliases": aliases, "problems": problems}


def filled(page: str) -> str:
    """Return a page with its generated parts as they should be."""
    for name, render in PARTS.items():
        begin = re.escape(BEGIN.format(name))
        text = f"{BEGIN.format(name)}\n\n{render()}\n\n{END}"
        page = re.sub(rf"{begin}.*?{re.escape(END)}", lambda _, text=text: text, page, flags=re.DOTALL)
    return page


if __name__ == "__main__":
    for path in FOLDER.glob("*.md"):
        path.write_text(filled(path.read_text("utf-8")), "utf-8")
