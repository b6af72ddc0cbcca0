"""Titles of Wikipedia pages as links: their identifiers by a file, since Karat never asks the network."""

from __future__ import annotations

import re

from karat.errors import InputError
from karat.files import lines
from karat.model import Link

_QID = re.compile(r"Q[0-9]{1,18}")


class Titles:
    """The identifiers of titles, read from a file of two columns with a tab between them: title, identifier.

    Without a file the title itself is the target of a link. With one, a title that several lines name has the largest
    number, and one that no line names is tried in title case; if that is not there either, it has no identifier.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._targets: dict[str, str] = {}
        for line_number, line in enumerate(lines(path) if path else (), start=1):
            title, tab, target = line.removeprefix("\ufeff").partition("\t")
            if not line.strip():
                continue
            if not tab or not _QID.fullmatch(target.strip()):
                message = f"{line[:40]!r} is no title with an identifier; expected TITLE, a tab and Q…"
                raise InputError(message, path=path, line=line_number)
            known = self._targets.get(title)
            if known is None or int(known[1:]) < int(target.strip()[1:]):
                self._targets[title] = target.strip()

    def links(self, title: str) -> tuple[Link, ...]:
        """Return the link to a title; none if it has no identifier.

        >>> Titles("").links("El Salvador")
        (Link(target='El Salvador', score=None),)
        """
        if not title:
            return ()
        if not self.path:
            return (Link(title),)
        target = self._targets.get(title) or self._targets.get(title.title())
        return (Link(target),) if target else ()
