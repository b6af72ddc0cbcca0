"""The known faults and surprises of the eHealth-KD programs, by name, with the profiles in which Karat keeps them.

``published`` is the default, ``corrected`` mends faults, and ``documented``, which only the protocols have, goes by the
words of the task document of 2021 where that says something else.
"""

from __future__ import annotations

from karat.quirks import Quirk

_PUBLISHED = ("published",)
_PROGRAMS = ("published", "corrected")
_ALL = ("published", "corrected", "documented")

_READING = (
    Quirk(
        "stripped-text-offsets",
        "Offsets count the characters of sentences without the blanks around them, joined by one character, and empty "
        "lines are left out, so that such lines shift all that follows. Corrected, offsets count the text as it is.",
        _PUBLISHED,
    ),
    Quirk(
        "fragments-compared",
        "The document compares START and END, the program lists of fragments, and cuts only single ones at blanks: "
        "'0 7;8 14' is not '0 14'. Corrected, all words that are covered count; documented, START and END.",
        _PUBLISHED,
    ),
    Quirk(
        "first-sentence-order",
        "In the first sentence, fragments are compared in the order in which they are listed. Corrected, in text "
        "order. Drop-ins only: documents have them in order.",
        _PUBLISHED,
    ),
    Quirk(
        "repeated-roles-overwritten",
        "Of arguments of an event with the same role only the last counts. Drop-ins only: the protocols count each.",
        _PROGRAMS,
    ),
    Quirk(
        "mark-is-a-character",
        "A byte-order mark is the first character of the first sentence. Drop-ins only: formats take it away.",
        _PROGRAMS,
    ),
    Quirk(
        "malformed-relation-stops",
        "The document says that relations are ignored in scenario 2, but a malformed one ends the program. Corrected, "
        "they are not read there. Drop-ins only.",
        _PUBLISHED,
    ),
)

_SENTENCES = (
    Quirk(
        "unannotated-sentences-skipped",
        "The document counts everything that is not in the gold as spurious; in a sentence without gold annotation "
        "nothing counts.",
        _PROGRAMS,
    ),
    Quirk(
        "unaligned-sentences-skipped",
        "Nor does what the system says in sentences that the gold lacks.",
        _PROGRAMS,
    ),
    Quirk(
        "surplus-sentence-shifts",
        "Behind a system sentence that the gold lacks, no sentence finds its partner. Corrected, all do.",
        _PUBLISHED,
    ),
)

_ENTITIES = (
    Quirk(
        "first-label-only",
        "Of several gold mentions over one span, a system mention is compared with the first one that is free, so that "
        "the second label of a span is incorrect. Corrected, with the one that has its label.",
        _PUBLISHED,
    ),
    Quirk(
        "second-label-stops",
        "If both sides have the labels of a span in different orders, the program ends with a failed assertion. "
        "Karat ends with status 3; corrected, and in the protocols, the mentions are correct.",
        _PUBLISHED,
    ),
    Quirk(
        "gaps-do-not-overlap",
        "The document lets intervals [START, END] intersect, the program fragments, by their starts: what stands in "
        "the gap of a discontinuous mention is no partial match.",
        _PROGRAMS,
    ),
    Quirk(
        "touching-is-no-overlap",
        "In the document's [START, END] the last offset belongs to the interval; in the program it does not, so that "
        "mentions that only touch, and those without length, are no partial match.",
        _PROGRAMS,
    ),
    Quirk(
        "partial-of-any-label",
        "In 2019, partial matches need no equal label, although the documents agree that they do. Corrected, they do.",
        _PUBLISHED,
    ),
)

