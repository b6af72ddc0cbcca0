"""The tables of the OMIn programs, to the byte."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan

from karat.errors import InputError
from karat.measures.published import PRF

_RULE = "-" * 60

_TYPED = ("Strict", "Exact", "Partial", "Type")
_CR = (("MUC", "muc"), ("B3", "b3"), ("CEAF", "ceafe"), ("LEA", "lea"))
_SEED_CR = {"muc": "muc", "b3": "b_cubed", "ceafe": "ceafe", "lea": "lea"}


def noted(remarks: Iterable[str]) -> list[str]:
    """Return the notes in which Karat remarks on the results of a program."""
    return [f"karat: {remark}" for remark in remarks]


def tool_name(path: str) -> str:
    """Return the name of the folder that a results file is in, which the programs take for the name of the tool.

    >>> tool_name("tool_results/flair/flair_ner.csv")
    'flair'
    """
    parts = path.split("/")
    if len(parts) < 2:
        advice = f"write ./{path}, or put it into a folder named after the tool"
        raise InputError(f"the path names no folder, which the program prints as the tool; {advice}", path=path)
    return parts[-2]


def seed_ner(tool: str, scores: PRF) -> str:
    """Return what the first program prints about named entities."""
    named_scores = zip(("Precision", "Recall", "F1"), scores, strict=True)
    lines = [f"\n### Automatic NER Evaluation of {tool.capitalize()} ###", _RULE]
    return "\n".join([*lines, *(f"{name:15}{score}" for name, score in named_scores), _RULE, ""])


def typed_ner(tool: str, scores: Mapping[str, PRF]) -> str:
    """Return the table of the later program with types; an F1 of nothing is printed as dashes."""
    heads = [f"{part} ({name})" for name in _TYPED for part in ("Prec", "Rec", "F1")]
    heads[heads.index("Rec (Partial)")] = " Rec (Partial)"
    cells = [cell for name in _TYPED for cell in _dashed(scores[name.lower()])]
    return _table(42, heads, tool, cells)


def untyped_ner(tool: str, scores: Mapping[str, PRF]) -> str:
    """Return the table of the later program without types: the partial scheme as weak, the exact one as strong."""
    heads = [f" {part} ({name}) " for name in ("Weak", "Strong") for part in ("Precision", "Recall", "F1")]
    heads[2] = f"{heads[2]:15}"
    return _table(42, heads, tool, [*_dashed(scores["partial"]), *_dashed(scores["exact"])])


def unlocated(mentions: Sequence[object]) -> str:
    """Return the warning about mentions that are not in the tokens; none gives no warning."""
    if not mentions:
        return ""
    shown = [nan if mention is None else mention for mention in mentions]
    message = "Warning: The following mentions could not be matched to span indices in documents."
    return f"{message} Ignore if none of these are present in GS: {shown}\n"


def head_coref(tool: str, scores: Mapping[str, PRF], average: float) -> str:
    """Return the table of the later program about coreference; the average stands before LEA."""
    heads, cells = [], []
    for name, measure in _CR:
        if measure == "lea":
            heads.append(" Con12 F1 ")
            cells.append(two_digits(average))
        heads += [f" {name} Prec ", f" {name} Rec ", f"  {name} F1 " if measure == "b3" else f" {name} F1 "]
        cells += map(two_digits, scores[measure])
    return _table(20, heads, tool, cells)


def seed_coref(tool: str, scores: Mapping[str, PRF], average: float, documents: int) -> str:
    """Return what the first program prints about coreference."""
    lines = [f"Evaluating {tool} on dataset: FAA"]
    for measure, name in _SEED_CR.items():
        precision, recall, f1 = scores[measure]
        lines += [f"Running metric: {name}", f"Precision:\t{precision}", f"Recall:\t\t{recall}", f"F1 score:\t{f1}"]
        lines.append("-" * 35)
    lines += ["", f"CoNLL-2012 F1 score: {average}", f"Evaluated {documents} documents total"]
    lines.append("The CoNLL-2012 F1 score is the average of F1 scores from MUC, B-CUBED, and CEAF")
    return "\n".join([*lines, ""])


def links(tool: str, scores: Mapping[str, Sequence[float | None]]) -> str:
    """Return the table about links: for each set-up precision, recall, F1, and the averages of jc and of class."""
    heads = [f"{part} ({name})" for name in scores for part in ("Prec", "Rec", "F1", "JC", "Class")]
    cells = [two_digits(number) for numbers in scores.values() for number in numbers]
    return _table(41, heads, tool, cells)


def two_digits(number: float | None) -> str:
    """Return a number as the programs print it, with two significant digits; ``None`` is not a number.

    >>> two_digits(0.0066), two_digits(1), two_digits(0.000066), two_digits(None)
    ('0.0066', '1.0', '6.6e-05', 'nan')
    """
    return f"{nan if number is None else float(number):.2}"


def _dashed(scores: PRF) -> list[str]:
    precision, recall, f1 = scores
    return [two_digits(precision), two_digits(recall), two_digits(f1) if precision + recall > 0 else "--"]


def _table(width: int, heads: Sequence[str], tool: str, cells: Sequence[str]) -> str:
    """Return a table of one row; a column is as wide as its head, the first one has the tool."""
    widths = [width, *map(len, heads)]
    row = [f" {cell:{size - 1}}" for cell, size in zip((tool, *cells), widths, strict=True)]
    rows = ([" " * width, *heads], ["-" * size for size in widths], row)
    return "".join(f"|{'|'.join(line)}|\n" for line in rows)
