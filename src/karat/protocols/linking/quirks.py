"""The known faults and surprises of neleval and GERBIL, and where Karat's reading of them differs."""

from __future__ import annotations

from karat.quirks import Quirk

TAC_QUIRKS = (
    Quirk(
        "same-counts-once",
        "What a measure cannot tell apart counts once: two links of one place are one mention to strong-mention-match.",
    ),
    Quirk(
        "nil-by-prefix",
        "Every identifier that begins with NIL is one, even if the knowledge base has it; say --nil to change that.",
    ),
    Quirk(
        "nil-without-number",
        "Mentions whose link is just NIL are one cluster, whatever they mean.",
    ),
    Quirk(
        "two-links-garble-ceaf",
        "Where a place has two links, neleval shifts the mentions of its gold clusters and counts some more than once, "
        "so that CEAF of a perfect system is below 1; here each link puts the place into one more cluster.",
    ),
    Quirk(
        "clusters-across-documents",
        "neleval clusters the whole corpus unless it is told --by-doc; here documents are clustered one by one unless "
        "--clusters corpus is said.",
    ),
    Quirk(
        "weak-by-characters",
        "neleval has no weak match of mentions: to-weak makes every character a mention. Here a weak match is a pair "
        "of mentions that overlap, one to one, as many as there can be.",
    ),
    Quirk(
        "unlinked-is-neither",
        "To neleval a mention without any candidate is neither linked nor NIL, and counts only where no filter asks; "
        "here it is NIL, or left out with --unlinked leave-out.",
    ),
    Quirk(
        "undefined-is-zero",
        "neleval prints 0 for a ratio with nothing below the line and averages it in; here it is undefined, or 0 with "
        "--zero zero.",
    ),
)

_SHARED = (
    Quirk(
        "nothing-to-find-is-perfect",
        "In the average over documents one without any mention on either side counts as 1, and one where only one side "
        "has any as 0.",
    ),
    Quirk(
        "classes-by-own-link",
        "InKB looks at gold mentions with a link and at system mentions with a link, so a wrong NIL costs InKB only "
        "recall.",
    ),
    Quirk(
        "no-confidence-threshold",
        "Where a system gives scores, GERBIL drops links below the score that gives the best F1; here all count.",
    ),
)
D2KB_QUIRKS = (
    *_SHARED,
    Quirk(
        "unasked-is-forgiven",
        "Mentions that the gold lacks are left out before anything is counted.",
    ),
    Quirk(
        "right-nil-beside-a-link",
        "In GERBIL a right NIL counts as spurious in GSInKB where the gold has both a NIL and a link in one place; "
        "here it does not belong to the slice.",
    ),
)
A2KB_QUIRKS = (
    *_SHARED,
    Quirk(
        "first-overlap-wins",
        "Under weak each gold mention takes the first free system mention that overlaps it and has its link, even if "
        "another one needs it more; here both sides are in the order of the text.",
        ("published",),
    ),
)
