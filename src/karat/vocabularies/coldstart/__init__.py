"""The vocabulary of TAC KBP Cold Start 2015, shared by its file formats and its evaluation.

From the ground up: characters as the published programs read them (:mod:`~karat.vocabularies.coldstart.text`), lines
(:mod:`~karat.vocabularies.coldstart.text_files`), the catalogue of problems and their log
(:mod:`~karat.vocabularies.coldstart.problems`), provenance
(:mod:`~karat.vocabularies.coldstart.provenance`), predicates
(:mod:`~karat.vocabularies.coldstart.schema`), and queries with their ids and files
(:mod:`~karat.vocabularies.coldstart.query_ids`, :mod:`~karat.vocabularies.coldstart.queries`).
Tables are files in ``data/``.
"""

from __future__ import annotations

from functools import cache
from pkgutil import get_data

SchemaRow = dict[str, str]


@cache
def table(name: str) -> tuple[SchemaRow, ...]:
    """Return the rows of a table in ``data/`` as dictionaries; its first line names the columns.

    >>> table("aliases")[0]["replacement"]
    'date_dissolved'
    """
    text = (get_data(__name__, f"data/{name}.tsv") or b"").decode("utf-8")
    header, *lines = (line.split("\t") for line in text.splitlines())
    return tuple(dict(zip(header, line + [""] * (len(header) - len(line)), strict=True)) for line in lines)
