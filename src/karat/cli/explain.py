"""``karat explain``: the ledger behind a score, or the differences between two protocols or two systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from karat.cli.options import (
    ProtocolCommand,
    complete_protocols,
    given,
    gold_argument,
    keep_apart,
    protocol_argument,
    reading_options,
    readings_of,
    refuse,
)
from karat.cli.results import VIEWS, deliver, open_option, out_option, view_for

if TYPE_CHECKING:
    from karat.analysis.differences import Comparison
    from karat.evaluation.corpora import Reading
    from karat.evaluation.corpus import Corpus
    from karat.evaluation.evaluation import Evaluation
    from karat.evaluation.ledger import Entry
    from karat.evaluation.protocol import Bound
    from karat.io.terminal import Screen

    Keeps = Callable[[Entry], bool]

_MOST_WAITING = 1 << 24
"""The number of characters of output that are buffered in memory; more are buffered on disk."""
OUTCOMES = ("correct", "incorrect", "partial", "missed", "spurious")
LEDGER_VIEWS = ("text", *VIEWS)


def _complete_other(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a protocol or, if none begins like this, a file name."""
    names = [] if ctx.params.get("other") else complete_protocols(ctx, parameter, incomplete)
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


@click.command(cls=ProtocolCommand, most=2)
@protocol_argument
@click.argument("other", metavar="[OTHER_PROTOCOL]", nargs=-1, shell_complete=_complete_other)
@gold_argument
@click.argument("system", type=click.Path())
@click.option("--outcome", multiple=True, type=click.Choice(OUTCOMES), help="Only these outcomes (may be repeated).")
@click.option("--regime", help="The regime for --outcome (default: the first that judges an item).")
@click.option("--label", multiple=True, help="Only entries with this gold or system label (may be repeated).")
@click.option("--document", multiple=True, help="Only this document, or unit of one (may be repeated).")
@click.option("--confusion", "confused", is_flag=True, help="Show the label confusion instead of the items.")
@click.option("--by", type=click.Choice(("document", "case")), help="Group items by this (default: document).")
@click.option(
    "--view", type=click.Choice(LEDGER_VIEWS), help="Default: text, items in context; jsonl in a pipe without --by."
)
@out_option
@open_option
@reading_options
def explain(*, protocol: str, other: tuple[str, ...], gold: str, system: str, **parameters: Any) -> None:
    """Show the verdict on every gold and system item of SYSTEM against GOLD, with its partner and the reason.

    On a terminal, items are shown in their context, with gold and system marked below; --view table has all columns.

    With two protocols, show how they differ on this data: numbers, what was left out, and verdicts. An option
    that both have applies to both. With two systems, show how they differ: numbers, and the items with different
    cases or verdicts.

    \b
        karat explain hipe2022-nerc-coarse gold.tsv system.tsv
        karat explain hipe2022-nerc-coarse gold.tsv system.tsv --outcome missed --label LOC
        karat explain hipe2022-nerc-coarse gold.tsv system.tsv --outcome incorrect --by case
        karat explain hipe2022-nerc-coarse gold.tsv system.tsv --open
        karat explain hipe2022-nerc-coarse gold.tsv system.tsv --confusion
        karat explain newsreader-ned newsreader-ned-corrected gold/ system/
        karat explain conll2012 coval gold.conll system.conll
        karat explain hipe2022-nerc-coarse gold.tsv system-a.tsv system-b.tsv
    """
    import sys

    from karat.display.views.differences import render_comparison
    from karat.display.views.ledger import render_entries
    from karat.errors import UsageError, unknown
    from karat.evaluation.evaluation import Evaluation
    from karat.evaluation.registry import protocol as protocol_named
    from karat.io.terminal import Screen, screen

    other, gold, *systems = _sources(protocol, other, gold, system, parameters)
    if len(other) > 1:
        raise UsageError(f"at most two protocols can be compared, but {1 + len(other)} stand before GOLD and SYSTEM")
    protocols = [protocol_named(name) for name in (protocol, *other)]
    chosen = [declared.with_options(given(declared.options, parameters)) for declared in protocols]
    regime = parameters["regime"]
    common = [name for name in chosen[0].regimes() if all(name in bound.regimes() for bound in chosen)]
    if regime and regime not in common:
        raise unknown("regime of both protocols" if other else "regime", regime, common)
    out = parameters["out"]
    keep_apart((gold, *systems), [out])
    view: Any = view_for(parameters, "text" if out or parameters["by"] or sys.stdout.isatty() else "jsonl")
    if view != "text" or parameters["confused"] or other or len(systems) > 1:
        refuse(["by"], "works only with one system and --view text; leave it out")
    on = Screen() if out else screen()
    readings = readings_of(parameters, len(systems))
    sides = _load(chosen, [gold, *systems], readings, texts=view in ("text", "html") and not parameters["confused"])
    if len(systems) > 1:
        chosen, sides = chosen * 2, [[sides[0][0], system_side] for system_side in sides[0][1:]]
    keeps = _filter(**{name: parameters[name] for name in ("outcome", "label", "document", "regime")})
    shown = [regime] if regime else list(dict.fromkeys(name for each in chosen for name in each.main.regimes))
    if view == "html" and not parameters["confused"]:
        lines = _page(chosen, sides, keeps, shown, regime)
    elif parameters["confused"]:
        lines = _confusion(chosen, sides, keeps, regime, "table" if view == "text" else view, on)
    elif len(chosen) > 1:
        lines = render_comparison(_compare(chosen, sides, keeps, regime), view, regimes=shown, screen=on)
    elif view == "text":
        lines = _told(Evaluation(chosen[0], *sides[0]), shown, keeps, parameters["by"] or "document", on)
    else:
        evaluation = Evaluation(chosen[0], *sides[0])
        entries = filter(keeps, evaluation.entries())
        title = f"{protocol}: {evaluation.system.name}"
        lines = render_entries(entries, view, regimes=shown, title=title, notes=lambda: evaluation.notes)
    _show(lines, parameters)


