"""What the coreference programs do that their users may not expect, by name."""

from __future__ import annotations

from karat.quirks import Quirk

OFFICIAL_QUIRKS = (
    Quirk(
        "repeated-system-mentions",
        "A system mention that the gold has too counts where it stands first; an invented one counts every time.",
    ),
    Quirk(
        "refuses-repeats",
        "The program refuses to score a system with more than ten repeated mentions, over all documents and metrics; "
        "here it is scored, and the drop-in refuses.",
    ),
    Quirk(
        "repeated-gold-mentions",
        "A mention that stands in the gold twice stays there twice and belongs to its last chain, so ratios above 1 "
        "are possible, and a file scored against itself can miss its own links.",
    ),
    Quirk(
        "truncated-percentages",
        "Percentages are cut off after two digits, so 57 of 100 prints 56.99; averages of printed F1 (conll-truncated) "
        "are lower than the average of the F1 itself (conll).",
    ),
    Quirk(
        "blanc-by-the-gold",
        "BLANC averages over the kinds of links that the gold has: links that only the system has are not punished "
        "where the gold has none of their kind.",
    ),
    Quirk(
        "nothing-to-find-is-zero",
        "A measure without anything to count, such as MUC on singletons, counts as 0 in the average.",
    ),
    Quirk(
        "every-line-is-a-token",
        "Comments and a second begin line are tokens like any other, and without tabs the brackets of the whole line "
        "are read.",
    ),
    Quirk(
        "openings-before-closings",
        "In a cell openings are read before closings, so mentions of one chain cannot touch or cross in one token.",
    ),
    Quirk(
        "unscored-documents-are-not-read",
        "Faults in a system document that the gold lacks are not noticed by the program, nor by the drop-in; here they "
        "are errors like any other.",
    ),
)

COVAL_QUIRKS = (
    Quirk(
        "repeated-mentions-stay",
        "A repeated mention counts every time, and belongs to the last chain that holds it.",
    ),
    Quirk(
        "remove-singleton-is-ignored",
        "The documented word remove_singleton has no effect in the program, only remove_singletons has.",
    ),
    Quirk(
        "digits-only",
        "Of a chain's id only the digits are read: e1 is 1, and 1+2 is 12.",
    ),
    Quirk(
        "mentions-in-one-sentence",
        "A mention over the end of a sentence is taken to lie in the sentence where it ends, from the place in its "
        "sentence where it begins.",
    ),
    Quirk(
        "nested-counted-twice",
        "With nested mentions removed, a chain of which all but one mention would go stays as it is, and a mention "
        "inside two others counts as two that go.",
    ),
    Quirk(
        "np-only-by-the-outermost-bracket",
        "With np_only a mention goes if the outermost bracket that opens in it is VP: a verb whose phrase opens before "
        "it, or as S and VP at once, stays.",
    ),
    Quirk(
        "np-only-drops-lone-mentions",
        "A chain of which np_only leaves one mention goes altogether, even if singletons are kept.",
    ),
    Quirk(
        "minimum-span-ends-at-the-bracket",
        "Words before a bracket are placed at the token of the bracket, so the man and the man in May have different "
        "minimum spans unless the man is a phrase of its own.",
    ),
    Quirk(
        "minimum-span-passes-over-words",
        "Words before a bracket of which none consists of letters only, or of digits only, are no part of a minimum "
        "span: of U.S. bonds, where bonds has a bracket, it is bonds, but of Swiss bonds it is Swiss.",
    ),
    Quirk(
        "minimum-span-without-content",
        "A mention without a content word is compared by its words wherever they stand in the sentence, so this and "
        "another this are the same mention.",
    ),
    Quirk(
        "nested-by-minimum-span",
        "With nested mentions removed and minimum spans, every mention of the chain goes that has the minimum span of "
        "a nested one.",
    ),
    Quirk(
        "parse-is-needed",
        "Where the gold has no parse, the program starts the Stanford parser for min_spans and leaves out nothing for "
        "NP_only; here both are refused.",
    ),
)

COREFEVAL_QUIRKS = (
    Quirk(
        "ceafe-drops-system-singletons",
        "CEAFe removes chains of one mention from the system but not from the gold, so that a perfect system with "
        "singletons scores below 1.",
    ),
    Quirk(
        "b3-and-lea-skip-singletons",
        "B³ and LEA pass over chains of one mention, and B³ gives no credit for a partner that is one.",
    ),
    Quirk(
        "paired-by-position",
        "The program pairs the lines of both files by position and stops at the end of the shorter one; here documents "
        "are paired by their names.",
    ),
    Quirk(
        "get-conll-is-zero",
        "The program's method get_conll always returns 0; the average here is that of detailed_score.",
    ),
)

EMPTY_CLUSTERS = Quirk(
    "empty-clusters-stop",
    "The program stops at a cluster without mentions; here it is left out, with a note.",
)
"""Apart from the others, which hold for every protocol that counts as coreference-eval does."""

SCORCH_QUIRKS = (
    Quirk(
        "repeats-by-format",
        "Of a column file only the first occurrence of a mention counts. In the program's JSON a mention may be in "
        "several chains: then ratios above 1 are possible, and a file scored against itself can miss its own links.",
    ),
    Quirk(
        "empty-chains-stop",
        "The program stops at a chain without mentions; here it is a chain of which nothing can be found.",
    ),
    Quirk(
        "twinless-added-to-gold",
        "The command line adds every invented mention to the gold as a chain of its own before it scores, the library "
        "does not.",
    ),
    Quirk(
        "weighted-documents",
        "A corpus has the mean of its documents weighted by mentions, so F1 is not the harmonic mean of precision and "
        "recall.",
    ),
    Quirk(
        "muc-of-singletons",
        "MUC is 0 as soon as one side has only singletons.",
    ),
    Quirk(
        "blanc-of-one-mention",
        "BLANC of one mention on each side is 1 if they are the same, where the official scorer says 0.",
    ),
)
