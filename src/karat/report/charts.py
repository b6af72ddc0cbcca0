"""Charts as SVG, drawn by Vega-Lite, in the colours of the page: dots with intervals in rows, and bars.

A chart of rows is drawn once and shown in pieces, one beside each row of a table.
"""

from __future__ import annotations

import atexit
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from math import ceil, floor
from typing import Any, Literal, NamedTuple

from karat.errors import KaratError, MissingExtraError

WIDTH, STEP = 200, 36
"""The width of a chart, and the height of a row."""
_BARS = 300, 120
"""The size of a chart of bars."""
_COLOURS = {
    "#1e1b16": "ink", "#6a6357": "ink-3", "#ddd7c9": "hairline", "#a87c00": "gold-line", "#8a8273": "edge",
    "#17694f": "full", "#a8321a": "none", "#e3efe8": "full-wash",
}  # fmt: skip
INK, GREY, HAIR, GOLD, EDGE, RIGHT, WRONG, RIGHT_WASH = _COLOURS
HATCHED = "#f9e4dd"
"""Placeholder for a hatching pattern of the page, which is visible without colours."""
_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)

Shape = Literal["dot", "open", "square"]
_SHAPES = {"dot": "circle", "open": "circle", "square": "square"}


class Dot(NamedTuple):
    """A number in a row with its interval; ``shift`` moves it vertically within the row."""

    row: int
    value: float
    low: float | None = None
    high: float | None = None
    shape: Shape = "dot"
    shift: float = 0.0


class Chart(NamedTuple):
    """A drawn chart: its SVG content, which is in the page once, and its size."""

    name: str
    content: str
    width: int
    height: int


def rows_chart(
    name: str, dots: Sequence[Dot], rows: int, *, limits: tuple[float, float], zero: bool = False, points: bool = False
) -> Chart:
    """Return dots with intervals over an axis between limits; ``zero`` marks 0, ``points`` labels in hundredths."""
    ticks = ticks_between(*limits)
    height = rows * STEP
    data = [
        {
            "x": dot.value,
            "low": dot.value if dot.low is None else dot.low,
            "high": dot.value if dot.high is None else dot.high,
            "y": dot.row + 0.5 + dot.shift,
            "shape": _SHAPES[dot.shape],
            "full": dot.shape == "dot",
            "ranged": dot.low is not None,
        }
        for dot in dots
    ]
    words = "format(datum.value * 100, '+d')" if points else f"format(datum.value, '.{_digits(ticks)}f')"
    labels = f"replace(datum.value == 0 ? '0' : {words}, '-', '\u2212')" if points else words
    axis = {
        "orient": "top", "values": ticks, "title": None, "domain": False, "ticks": False, "labelPadding": 6,
        "labelFontSize": 11, "labelFont": "sans-serif", "labelFontWeight": 600, "labelColor": GREY, "labelExpr": labels,
        "gridColor": HAIR, "labelFlush": False,
    }  # fmt: skip
    x = {"field": "x", "type": "quantitative", "scale": {"domain": list(limits), "nice": False, "zero": False}}
    scale = {"domain": [0, rows], "range": [0, height], "nice": False, "zero": False}
    y = {"field": "y", "type": "quantitative", "axis": None, "scale": scale}
    span = {"x": {**x, "field": "low", "axis": axis}, "x2": {"field": "high"}, "y": y}
    ranged = [{"filter": "datum.ranged"}]
    layers: list[dict[str, Any]] = [
        {"transform": ranged, "mark": {"type": "rule", "color": INK, "strokeWidth": 2}, "encoding": span},
        *(
            {"transform": ranged, "mark": _stroke("M0,-1V1"), "encoding": {"x": {**x, "field": end}, "y": y}}
            for end in ("low", "high")
        ),
        {"transform": [{"filter": "datum.full"}], "mark": _point(INK), "encoding": {"x": x, "y": y}},
        {
            "transform": [{"filter": "!datum.full"}],
            "mark": {**_point("white"), "stroke": INK, "strokeWidth": 2},
            "encoding": {"x": x, "y": y, "shape": {"field": "shape", "type": "nominal", "scale": None}},
        },
    ]
    if zero:
        line = {"mark": {"type": "rule", "color": GOLD, "strokeWidth": 2}, "encoding": {"x": {"datum": 0}}}
        layers.insert(0, line)
    return drawn(name, {"data": {"values": data}, "layer": layers}, WIDTH, height)


def _point(colour: str) -> dict[str, Any]:
    return {"type": "point", "filled": True, "fill": colour, "size": 75, "opacity": 1}


def _stroke(path: str) -> dict[str, Any]:
    return {"type": "point", "filled": False, "shape": path, "stroke": INK, "strokeWidth": 2, "size": 100, "opacity": 1}