def _sources(protocol: str, other: tuple[str, ...], gold: str, system: str, parameters: dict[str, Any]) -> list[Any]:
    """Return the other protocols, GOLD and the systems; a word after the protocol may be another protocol or a file.

    Files that the protocol needs come before GOLD and are added to the parameters.
    """
    from dataclasses import fields
    from pathlib import Path

    from karat.cli.protocol_hints import is_like_protocol
    from karat.errors import InputError, UsageError
    from karat.evaluation.registry import find, unknown_protocol
    from karat.evaluation.registry import protocol as protocol_named

    if not other or find(other[0]) is not None:
        return [other, gold, system]
    if not Path(other[0]).exists():
        if is_like_protocol(other[0]):
            raise unknown_protocol(other[0])
        raise InputError("cannot be read: no such file or directory", path=other[0])
    declared = fields(protocol_named(protocol).options)
    needed = [option.name for option in declared if option.metadata.get("argument")]
    words = [*other, *(parameters[name] for name in needed), gold, system]
    parameters.update(zip(needed, words, strict=False))
    gold, *systems = words[len(needed) :]
    if len(systems) > 2:
        raise UsageError(f"at most two systems can be compared item by item, but there are {len(systems)}")
    return [(), gold, *systems]


def _confusion(
    chosen: Sequence[Bound],
    sides: Sequence[Sequence[Corpus]],
    keeps: Keeps,
    regime: str | None,
    view: Any,
    screen: Screen,
) -> Iterator[str]:
    """Return the lines of the label confusion."""
    from karat.analysis.slices.confusion import confusion_of
    from karat.display.views.confusion import render_confusion
    from karat.errors import UsageError
    from karat.evaluation.evaluation import Evaluation

    if len(chosen) > 1:
        raise UsageError("--confusion takes one protocol and one system; leave out the other")
    bound = chosen[0]
    entries = filter(keeps, Evaluation(bound, *sides[0]).entries())
    return render_confusion(confusion_of(bound, entries, regime), view, screen=screen)


def _told(evaluation: Evaluation, regimes: Sequence[str], keeps: Keeps, by: str, screen: Screen) -> Iterator[str]:
    """Return the lines that show items in their context."""
    from karat.display.views.ledger_text import LedgerTextOptions, render_text
    from karat.report.notebook import regimes_first, units_of

    regimes = regimes_first(evaluation.bound, regimes)
    layout = LedgerTextOptions(regimes, evaluation.system.name, keeps, by, lambda: evaluation.notes)
    return render_text(units_of(evaluation, regimes), layout, screen)


