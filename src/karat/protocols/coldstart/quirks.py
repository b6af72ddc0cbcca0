"""The known faults and surprises of the Cold Start 2015 slot-filling programs, and where Karat keeps them."""

from __future__ import annotations

from karat.quirks import Quirk

_PUBLISHED = ("published",)
_BOTH = ("published", "corrected")

QUIRKS = (
    Quirk(
        "duplicates-by-the-wrong-field",
        "A line counts as repeated if its relation provenance equals the value provenance of an earlier one, so that "
        "most repeated lines count again. Corrected, a line is repeated if all of it is.",
        _PUBLISHED,
    ),
    Quirk(
        "first-parent-decides",
        "Whether a fill has a right parent is read off the first line that leads to its query, even if a later one is "
        "right. Corrected, one right line is enough.",
        _PUBLISHED,
    ),
    Quirk(
        "nameless-hop-0-rows",
        "What is assessed as wrong below a wrong parent is counted at hop 0 of a query without a name, and in the "
        "scores of LDC queries not at all. Corrected, it is counted at its own hop.",
        _PUBLISHED,
    ),
    Quirk(
        "last-class-wins",
        "If one fill is assessed in several classes, what follows from it belongs to the last one read. Corrected, to "
        "the first class by number.",
        _PUBLISHED,
    ),
    Quirk(
        "order-of-lines",
        "Parents must stand before their children in runs and pools. Corrected, and in the protocol, lines may stand "
        "in any order. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "macro-sums-means",
        "-combo MACRO averages the rows of a query and sums the averages. Corrected, it is the mean of the F1 of "
        "queries with an answer. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "macro-over-rows",
        "The macro average of project-scores is over rows, and beyond hop 0 every class has a row. Here it is over "
        "queries, as the documentation says. Drop-ins only.",
        _BOTH,
    ),
    Quirk(
        "second-round-counts-twice",
        "If the query file lists a query of the second round, score prints its chain again, and project-scores adds it "
        "once more. Corrected, and in the protocol, it counts once. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "union-is-micro",
        "-combo UNION does the same as MICRO. Corrected, the entry points of a query are taken together. "
        "Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "single-values-unchecked",
        "validate-sf accepts several fills of a slot that takes one value. Corrected, the surest is kept. "
        "Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "error-count-unsaid",
        "With errors in its input the scorer stops without saying how many there are. Drop-ins only.",
        _BOTH,
    ),
    Quirk(
        "ignored-is-wrong",
        "Fills judged as to be ignored count as wrong.",
        _BOTH,
    ),
    Quirk(
        "inexact-classes-count",
        "A class that has only inexact fills counts in the ground truth, and cannot be found.",
        _BOTH,
    ),
)
