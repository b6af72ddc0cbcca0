"""The language of TAC KBP Cold Start 2015, which its files and its evaluation share.

From the ground up: how the published programs understand characters (:mod:`~karat.vocabularies.coldstart.text`) and
lines (:mod:`~karat.vocabularies.coldstart.text_files`), the catalogue of problems with their log
(:mod:`~karat.vocabularies.coldstart.problems`), where something is said
(:mod:`~karat.vocabularies.coldstart.provenance`), which predicates there are
(:mod:`~karat.vocabularies.coldstart.schema`), and queries: their ids, what they ask, and their files
(:mod:`~karat.vocabularies.coldstart.query_ids`, :mod:`~karat.vocabularies.coldstart.queries`).
What is a table stands in ``data/``.
"""

from __future__ import annotations

from functools import cache
from pkgutil import get_data

SchemaRow = dict[str, str]


@cache
def table(name: str) -> tuple[SchemaRow, ...]:
    """Return the rows of a table in ``data/`` by column; its first line names the columns.

    >>> table("aliases")[0]["replacement"]
    'date_dissolved'
    """
    text = (get_data(__name__, f"data/{name}.tsv") or b"").decode("utf-8")
    header, *lines = (line.split("\t") for line in text.splitlines())
    return tuple(dict(zip(header, line + [""] * (len(header) - len(line)), strict=True)) for line in lines)
