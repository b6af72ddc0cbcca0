"""The options of the eHealth-KD protocols."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.corrections import CorrectableOptions
from karat.protocols.ehealthkd.rules import Rules
from karat.settings import option, shared_option

EDITIONS = ("2021", "2020", "2019")
PROFILES = ("published", "corrected", "documented")
_NO_YES = ("no", "yes")


@dataclass(frozen=True)
class EhealthOptions(CorrectableOptions):
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
            corrected=self.profile in ("corrected", "documented"),
            documented=self.profile == "documented",
            skip_incorrect=self.skip_incorrect == "yes",
            mended=self.mended,
        )


@dataclass(frozen=True)
class EhealthRelationOptions(EhealthOptions):
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
