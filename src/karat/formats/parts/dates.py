"""Dates in the comments of column files: ``# date = 1798-01-20`` applies until the next one."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence

Comment = tuple[int, str]
"""A comment, with the token before which it stands."""

DATE_LINES = ("# date", "# hipe2022:date")
_STATED = re.compile(r"#\s*(?:hipe2022:)?date\s*=\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*")


def dates_in(comments: Iterable[Comment]) -> list[tuple[int, str]]:
    """Return the dates that comments state, each with the first token that it applies to.

    >>> dates_in([(0, "# date = 1798-01-20"), (3, "# date = soon"), (5, "# date = 1798-02-30")])
    [(0, '1798-01-20')]
    """
    dates: dict[int, str] = {}
    for token, comment in comments:
        stated = _STATED.fullmatch(comment)
        if stated and _is_day(stated[1]):
            dates[token] = stated[1]
    return list(dates.items())


def _is_day(date: str) -> bool:
    try:
        datetime.date.fromisoformat(date)
    except ValueError:
        return False
    return True


def with_dates(comments: Sequence[Comment], dates: Iterable[Comment], in_force: str = "") -> list[Comment]:
    """Return the comments with one for each date that they do not state, unless it is ``in_force`` already.

    >>> with_dates([(0, "# language = de")], [(0, "1798-01-20"), (4, "1798-01-21")], in_force="1798-01-20")
    [(0, '# language = de'), (4, '# date = 1798-01-21')]
    """
    stated = {token for token, comment in comments if comment.startswith(DATE_LINES)}
    unstated = [
        (token, f"# date = {date}") for token, date in dates if token not in stated and (token or date != in_force)
    ]
    return sorted([*comments, *unstated], key=lambda comment: comment[0])
