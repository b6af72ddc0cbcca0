"""The options of the eHealth-KD protocols, and the rules that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from karat.settings import option, shared_option

EDITIONS = ("2021", "2020", "2019")
PROFILES = ("published", "corrected", "documented")
_NO_YES = ("no", "yes")


class Rules(NamedTuple):
    """How sentences are cut, aligned and compared.

    The first three switches are those of the published functions: ``skip_incorrect`` leaves out the step that pairs
    mentions of equal spans and unequal labels, ``skip_same_as`` leaves out ``same-as`` relations once they have
    defined the equivalence, and without ``propagate_error`` only relations between mentions that were found count.

    ``documented`` goes, beyond ``corrected``, by the words of the task document: all sentences count, and relations
    need correct ends in the order of the gold, whatever is the same as what.
    """

    edition: str = "2021"
    corrected: bool = False
    skip_incorrect: bool = False
    skip_same_as: bool = False
    propagate_error: bool = True
    documented: bool = False

    @property
    def by_position(self) -> bool:
        """Whether sentences are lines, kept even when empty, that are compared by their position."""
        return self.edition == "2019" and not self.corrected

    @property
    def partial_any_label(self) -> bool:
        """Whether mentions of different labels can match partially."""
        return self.edition == "2019" and not self.corrected


@dataclass(frozen=True)
class EntityOptions:
    """What can be set in an evaluation of entities."""

    profile: str = option(
        "published",
        "as the organisers' program does, with its faults corrected, or by the words of the task document",
        choices=PROFILES,
        always=True,
    )
    edition: str = option(
        "2021",
        "the edition whose program is meant; 2021 and 2020 judge alike, 2019 compares sentences by their position and "
        "has partial matches of different labels",
        choices=EDITIONS,
    )
    skip_incorrect: str = option(
        "no",
        "leave out the verdict 'incorrect': a wrong label is then a missed and a spurious mention",
        choices=_NO_YES,
    )
    missing: str = shared_option("missing")

    @property
    def rules(self) -> Rules:
        """The rules that these options stand for."""
        return Rules(
            edition=self.edition,
            corrected=self.profile != "published",
            documented=self.profile == "documented",
            skip_incorrect=self.skip_incorrect == "yes",
        )


@dataclass(frozen=True)
class RelationOptions(EntityOptions):
    """What can be set in an evaluation of relations."""

    skip_same_as: str = option(
        "no",
        "leave out same-as relations, after they have said which gold mentions are equivalent",
        choices=_NO_YES,
    )
    propagate_error: str = option(
        "yes",
        "judge all relations, or only those between mentions that were found, on both sides",
        choices=("yes", "no"),
    )

    @property
    def rules(self) -> Rules:
        """The rules that these options stand for."""
        return super().rules._replace(
            skip_same_as=self.skip_same_as == "yes",
            propagate_error=self.propagate_error == "yes",
        )
