"""The known faults and surprises of the OMIn programs, by name."""

from __future__ import annotations

from karat.quirks import Quirk, quirks_of

_PUBLISHED = ("published",)

PHRASE_QUIRKS = (
    Quirk(
        "all-documents-count",
        "Results of documents that the gold does not have are all wrong, so a tool that was run on the whole corpus "
        "looks far less precise than one that was run on the gold sample.",
        _PUBLISHED,
    ),
    Quirk(
        "matches-are-not-used-up",
        "One text can be the match of many: gold texts that stand twice are both found by one result, and a right "
        "result that is repeated costs nothing.",
        _PUBLISHED,
    ),
    Quirk(
        "counted-on-two-sides",
        "What is found is counted in the gold and what is wrong in the results, so that found and wrong together are "
        "not the number of results.",
        _PUBLISHED,
    ),
    Quirk(
        "capitals-only-once",
        "Results are put in capitals to see what is found, but not to see what is wrong: a result in small letters is "
        "found and wrong at once.",
        _PUBLISHED,
    ),
    Quirk(
        "characters-not-words",
        "Non-strict, a text matches any that contains its characters: CAR matches CARGO DOOR.",
        ("published", "corrected"),
    ),
    Quirk(
        "na-is-missing",
        "An entity spelled NA, None or null is read as missing, and the program stops. Drop-ins only; corrected, the "
        "row is passed over.",
        _PUBLISHED,
    ),
)

SPAN_QUIRKS = (
    Quirk(
        "gold-is-not-used-up",
        "Several system entities may be judged by the same gold entity, so that more is possible than the gold has.",
        _PUBLISHED,
    ),
    Quirk(
        "first-overlap-decides",
        "Without the same entity in the gold, the first gold entity that overlaps decides, however little; nested ones "
        "come first.",
        _PUBLISHED,
    ),
    Quirk(
        "gold-repeats-collapse",
        "Gold entities with the same label and place count once, system entities every time.",
        _PUBLISHED,
    ),
    Quirk(
        "lost-mentions-match",
        "Mentions that are not in the text have one place in common: in gold and system they match each other.",
        _PUBLISHED,
    ),
    Quirk(
        "untyped-has-labels",
        "Without types the gold has the label ORG, but the system keeps its labels: those outside of the set of types "
        "vanish, and only ORG finds the same entity; others take the first overlap.",
        _PUBLISHED,
    ),
    Quirk(
        "one-possessive",
        "The first 'S of a document is joined to the token before it for the gold, the second for the system, by a "
        "position that is no longer right: another token is changed, or the program stops. Drop-ins only; elsewhere "
        "the first is joined for both sides.",
        _PUBLISHED,
    ),
    Quirk(
        "incomplete-rows-vanish",
        "A row with any missing cell is dropped, also if the cell has nothing to do with the entity. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "warning-names-another",
        "The warning about mentions that are not in the text looks them up by a position that no longer holds, and may "
        "name others. Drop-ins only.",
        _PUBLISHED,
    ),
)

CHAIN_QUIRKS = (
    *quirks_of("karat.protocols.coreference", "omin-coref"),
    Quirk(
        "one-number-is-another-mention",
        "A mention written [10] never equals [10, 10], so that a gold chain with one can never be found whole.",
    ),
    Quirk(
        "first-row-counts",
        "Of several results for a document the first one counts, and a gold document without any stops the program.",
    ),
)

LINK_QUIRKS = (
    Quirk(
        "first-candidate-decides",
        "The first system link with the phrase decides; a later one with the right identifier is never looked at.",
        _PUBLISHED,
    ),
    Quirk(
        "wrong-is-not-missed",
        "A wrong link lowers precision but not recall, which is of the mentions that were linked rightly or not at "
        "all.",
        _PUBLISHED,
    ),
    Quirk(
        "equal-levels-hide",
        "Where a shorter level has the same phrase as a longer one, as CART beside CART, its identifier is wrong, "
        "against the description.",
        _PUBLISHED,
    ),
    Quirk(
        "likeness-of-one-level",
        "Likeness is asked for the level that matched only, not for the best of those that are accepted.",
        _PUBLISHED,
    ),
    Quirk(
        "numbers-are-not-identifiers",
        "A column of identifiers without the Q is a column of numbers, which equal no identifier. Drop-ins only.",
        _PUBLISHED,
    ),
)
