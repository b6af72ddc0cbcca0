"""The known faults and surprises of the CorefUD scorer, by name."""

from __future__ import annotations

from karat.quirks import Quirk

QUIRKS = (
    Quirk(
        "singletons-removed",
        "Chains of one mention are removed from both sides by default, before anything is compared: a mention that is "
        "alone on one side and in a chain on the other has no counterpart then. '--singletons keep' counts them.",
    ),
    Quirk(
        "head-is-identity",
        "Where heads are matched, mentions with the same words and different heads are different mentions, and do not "
        "match. Under '--match exact' and '--match partial' they are the same.",
    ),
    Quirk(
        "partial-is-one-sided",
        "Under '--match partial' a system mention must lie within the gold mention and cover its head, so one that is "
        "a word too long does not match while one that is too short does; precision and recall do not change places "
        "with the sides.",
    ),
    Quirk(
        "zeros-move",
        "Mentions whose head is an empty node are matched by what they depend on, before all others, wherever they "
        "stand in the sentence. '--zeros linear' compares their positions.",
    ),
    Quirk(
        "zeros-without-dependencies",
        "A zero without enhanced dependencies ends the program with a division by zero as soon as its sentence has a "
        "zero on the other side. Here it is like no other zero, and may still match by its position.",
    ),
    Quirk(
        "names-go-both-ways",
        "Matched mentions are looked up in one dictionary for both directions. If a mention of one side equals one of "
        "the other, but each is matched with another one, the gold mention is looked up under a gold name and counts "
        "as not found.",
    ),
    Quirk(
        "equal-before-matched",
        "The score of zero anaphors looks for an equal mention first and for the matched one only if there is none, "
        "while all other measures do it the other way round.",
    ),
    Quirk(
        "repeated-within-a-chain",
        "A mention that stands in a chain twice counts once.",
    ),
    Quirk(
        "repeated-in-two-chains",
        "A mention in two chains counts in both and belongs to the last of them. Chains stand in the order of their "
        "first mentions in the file, so a chain whose name was used in an earlier document comes first.",
    ),
    Quirk(
        "blanc-either",
        "BLANC averages over a kind of pairs (in one chain, in two chains) that either side has; the official CoNLL "
        "scorer asks for those that the gold has. A gold without one of the kinds scores half of what it does there.",
    ),
    Quirk(
        "overlap-ignores-chains",
        "MOR pairs mentions for as many shared words as possible, whatever their chains, their heads and '--match'.",
    ),
    Quirk(
        "ties-by-solver",
        "Where several pairings of mentions are equally good, the one counts that SciPy's assignment solver happens to "
        "return for the mentions in the order of the text. The same solver decides here, up to four million pairs; "
        "beyond, the earlier mention wins.",
    ),
    Quirk(
        "surplus-unchecked",
        "Words and sentences are compared as far as both sides go: a system file that ends early within a document "
        "passes, and so does a sentence with surplus words at its end, with a note here. Surplus documents at its end "
        "pass, too; here they are an error, unless '--missing' says otherwise.",
    ),
    Quirk(
        "mentions-in-no-chain",
        "Only mentions in chains count; CorefUD has no others, other formats may.",
    ),
)