def bars_chart(name: str, counts: Sequence[tuple[float, float, int]], series: str) -> Chart:
    """Return a histogram from counts by range, such as the number of documents by score."""
    data = [{"from": low, "to": high, "count": count} for low, high, count in counts]
    label = {"labelFontSize": 11, "labelColor": GREY, "labelFont": "sans-serif", "titleFont": "sans-serif"}
    axis = {**label, "tickColor": EDGE, "domainColor": EDGE, "titleColor": GREY, "titleFontSize": 11}
    counted = {"title": series, "gridColor": HAIR, "tickMinStep": 1, "tickCount": 3}
    x = {"field": "from", "type": "quantitative", "scale": {"domain": [counts[0][0], counts[-1][1]]}}
    spec = {
        "data": {"values": data},
        "mark": {"type": "bar", "orient": "vertical", "color": GREY, "binSpacing": 2},
        "encoding": {
            "x": {**x, "axis": {**axis, "title": None, "grid": False}},
            "x2": {"field": "to"},
            "y": {"field": "count", "type": "quantitative", "axis": {**axis, **counted}, "scale": {"zero": True}},
        },
    }
    return drawn(name, spec, *_BARS)


def drawn(name: str, spec: dict[str, Any], width: int, height: int) -> Chart:
    """Return a chart of exactly this size, without padding; content beyond its edges stays visible."""
    whole = {
        **spec,
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": width, "height": height, "autosize": "none", "padding": 0, "background": None,
        "config": {"view": {"stroke": None}, "aria": False},
    }  # fmt: skip
    return Chart(name, themed(chart_renderer().svg(whole)), width, height)


def themed(svg: str) -> str:
    """Return the content of an SVG in the colours of the page, without roles, classes and backgrounds.

    >>> themed('<svg width="3"><g role="graphics-object"><path fill="#1e1b16"/></g></svg>')
    '<g><path fill="var(--ink)"/></g>'
    """
    content = re.sub(r"^<svg[^>]*>|</svg>$", "", svg.strip())
    content = re.sub(r'<path class="(?:back|fore)ground"[^>]*/>', "", content)
    content = re.sub(r' (?:role|aria-[a-z]+|pointer-events|class)="[^"]*"', "", content)
    content = content.replace(f'"{HATCHED}"', '"url(#hatch)"')
    for colour, token in _COLOURS.items():
        content = content.replace(f'"{colour}"', f'"var(--{token})"')
    return content.replace('fill="white"', 'fill="var(--paper)"').replace('"sans-serif"', '"inherit"')


def limits_of(numbers: Iterable[float | None], *, floor_at: float = 0.0) -> tuple[float, float]:
    """Return limits of an axis for dots that shows all numbers, with round edges.

    >>> limits_of([0.31, 0.42, None, 0.87])
    (0.2, 1.0)
    """
    defined = [number for number in numbers if number is not None]
    if not defined:
        return floor_at, 1.0
    low, high = min(defined), max(defined)
    step = next((tick for tick in _TICKS if (high - low) / tick <= 4), 1.0)
    edges = floor(low / step - 1e-9) * step, ceil(high / step + 1e-9) * step
    first, last = max(edges[0], floor_at), min(edges[1], 1.0)
    return (round(first, 6), round(last, 6)) if first < last else (floor_at, 1.0)


def ticks_between(low: float, high: float) -> list[float]:
    """Return a few round numbers between limits.

    >>> ticks_between(0.2, 1.0)
    [0.2, 0.4, 0.6, 0.8, 1.0]
    >>> ticks_between(0.0, 1.0)
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    step = next((tick for tick in _TICKS if (high - low) / tick <= 4.001), 1.0)
    first = ceil(low / step - 1e-9)
    return [round(tick * step, 6) for tick in range(first, floor(high / step + 1e-9) + 1)]


def _digits(ticks: Sequence[float]) -> int:
    return max((len(f"{tick:.6f}".rstrip("0").split(".")[1]) for tick in ticks), default=1) or 1


_DRAW = """
import json, sys, vl_convert
for line in sys.stdin:
    try:
        drawn = {"svg": vl_convert.vegalite_to_svg(json.loads(line))}
    except ValueError as error:
        drawn = {"fault": str(error)}
    print(json.dumps(drawn), flush=True)
"""


class ChartRenderer:
    """Renders charts in a subprocess, which ends with this process."""

    def __init__(self, program: str = _DRAW) -> None:
        if find_spec("vl_convert") is None:
            raise MissingExtraError("karat report", "report")
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
        self._process = subprocess.Popen(  # noqa: S603 - a fixed program
            [sys.executable, "-c", program], **pipes, stderr=subprocess.DEVNULL, encoding="utf-8"
        )
        atexit.register(self.end)

    def svg(self, chart: dict[str, Any]) -> str:
        """Return a chart of Vega-Lite as SVG."""
        pen, paper = self._process.stdin, self._process.stdout
        assert pen is not None  # noqa: S101 - both are pipes
        assert paper is not None  # noqa: S101
        try:
            pen.write(json.dumps(chart) + "\n")
            pen.flush()
            line = paper.readline()
        except BrokenPipeError:
            line = ""
        drawn = json.loads(line) if line else {"fault": self._death()}
        if "svg" not in drawn:
            chart_renderer.cache_clear()
            raise KaratError(f"the charts of the report cannot be drawn: {drawn['fault']}")
        return str(drawn["svg"])

    def _death(self) -> str:
        status = self._process.wait()
        ending = f"by signal {-status}" if status < 0 else f"with status {status}"
        return (
            f"the chart library (vl-convert-python) ended {ending}; it does not run where the address space is "
            "limited, so say ulimit -v unlimited"
        )

    def end(self) -> None:
        """End the process, if it has not ended."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.communicate()


@cache
def chart_renderer() -> ChartRenderer:
    """Return the chart renderer of this process."""
    return ChartRenderer()
