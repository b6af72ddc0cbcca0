"""What the options of CoVal do to chains: leave out verb phrases and nested mentions, and compare minimum spans."""

from __future__ import annotations

from karat.model import Document
from karat.protocols.coreference.clusterings import Clustering
from karat.protocols.coreference.coval.nested import without_nested
from karat.protocols.coreference.coval.parses import parsed_mentions
from karat.protocols.coreference.coval.phrases import (
    Same,
    compared_by,
    minimum_spans,
    verb_phrases,
    without_verb_phrases,
)
from karat.protocols.coreference.options import CovalOptions


def rearranged(
    clustering: Clustering, gold: Document, options: CovalOptions, side: str, dropped: dict[str, int]
) -> Clustering:
    """Do to one side what CoVal does once singletons are gone, and add what is left out to ``dropped``."""
    same: Same = {}
    if "yes" in (options.np_only, options.min_spans):
        mentions = parsed_mentions(clustering, gold)
        same = minimum_spans(mentions) if options.min_spans == "yes" else {}
        if options.np_only == "yes":
            clustering, verbal, lone = without_verb_phrases(clustering, verb_phrases(mentions), same)
            dropped |= {f"{side} verb phrase": verbal, f"lone {side} mention": lone}
    if options.nested == "remove":
        before = clustering.size
        clustering = without_nested(clustering, same, keep_pairs=options.singletons == "keep")
        dropped[f"nested {side} mention"] = before - clustering.size
    return compared_by(clustering, same) if same else clustering
