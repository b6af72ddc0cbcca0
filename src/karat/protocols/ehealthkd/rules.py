"""The rules of an edition and a profile, and what can happen to an entity and counts for what."""

from __future__ import annotations

from typing import NamedTuple

from karat.evaluation.worth import CORRECT, INCORRECT, MISSED, PARTIAL, SPURIOUS, Worth

REGIME = "official"
CASES: dict[str, dict[str, Worth]] = {
    "correct": {REGIME: CORRECT},
    "incorrect": {REGIME: INCORRECT},
    "partial": {REGIME: PARTIAL},
    "missed": {REGIME: MISSED},
    "spurious": {REGIME: SPURIOUS},
}
"""A relation is correct, missed or spurious."""


class Rules(NamedTuple):
    """How sentences are cut, aligned and compared.

    The first three switches are those of the published functions: ``skip_incorrect`` leaves out the step that pairs
    mentions of equal spans and unequal labels, ``skip_same_as`` leaves out ``same-as`` relations once they have
    defined the equivalence, and without ``propagate_error`` only relations between mentions that were found count.

    ``corrected`` mends all quirks, and ``mended`` names one that is mended alone.

    ``documented`` goes, beyond ``corrected``, by the words of the task document: all sentences count, and relations
    need correct ends in the order of the gold, whatever is the same as what.
    """

    edition: str = "2021"
    corrected: bool = False
    skip_incorrect: bool = False
    skip_same_as: bool = False
    propagate_error: bool = True
    documented: bool = False
    mended: str = ""

    def mends(self, quirk: str) -> bool:
        """Return whether a quirk is corrected."""
        return self.corrected or self.mended == quirk

    @property
    def whole_zero(self) -> bool:
        """Whether a program writes 0 for what cannot be divided, and not 0.0."""
        return self.edition == "2019" and not self.corrected

    @property
    def by_position(self) -> bool:
        """Whether sentences are lines, kept even when empty, that are compared by their position."""
        return self.edition == "2019" and not self.mends("sentences-by-position")

    @property
    def partial_any_label(self) -> bool:
        """Whether mentions of different labels can match partially."""
        return self.edition == "2019" and not self.mends("partial-of-any-label")
