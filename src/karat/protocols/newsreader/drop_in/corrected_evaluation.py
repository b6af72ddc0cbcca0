"""Extracted lines, judged by the corrected protocol, and shown much as the published evaluation shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from karat.errors import InputError
from karat.files import lines
from karat.measures.ratios import value
from karat.protocols.newsreader.corrected import CORRECTED_BOOK, rule_for_crowd
from karat.protocols.newsreader.drop_in.evaluation import Line, pages_of, percentages, ratios_of, result_line
from karat.protocols.newsreader.judge import TokenLink
from karat.tally import add

HEADER = "TP\tGold\tSystem\tDocID\tGold-span\tSystem-span"

Tell = Callable[[str], None]


def read_corrected(path: str) -> Iterator[Line]:
    """Read an extracted file; blank lines are nothing."""
    for line_number, line in enumerate(lines(path), 1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) < 3 or not cells[1]:
            message = "expected a document, a span such as 13-14 and an entity, separated by tabs"
            raise InputError(message, path=path, line=line_number)
        yield cells[0], TokenLink(cells[1], cells[2])


def evaluate_corrected(gold: Iterable[Line], system: Iterable[Line], tell: Tell) -> tuple[str, str]:
    """Return what an evaluation prints, and its result file: each line is right at most once."""
    results = [HEADER]
    tallies = []
    for name, page in pages_of(gold, system).items():
        if not page.gold:
            tell(f"the gold has no document {name!r}")
        rule = rule_for_crowd(page)
        if rule:
            tell(f"document {name!r}: {rule}")
        verdicts = CORRECTED_BOOK.judge(page)
        tallies.append(CORRECTED_BOOK.book_page(page, verdicts))
        for case, gold_line, system_line, *_ in verdicts:
            if gold_line is not None and system_line is not None:
                expected, answer = page.gold[gold_line], page.system[system_line]
                is_right = case != "wrong-link"
                results.append(result_line(name, expected, answer, is_right=is_right))
    ratios = ratios_of(CORRECTED_BOOK, add(tallies))
    strict, fuzzy = ratios["strict"], ratios["fuzzy"]
    printed = [f"SYSTEM\t{strict['precision'][1]}", f"GOLD\t{strict['recall'][1]}"]
    printed += [f"TP\t{strict['recall'][0]}", f"FUZZY\t{fuzzy['recall'][0]}"]
    printed += [percentages(value(ratio) or 0.0 for ratio in measures.values()) for measures in (strict, fuzzy)]
    return "".join(f"{line}\n" for line in printed), "".join(f"{line}\n" for line in results)
