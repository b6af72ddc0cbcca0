"""The known faults and surprises of conlleval."""

from __future__ import annotations

from karat.quirks import Quirk

_OFFICIAL = ("official",)

QUIRKS = (
    Quirk(
        "end-does-not-close",
        "A chunk goes on over E-X B-X, because the rules know no boundary between these two prefixes.",
        _OFFICIAL,
    ),
    Quirk(
        "unknown-prefixes-join",
        "The prefixes S, U and L are not known: neighbouring tags of one type are one chunk, as in S-X S-X.",
        _OFFICIAL,
    ),
    Quirk(
        "bare-unknown-prefix-lost",
        "A tag that is only an unknown prefix, such as S without a type, starts no chunk, and a chunk that ends in one"
        " is not closed, so that it may not count as correct; here place and label alone decide that.",
        _OFFICIAL,
    ),
    Quirk(
        "type-zero-is-none",
        "The type 0 is taken for no type, so B-0 and B are the same.",
        _OFFICIAL,
    ),
    Quirk(
        "accuracy-of-tags",
        "Accuracy compares tags as they are written: the same entities in another tag scheme lower it.",
        ("official", "corrected"),
    ),
    Quirk(
        "undefined-is-zero",
        "The program prints 0 for a ratio with nothing below the line; here it is undefined, or 0 with --zero zero.",
    ),
    Quirk(
        "document-marks-are-tokens",
        "The program counts lines that mark a document (-DOCSTART-) as tokens that are tagged right, which raises"
        " accuracy a little; here they are no tokens.",
    ),
)
