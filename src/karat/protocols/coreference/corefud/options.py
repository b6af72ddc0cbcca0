"""The options of the CorefUD protocol."""

from __future__ import annotations

from dataclasses import dataclass

from karat.pairing import Missing
from karat.settings import choice, shared_option


@dataclass(frozen=True)
class CorefudOptions:
    """What can be set: the switches of the published program, with its defaults, and what a missing document is."""

    match: str = choice(
        ("head", "partial", "exact"),
        "which mentions are the same beside those with the same words: those with the same head, system mentions "
        "inside of a gold mention that cover its head (partial), or none (exact)",
        always=True,
    )
    singletons: str = choice(
        ("remove", "keep"),
        "chains of one mention: removed from both sides before anything is compared, or kept",
        always=True,
    )
    zeros: str = choice(
        ("dependent", "linear"),
        "mentions whose head is an empty node are matched by what they depend on (dependent), or by their position "
        "like all others (linear)",
    )
    repeats: str = choice(
        ("chains", "once"),
        "a mention that stands in several chains: counts in each of these chains, as published, so that ratios above 1 "
        "are possible, or once, in the first of them",
    )
    missing: Missing = shared_option("missing")
