"""Selects annotators, for files with annotations by several people: the user names one, or reads each separately."""

from __future__ import annotations

from typing import Any, NoReturn

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.settings import option

EACH = "each"


def annotator_option() -> Any:
    """Declare the option that selects an annotator."""
    help_text = "whose annotations are read, if a document has several; each: all, as documents ID@NAME"
    return option("", help_text, metavar="NAME")


class Annotators:
    """Tracks the annotators of documents, and selects those that are read.

    >>> annotators = Annotators("each")
    >>> annotators.admit("bo"), annotators.name("d1", "bo")
    (True, 'd1@bo')
    """

    def __init__(self, chosen: str) -> None:
        self.chosen = chosen
        self._seen: dict[str, None] = {}
        self._first: dict[str, str] = {}

    def admit(self, annotator: str) -> bool:
        """Tell whether the annotations of an annotator are read."""
        self._seen.setdefault(annotator)
        return self.chosen in ("", EACH, annotator)

    def name(self, document: str, annotator: str) -> str:
        """Return the id of a document by this annotator; a second one is an error unless "each" was selected."""
        if self.chosen == EACH:
            return f"{document}@{annotator}"
        first = self._first.setdefault(document, annotator)
        if first != annotator:
            self.refuse(document, [first, annotator])
        return document

    def refuse(self, document: str, annotators: list[str]) -> NoReturn:
        """Raise the error for a document with several annotators."""
        names = " and ".join(map(shown, annotators))
        if len(set(annotators)) == 1:
            times = f"{len(annotators)} times by {shown(annotators[0])}"
            raise InputError(
                f"document {shown(document)} is annotated {times}; remove what is out of date, or read all with "
                "--read annotator=each"
            )
        raise InputError(
            f"document {shown(document)} is annotated by {names}; choose with --read annotator=NAME, or read all "
            "with annotator=each; system.annotator=NAME holds for one side"
        )

    def report(self, path: str, problems: Problems) -> None:
        """Report a selected annotator that does not occur."""
        if self.chosen not in ("", EACH) and self.chosen not in self._seen and self._seen:
            names = ", ".join(map(shown, self._seen))
            problems.error(path, None, f"there is no annotator {shown(self.chosen)}; the annotators are {names}")
