"""How the ids of slot-filling queries are read and continued, and how an early bug cut them short.

A query of an entry point is named ``<prefix>_<ten hexadecimal digits>``; what follows from an answer, at any hop, is
named after that first query: ``<base>_<twelve digits>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from karat.coldstart.query_ids import entry_point_digits

BaseRule = Callable[[str], str]
"""Gives the id of the query that a chain of follow-ups began with."""

_SUFFIXES = (
    re.compile(r"_\w{8}-\w{4}-\w{4}-\w{4}-\w{12}$"),
    re.compile(r"_PSEUDO.*$", re.DOTALL),
    re.compile(r"_[0-9a-f]{12}$", re.IGNORECASE),
)
_ENTRY_POINT = re.compile(r"_[0-9a-f]{10}$", re.IGNORECASE)


def base(query_id: str) -> str:
    """Return the id of the first query of a chain; one that ends in ten digits is that of an entry point itself.

    >>> base("CSSF15_ENG_0458206f71_e7a0b88e4371"), base("CSSF15_ENG_0458206f71")
    ('CSSF15_ENG_0458206f71', 'CSSF15_ENG_0458206f71')
    """
    found = query_id
    for suffix in _SUFFIXES:
        if match := suffix.search(query_id):
            found = query_id[: match.start()]
    return query_id if _ENTRY_POINT.search(query_id) else found


def base_without_entry_point(query_id: str) -> str:
    """Return the base as programs had it before the evaluation: without the ten digits of the entry point, too.

    >>> base_without_entry_point("CSSF15_ENG_0458206f71")
    'CSSF15_ENG'
    """
    found = base(query_id)
    match = _ENTRY_POINT.search(query_id)
    return query_id[: match.start()] if match else found


def entry_point_id(prefix: str, docid: str, start: str, end: str, slots: list[str]) -> str:
    """Return the id of the query for one entry point."""
    return f"{prefix}_{entry_point_digits(docid, start, end, slots)}"
