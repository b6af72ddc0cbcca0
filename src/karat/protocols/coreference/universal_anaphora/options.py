"""The options of the protocol of Universal Anaphora."""

from __future__ import annotations

from dataclasses import dataclass

from karat.pairing import Missing
from karat.settings import choice, shared_option


@dataclass(frozen=True)
class AnaphoraOptions:
    """What can be set: the switches of the published program, with its defaults, and what a missing document is."""

    singletons: str = choice(
        ("remove", "keep"),
        "chains of one mention: removed from both sides before anything is compared, or kept",
        always=True,
    )
    split_antecedents: str = choice(
        ("remove", "keep", "only"),
        "antecedents of several entities: removed, kept as a further member of their chain, or the only thing that is "
        "scored; where they count, singletons are kept",
        always=True,
    )
    zeros: str = choice(
        ("remove", "keep"), "mentions on empty nodes: removed from their chains, or kept and matched by their position"
    )
    match: str = choice(
        ("exact", "partial", "craft"),
        "which mentions are the same beside those with the same words: none (exact), mentions inside of another one "
        "that cover its Min (partial), or system mentions with a part inside of a gold mention's first part (craft)",
        always=True,
    )
    evaluate: str = choice(
        ("identity", "discourse-deixis"),
        "what is scored: the column of identity, or that of discourse deixis, with singletons and split antecedents",
    )
    missing: Missing = shared_option("missing")

    @property
    def keeps_splits(self) -> bool:
        """Whether split antecedents count."""
        return self.split_antecedents != "remove" or self.evaluate == "discourse-deixis"

    @property
    def keeps_singletons(self) -> bool:
        """Whether chains of one mention count; parts of split antecedents may be such."""
        return self.singletons == "keep" or self.keeps_splits

    @property
    def only_splits(self) -> bool:
        """Whether nothing but split antecedents is scored."""
        return self.split_antecedents == "only" and self.evaluate == "identity"
