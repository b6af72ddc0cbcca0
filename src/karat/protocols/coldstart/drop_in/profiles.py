"""Which published revision a program follows, or the one where what is wrong with them is corrected."""

from __future__ import annotations

from typing import NamedTuple


class Profile(NamedTuple):
    """A revision: its name, which also names the rules of its query ids, and the versions of its programs.

    ``corrected`` accepts links when queries are resolved, finds entry points of the queried type only, and compares
    the name of a linked KB as it is written.
    """

    name: str
    validate_kb: str
    resolve_queries: str
    generate_queries: str
    corrected: bool = False
    validate_sf: str = "1.9"
    correct_query_ids: str = "1.6"


PROFILES = {
    "2015": Profile("2015", "4.8", "2015.1.0", "1.7"),
    "2015.11": Profile("2015.11", "5.0", "2016.1.0", "1.9"),
    "corrected": Profile("corrected", "4.8", "2015.1.0", "1.7", corrected=True),
}
"""The snapshot of November 2015, the branch release-2015.11, and what both were meant to be."""
