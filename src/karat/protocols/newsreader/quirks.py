"""The known faults and surprises of the NewsReader programs, by name, with the profiles in which Karat keeps them.

``published`` is the default of the drop-ins and the protocol ``newsreader-ned``, ``corrected`` the other ones.
"""

from __future__ import annotations

from karat.quirks import Quirk

_PUBLISHED = ("published",)

QUIRKS = (
    Quirk(
        "sentence-six",
        "The documentation promises the first five sentences; read are those numbered up to six, which are seven "
        "where numbers begin at 0.",
        _PUBLISHED,
    ),
    Quirk(
        "last-token-unread",
        "The last token of a document is never looked at, so an entity that begins there is lost if the whole "
        "document lies within the limit. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "resource-argument",
        "The system programs take an undocumented second argument, the resource; called as documented, their "
        "arguments shift and they fail. Corrected, it may be left out, and all resources count. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "mapping-argument",
        "The program for other languages fails without an undocumented fifth argument, the prefix of a table of "
        "redirects. Corrected, it may be left out. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "positive-confidence-only",
        "A reference counts only if its confidence is a number above 0, so one without confidence never does. "
        "Corrected, it comes last.",
        _PUBLISHED,
    ),
    Quirk(
        "no-second-best",
        "If the best reference of the resource is none of DBpedia, the entity is left out although the next may be."
        " Corrected, the best DBpedia reference counts.",
        _PUBLISHED,
    ),
    Quirk(
        "gold-first-reference",
        "The gold takes the first reference of an entity, whatever the confidences; the documentation speaks of the"
        " highest. Drop-ins only: the protocols see references ranked.",
        _PUBLISHED,
    ),
    Quirk(
        "first-reference-only",
        "The programs for other languages and for redirects open only the first reference of an entity, whatever its "
        "confidence and resource, and never see a better one behind it. Corrected, the best DBpedia reference counts, "
        "and the English ones inside of all references. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "name-behind-last-slash",
        "The name of an entity is what follows the last slash: that of AC/DC is DC. Corrected, it is what follows "
        "/resource/.",
        _PUBLISHED,
    ),
    Quirk(
        "documents-renamed",
        "The programs for other languages and for redirects write X.naf as X.txt.xml.naf, so that nothing matches a"
        " gold of the same names. Corrected, names stay. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "three-columns",
        "The same programs leave out the column of the mention that is documented. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "message-on-stdout",
        "Entities without an English reference are reported on standard output. Corrected, on standard error."
        " Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "spans-concatenated",
        "Several spans of one entity are written as one. Corrected, each is a mention. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "no-target-is-fatal",
        "An entity without references/span/target, as newer NAF writes them, ends the program. Corrected, newer "
        "spans are found, and an entity without any is left out. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "term-is-token",
        "Term N is taken for token N, and only letters w and t are taken off ids; an id without them repeats the "
        "last one, or is the name of the document. Corrected, the layer of terms says which tokens. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "stale-tokens",
        "Texts of tokens are kept from one document to the next, so a mention beyond the limit shows words of "
        "another document. Corrected, each document has its own. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "encoding-by-line",
        "A line is written as Latin-1 if that suffices, else as UTF-8, so that the same name may not equal itself. "
        "Corrected, all is UTF-8. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "detikcom-dropped",
        "The gold with redirects leaves out the entity DetikCom. Corrected, it stays. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "redirects-as-bytes",
        "Tables of redirects are read as bytes by two of three programs, so that names with accents never match. "
        "Corrected, they are UTF-8. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "containment-not-overlap",
        "The documentation says that sharing part of the span is enough; spans match only if one is a run of the "
        "other. Corrected, one shared token is enough.",
        _PUBLISHED,
    ),
    Quirk(
        "spans-are-patterns",
        "Spans are compared as regular expressions, so that 1.3 is found in 1-3 and a parenthesis ends the program."
        " Corrected, they are lists of ids. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "pairs-counted",
        "Fuzzy counts pairs: one system link that covers two gold links of the same entity is right twice, and "
        "precision and recall may exceed 1. Corrected, each link counts once.",
        _PUBLISHED,
    ),
    Quirk(
        "repeated-gold-overwritten",
        "Of gold lines over one span the last one counts, the others are only counted as gold.",
        _PUBLISHED,
    ),
    Quirk(
        "repeated-system-counts",
        "A system line that is given twice is right twice.",
        _PUBLISHED,
    ),
    Quirk(
        "zero-is-false",
        "A gold entity called 0 is never right under strict.",
        _PUBLISHED,
    ),
    Quirk(
        "blank-lines-count",
        "Blank lines count as system and gold lines, and carriage returns belong to the entity. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "zero-is-fatal",
        "Without a strict match, or with an empty side, the program fails with a division by zero before the fuzzy "
        "line. Karat ends with status 3 then; corrected, the scores are 0. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "result-without-header",
        "The documented header of the result file is not written, and counts stand at its end. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "diagnostics-on-stdout",
        "Unknown documents, wrong links and links with three or more matches are printed before the scores. "
        "Corrected, unknown documents are named on standard error, and the result file has the rest. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "unknown-documents-count",
        "Links of a system in documents that the gold lacks count as wrong. '--missing error' refuses them, which "
        "is the default of the corrected protocol.",
        ("published", "corrected"),
    ),
)
