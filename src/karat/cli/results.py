"""Options for results and their output, shared by all commands that show results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.analysis.statistics.intervals import METHODS, Bootstrap
from karat.cli.options import Decorator, grouped, refuse
from karat.settings import shared_option

if TYPE_CHECKING:
    from karat.evaluation.scores import Scores
    from karat.io.terminal import Screen

_ZERO = shared_option("zero")
ENDINGS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}
VIEWS = ("table", "tsv", "csv", "json", "jsonl", "markdown", "latex", "html")

draw_options = grouped(
    click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        help="Confidence level of intervals (default: 0.95).",
    ),
    click.option(
        "--resamples",
        type=click.IntRange(1, 1_000_000),
        default=2000,
        help="Bootstrap samples (default: 2000).",
    ),
    click.option(
        "--seed", type=click.IntRange(0), default=42, help="Random seed (default: 42), part of the signature."
    ),
    click.option(
        "--cluster-by",
        metavar="KEY",
        default="",
        help="Resample units with the same value of this metadata key together; document: units of the same document.",
    ),
    click.option("--stratify-by", metavar="KEY", default="", help="Resample within each value of this metadata key."),
)
"""Options for resampling units and for the confidence level."""
interval_options = grouped(
    click.option(
        "--ci-method",
        type=click.Choice(METHODS),
        default="studentised",
        help="Method of intervals (default: studentised).",
    ),
    draw_options,
)
"""Options for intervals."""
INTERVALS = ("ci_method", "level", "resamples", "seed", "cluster_by", "stratify_by")
"""The parameters of intervals."""

ZERO_OPTION = click.option(
    "--zero",
    type=click.Choice(_ZERO.metadata["choices"]),
    default=_ZERO.default,
    help=f"V{_ZERO.metadata['help'][1:]} (default: {_ZERO.default}, shown as -).",
)


measure_option = click.option(
    "--measure",
    "measures",
    metavar="NAME",
    multiple=True,
    help="Also show an F-measure with another beta, as f2 or f0.5, wherever there is an F1 (may be repeated).",
)


def complete_breakdowns(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the names of breakdowns."""
    from karat.analysis.slices.breakdowns import ITEM_FEATURES, LABEL, UNIT, UNIT_FEATURES

    del ctx, parameter
    return [name for name in (LABEL, UNIT, *UNIT_FEATURES, *ITEM_FEATURES) if name.startswith(incomplete)]


out_option = click.option("-o", "--out", metavar="FILE", type=click.Path(), help="Write the result to a file instead.")
open_option = click.option(
    "--open", "opens", is_flag=True, help="Open the page in a browser; without --out, a temporary file."
)


def view_options(views: Sequence[str]) -> Decorator[Any]:
    """Return the options for the view of a result and its file."""
    view = click.option(
        "--view", type=click.Choice(views), help="How to show the result (default: table, or tsv in a pipe)."
    )
    return grouped(view, out_option, open_option)


result_options = grouped(
    click.option(
        "--by",
        metavar="WHAT",
        multiple=True,
        shell_complete=complete_breakdowns,
        help="Also show each label, unit or document, each value of a KEY of the metadata, or parts by "
        "document-length, length, frequency, ambiguity, nesting or seen=FILE (may be repeated).",
    ),
    click.option("--ci", is_flag=True, help="Add confidence intervals: studentised bootstrap over the units."),
    interval_options,
    ZERO_OPTION,
    measure_option,
    click.option("--all", "everything", is_flag=True, help="Show every regime and average, not only the main ones."),
    view_options(VIEWS),
)
"""Options for the numbers that are shown, and for their view."""


def asked_intervals(parameters: dict[str, Any]) -> Bootstrap | bool:
    """Return the interval settings, or False without --ci; raise an error for interval options without --ci."""
    if parameters["ci"]:
        return bootstrap_of(parameters)
    refuse(INTERVALS, "has no effect without intervals; add --ci")
    return False


def bootstrap_of(parameters: dict[str, Any]) -> Bootstrap:
    """Return how intervals are computed."""
    names = ("resamples", "seed", "level", "ci_method", "cluster_by", "stratify_by")
    return Bootstrap(*(parameters[name] for name in names))


def present(results: list[Scores], parameters: dict[str, Any]) -> None:
    """Print results or write them to a file, according to the options."""
    from karat.display.views import render

    shown = shown_rows(results, parameters)

    def rendered(view: str, screen: Screen) -> str:
        return render(view, shown, **({"screen": screen} if view == "table" else {}))

    present_text(rendered, parameters)


def shown_rows(results: Sequence[Scores], parameters: dict[str, Any]) -> list[Scores]:
    """Return results with the rows to show: all, or the main ones."""
    return list(results) if parameters["everything"] else [_main_rows(scores) for scores in results]


def present_text(rendered: Callable[[str, Screen], str], parameters: dict[str, Any], *, in_pipe: str = "tsv") -> None:
    """Print a text, write it to a file, or open it in a browser, in the view of the options."""
    import sys

    from karat.io.terminal import Screen, screen

    out = parameters["out"]
    view = view_for(parameters, "table" if out or sys.stdout.isatty() else in_pipe)
    deliver(rendered(view, Screen() if out else screen()), parameters)


def identifies(parameters: dict[str, Any]) -> bool:
    """Return whether the requested view shows content digests of both sides."""
    from karat.display.views import IDENTIFYING

    return view_for(parameters, "table") in IDENTIFYING


def view_for(parameters: dict[str, Any], otherwise: str) -> str:
    """Return the requested view: by --view, by the ending of the output file, or html with --open."""
    if parameters["view"]:
        return str(parameters["view"])
    out, opens = parameters["out"], parameters.get("opens")
    if not out:
        return "html" if opens else otherwise
    from pathlib import Path

    return ENDINGS.get(Path(out).suffix.lower(), otherwise)


def deliver(text: str, parameters: dict[str, Any]) -> None:
    """Print a text, or write it to a file and open that if requested."""
    text += "" if text.endswith("\n") else "\n"
    out, opens = parameters["out"], parameters.get("opens")
    if not out and not opens:
        from karat.io.terminal import show

        show(text)
        return
    from karat.io.outputs import write_whole

    path = out or _new_page()
    write_whole({path: text})
    if opens:
        open_page(path)


def _new_page() -> str:
    """Return the path of a temporary page."""
    import tempfile
    from pathlib import Path

    return str(Path(tempfile.mkdtemp(prefix="karat-"), "page.html"))


def open_page(path: str) -> None:
    """Open a page in the browser; if there is none, print the path of the page."""
    import webbrowser
    from pathlib import Path

    from karat.cli import complain

    address = Path(path).resolve().as_uri()
    if not webbrowser.open(address):
        complain(f"no browser could be opened; the page is {address}")


def _main_rows(scores: Scores) -> Scores:
    """Return the scores with the main regimes and averages only."""
    import msgspec

    from karat.evaluation.run import declared

    assert scores.run is not None  # noqa: S101 - scores of a command come from a run
    main = declared(scores.run).main
    return msgspec.structs.replace(scores, rows=tuple(filter(main.includes, scores.rows)))
