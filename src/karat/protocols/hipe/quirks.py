"""The known faults and surprises of the HIPE scorer, by name, with the profiles in which Karat reproduces them."""

from __future__ import annotations

from karat.quirks import Quirk

_ALL = ("current", "2022", "2020", "corrected")
_PUBLISHED = ("current", "2022", "2020")

QUIRKS = (
    Quirk(
        "edition-and-log-mandatory",
        "--hipe_edition and --log have documented defaults that are never applied; without them the scorer crashes.",
        _PUBLISHED,
    ),
    Quirk(
        "failure-exits-zero",
        "A bad file name, a structure that does not fit or a missing column ends with a printed message, exit status "
        "0 and no files. Karat answers with one sentence and exit status 3 in every profile.",
    ),
    Quirk(
        "hash-tokens-dropped",
        "Tokens that contain '#' are discarded from gold and system alike.",
        ("current",),
    ),
    Quirk(
        "surface-in-strict",
        "The text of the tokens is part of strict equality, so a system that writes a token differently is not "
        "strictly correct on it; an accident of 2020-06-26 that was never taken back.",
        ("current", "2022"),
    ),
    Quirk(
        "first-overlap-wins",
        "A system mention is compared with the first overlapping gold mention that is free, even if its type is "
        "wrong and the next one would be right. '--overlap best' prefers the right type.",
        _ALL,
    ),
    Quirk(
        "errors-charged-to-gold-type",
        "A wrong type is booked on the gold type only, so precision by type is not 'of those predicted as this "
        "type'. '--charge both' books it on both.",
        _ALL,
    ),
    Quirk(
        "wrong-type-ignores-use",
        "Same span with another type is paired without asking whether the gold mention is still free; with the "
        "disjoint spans of a column this cannot be seen.",
    ),
    Quirk("integer-zero", "An undefined precision or recall is the integer 0, a true zero is 0.0.", _ALL),
    Quirk(
        "macro-drops-documents",
        "In the average over documents, precision drops documents without system mentions, recall those without gold "
        "mentions, F1 those without either: macro F1 does not follow from macro precision and recall.",
        _ALL,
    ),
    Quirk(
        "tags-behind-last-hyphen",
        "The tag set holds what stands behind the last hyphen and before the first pipe, so types and links with a "
        "hyphen are never evaluated. The corrected profile takes whole types and links.",
        _PUBLISHED,
    ),
    Quirk(
        "odd-cells-are-entities",
        "'_', '-', 'B' or an empty cell in a column of tags is an entity of the empty type. The corrected profile "
        "refuses such cells.",
        _PUBLISHED,
    ),
    Quirk(
        "empty-links-count",
        "An empty cell in a column of links is a link to '', a missing cell is not. The 2022 revision refuses both; "
        "the corrected profile sees no link.",
        ("current", "2020"),
    ),
    Quirk("lower-case-s-e", "Tags s-… and e-… are not read as B-… and I-…, as S-… and E-… are.", _ALL),
    Quirk(
        "unknown-types-vanish",
        "System mentions of a type that the gold never uses are dropped, which raises precision, unless a tag set "
        "names the type.",
        _ALL,
    ),
    Quirk("tagset-adds-only", "A tag set never restricts the gold, and linking ignores it.", _ALL),
    Quirk(
        "one-token-links",
        "A link outside of any entity counts once for each of its tokens. The corrected profile makes one mention.",
        ("current", "2022"),
    ),
    Quirk(
        "first-token-decides-link",
        "A gold entity whose first token has no link loses its link; a system entity is split where its link changes.",
        ("current", "2022"),
    ),
    Quirk(
        "spurious-on-every-tag",
        "A spurious ranked link whose first alternative is no tag ('_|Q1') is booked as spurious on every tag. The "
        "corrected profile books it on that alternative.",
        _PUBLISHED,
    ),
    Quirk("gold-alternatives-ignored", "Of the links of a gold mention only the first counts.", _ALL),
    Quirk(
        "segmentation-rebuilt-from-first-segment",
        "A system file without document lines is cut up as the gold is, but only its first segment is used and "
        "surplus tokens are dropped; with equal numbers of documents nothing is rebuilt and no token is compared.",
        _ALL,
    ),
    Quirk(
        "date-inheritance",
        "A date line is in force until the next one, across documents; one without a date means 2022-01-01; periods "
        "are labelled by year only and those with equal labels overwrite each other.",
        _ALL,
    ),
    Quirk(
        "noise-filter-glues-neighbours",
        "Tokens outside of a noise band are removed before entities are read, so entities are cut or joined.",
        _ALL,
    ),
    Quirk(
        "output-name",
        "Every '.tsv' in the name is replaced; a name without it gives both result files the same name, and the "
        "JSON file survives. The corrected profile appends the suffix instead.",
        _PUBLISHED,
    ),
    Quirk(
        "warnings-once-or-twice",
        "Different links inside a gold entity are logged once, inside a system entity twice.",
        ("current", "2022"),
    ),
    Quirk(
        "partial-block-first",
        "The JSON file begins with the regime 'partial', which ignores types; who reads the first block sees scores "
        "that look too good.",
        _ALL,
    ),
    Quirk("warnings-per-slice", "Warnings about unknown labels are repeated for every slice.", _ALL),
    Quirk(
        "empty-last-segment-loses-document",
        "A file that ends in a '# segment' line without tokens loses its last document.",
        _PUBLISHED,
    ),
    Quirk(
        "normalisation-damage",
        "Link normalisation reads tokens such as NA or null as missing and writes them empty, and pads comment lines.",
        _PUBLISHED,
    ),
)
