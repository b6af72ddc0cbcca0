"""Provenance on the lines of runs and assessments: checked, repaired and brought to its normal form."""

from __future__ import annotations

import re

from karat.vocabularies.coldstart.problems import ProblemLog
from karat.vocabularies.coldstart.provenance import ILLEGIBLE, MAX_CHARACTERS, Lengths, normal, parse

_ONE_SOUND = re.compile(r"([^:,\s]+):([0-9]{1,9})-([0-9]{1,9})")


class Places:
    """Reads provenances; what is sound is recognised at once, and nothing sound is looked at twice.

    >>> read = Places(None, ProblemLog())
    >>> read("d2:1-5,d1:7-9", "run", 1)
    'd1:7-9,d2:1-5'
    """

    def __init__(self, lengths: Lengths | None, log: ProblemLog) -> None:
        self.lengths = lengths
        self.log = log
        self._sound: dict[str, str] = {}

    def __call__(self, text: str, path: str, line: int) -> str:
        """Return the normal form of the provenance on a line."""
        found = self._sound.get(text)
        if found is not None:
            return found
        if self._is_sound(text):
            self._sound[text] = text
            return text
        before = self.log.errors + self.log.warnings
        found = normal(parse(text, self.lengths, self.log, f"{path} line {line}"))
        if self.log.errors + self.log.warnings == before:
            self._sound[text] = found
        return found

    def _is_sound(self, text: str) -> bool:
        match = _ONE_SOUND.fullmatch(text)
        if match is None:
            return False
        docid, start, end = match.groups()
        last = int(end)
        if not 0 <= last - int(start) < MAX_CHARACTERS or docid == ILLEGIBLE:
            return False
        return self.lengths is None or last <= self.lengths.get(docid, -1)
