"""The options of the protocols of DocRED and Re-DocRED."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.corrections import CorrectableOptions
from karat.protocols.docred.training import NO_FACTS, TrainingFacts, training_facts
from karat.protocols.relations.options import RelationOptions
from karat.settings import option, shared_option


@dataclass(frozen=True)
class DocredOptions(CorrectableOptions):
    """What can be set in an evaluation by the rules of DocRED."""

    profile: str = shared_option("profile")
    train: TrainingFacts = option(
        NO_FACTS,
        "the annotated training data, whose facts Ign F1 leaves out: a DocRED file, or a list of facts",
        parse=training_facts,
        metavar="FILE",
    )
    distant: TrainingFacts = option(
        NO_FACTS,
        "the same for the training data of distant supervision",
        parse=training_facts,
        metavar="FILE",
    )
    invented: str = shared_option("invented")
    missing: str = shared_option("missing", "empty")

    @property
    def relations(self) -> RelationOptions:
        """The same, as the protocol of relations calls them."""
        return RelationOptions(roles="positions", duplicates="each", invented=self.invented, missing=self.missing)


@dataclass(frozen=True)
class RedocredOptions(DocredOptions):
    """What can be set in an evaluation by the rules of Re-DocRED."""

    profile: str = shared_option(
        "profile",
        choices=("published", "benchmark", "corrected"),
        help="as the published function official_evaluate counts, as official_evaluate_benchmark does, or with the "
        "named quirks of both put right",
    )