_RELATIONS = (
    Quirk(
        "same-as-equivalents",
        "The document wants relations to match exactly; ends may also be others that gold same-as relations make "
        "equivalent.",
        _PROGRAMS,
    ),
    Quirk(
        "same-as-swapped",
        "The ends of same-as relations may be exchanged, of which the document says nothing.",
        _PROGRAMS,
    ),
    Quirk(
        "partial-ends",
        "An end may be a partial match, where the document speaks of the corresponding one.",
        _PROGRAMS,
    ),
    Quirk(
        "equivalents-taken-first",
        "A relation that holds by same-as can take the gold relation that another one matches exactly. Corrected, "
        "exact ones come first.",
        _PUBLISHED,
    ),
    Quirk(
        "same-as-itself",
        "A same-as of a mention with itself matches any gold same-as of its class. Corrected, it is spurious.",
        _PUBLISHED,
    ),
    Quirk(
        "repeated-relations-removed",
        "The document counts duplicates as spurious, which holds for entities; repeated relations are left out on both "
        "sides. Corrected, they count.",
        _PUBLISHED,
    ),
    Quirk(
        "entities-matched-again",
        "Scenario 3 is documented with the gold entities as input; the program matches those of the submission, and "
        "wrong ones cost relations. '--propagate-error no' judges relations between mentions that were found.",
        _ALL,
    ),
    Quirk(
        "relation-labels-lowered",
        "In 2019, labels of relations are compared in lower case, those of entities are not.",
        _ALL,
    ),
)

_RUNS = (
    Quirk(
        "last-run-is-best",
        "The document promises the best run; the summary of score.py shows the last one. Corrected, the best. "
        "Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "best-of-each-column",
        "The tables of score_2021.py show the largest precision, recall and F1 of a team, each by itself, of whatever "
        "run. Corrected, those of the run with the best F1. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "underscore-stops",
        "A '_' in the name of a team or submission ends score_2021.py. Corrected, it does not. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "public-layout-not-found",
        "score_2021.py finds nothing in the layout of the public repository, which has no folder for the submission. "
        "Corrected, it does. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "fourth-scenario",
        "The page of 2021 speaks of four scenarios, but there are three; asking for the fourth ends the program. "
        "Drop-ins only.",
        _PROGRAMS,
    ),
    Quirk(
        "outdated-sample-numbers",
        "The sample output on the training data (missing_A 10, correct_B 541) is older than the data, which give 1 and "
        "546. Drop-ins only.",
        _PROGRAMS,
    ),
)

_OLDER = (
    Quirk(
        "faulty-reference-stops",
        "In 2020, a relation with an unknown end or across sentences, and an entity behind the text, end the program. "
        "Corrected, and in 2021, they are skipped with a warning. Drop-ins only: the protocols skip them with a note.",
        _PUBLISHED,
    ),
    Quirk(
        "text-column-required",
        "In 2020, an entity without its text column ends the program. Corrected, the column is not needed. Drop-ins "
        "only.",
        _PUBLISHED,
    ),
    Quirk(
        "all-counts-reported",
        "evaltest of 2020 reports the counts of both subtasks in every scenario, also where one is not scored. "
        "Drop-ins only.",
        _PROGRAMS,
    ),
    Quirk(
        "incomplete-run-hides-scenario",
        "With --best, a scenario that any run of a team lacks has no numbers at all. Corrected, the other runs are "
        "compared. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "rounding-without-effect",
        "Final tables of 2020 in Markdown are meant to have three places, but have six digits. Corrected, three "
        "places. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "sentences-by-position",
        "In 2019, sentences are compared by their position, and pairs whose texts differ are dropped from all counts, "
        "as are surplus ones. Corrected, they find their partners as in 2021.",
        _PUBLISHED,
    ),
    Quirk(
        "file-order",
        "In 2019, entities are matched in the order of the file, not of the text. Corrected, in text order. The "
        "protocols know no file, and take mentions in the order of their ids.",
        _PUBLISHED,
    ),
    Quirk(
        "zero-stops",
        "In 2019, an F1 of 0 cannot be printed, and ends the program. Karat ends with status 3; corrected, it is 0.0. "
        "Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "integer-zero",
        "On the competition server of 2019, an undefined ratio is written as 0. Corrected, as 0.0. Drop-ins only.",
        _PUBLISHED,
    ),
    Quirk(
        "absent-scenario-scores-zero",
        "On the competition server of 2019, a scenario that was not submitted scores 0. Drop-ins only.",
        _PROGRAMS,
    ),
)

QUIRKS = (*_READING, *_SENTENCES, *_ENTITIES, *_RELATIONS, *_RUNS, *_OLDER)