def _page(
    chosen: Sequence[Bound],
    sides: Sequence[Sequence[Corpus]],
    keeps: Keeps,
    regimes: Sequence[str],
    regime: str | None,
) -> Iterator[str]:
    """Return the page with the items in the texts and, for two protocols or systems, the numbers that differ."""
    from karat.display.drawing.reader.page import reader_page
    from karat.display.views.differences import called, comparison_markup
    from karat.report.notebook import Contender, reading_of, regimes_first

    comparison = _compare(chosen, sides, keeps, regime) if len(chosen) > 1 else None
    names = called(comparison) if comparison else [sides[0][1].name]
    contenders = [Contender(name, bound, *corpora) for name, bound, corpora in zip(names, chosen, sides, strict=True)]
    protocols = " and ".join(dict.fromkeys(contender.bound.name for contender in contenders))
    title = f"{protocols}: {', '.join(dict.fromkeys(contender.system.name for contender in contenders))}"
    about = comparison_markup(comparison) if comparison else ""
    shown = regimes_first(contenders[0].bound, regimes)
    differ = comparison is not None and comparison.found > 0
    reading = reading_of(title, contenders, shown, keeps=keeps, about=about)._replace(differ=differ)
    return iter([reader_page(reading).rstrip("\n")])


def _show(lines: Iterator[str], parameters: dict[str, Any]) -> None:
    """Print the lines once all are computed, so that an error is not preceded by partial output."""
    import tempfile

    from karat.io.terminal import show

    if parameters["out"] or parameters["opens"]:
        deliver("".join(f"{line}\n" for line in lines), parameters)
        return
    with tempfile.SpooledTemporaryFile(
        _MOST_WAITING, "w+", encoding="utf-8", newline="\n", errors="surrogatepass"
    ) as waiting:
        for line in lines:
            waiting.write(f"{line}\n")
        waiting.seek(0)
        for line in waiting:
            show(line)


def _load(chosen: Sequence[Bound], sources: list[str], readings: list[Reading], *, texts: bool) -> list[list[Corpus]]:
    """Read gold and system for each protocol, but only once if all need the same reading."""
    from karat.evaluation.corpora import load

    first, *others = chosen
    sides = [load(first, sources, readings, lines=True, texts=texts, again=bool(others) or len(sources) > 2)]
    for bound in others:
        same = bound.demands == first.demands
        own = sides[0] if same else load(bound, sources, readings, lines=True, texts=texts, again=True)
        sides.append(own)
    return sides


def _filter(outcome: tuple[str, ...], label: tuple[str, ...], document: tuple[str, ...], regime: str | None) -> Keeps:
    """Return the filter of entries."""
    labels = {name.upper() for name in label}

    def keeps(entry: Entry) -> bool:
        if document and not {entry.unit, entry.unit.rpartition(":")[0]} & set(document):
            return False
        if outcome and _verdict(entry, regime) not in outcome:
            return False
        return not labels or any(item and item.label.upper() in labels for item in (entry.gold, entry.system))

    return keeps


def _verdict(entry: Entry, regime: str | None) -> str | None:
    return entry.verdicts.get(regime) if regime else next(iter(entry.verdicts.values()), None)


def _compare(
    chosen: Sequence[Bound], sides: Sequence[Sequence[Corpus]], keeps: Keeps, regime: str | None
) -> Comparison:
    """Return the comparison of both; a difference is shown if one of its entries passes the filter."""
    import msgspec

    from karat.analysis.differences import Comparison, Shift, changes, differences, names_by_order, shifts
    from karat.analysis.summary import evaluate
    from karat.evaluation.evaluation import Evaluation

    first, second = (evaluate(bound, *corpora) for bound, corpora in zip(chosen, sides, strict=True))
    names = names_by_order(first.tallies.units, second.tallies.units)
    texts: dict[str, str] = {}
    ledger, second_ledger = (
        _entries(Evaluation(bound, *corpora), texts) for bound, corpora in zip(chosen, sides, strict=True)
    )
    renamed = (msgspec.structs.replace(entry, unit=names.get(entry.unit, entry.unit)) for entry in second_ledger)
    are_systems = chosen[0] is chosen[1]
    all_differences = (changes if are_systems else differences)(ledger, renamed, regime=regime)
    asked_for = [difference for difference in all_differences if any(map(keeps, difference.entries))]

    def is_about(shift: Shift) -> bool:
        return regime in (None, shift.first.regime)

    moved = list(filter(is_about, shifts(first, second)))
    return Comparison(first, second, moved, asked_for, len(all_differences), texts)


def _entries(evaluation: Evaluation, texts: dict[str, str]) -> Iterator[Entry]:
    """Yield the entries of a ledger with offsets in the text of their unit, and add that text to ``texts``."""
    from karat.display.drawing.offsets import shown_ledger

    for ledger in evaluation.ledgers():
        shown = shown_ledger(ledger)
        if shown.text:
            texts.setdefault(shown.unit, shown.text)
        yield from shown.entries
