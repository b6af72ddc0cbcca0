"""The chart library in a process of its own: where it dies, which it does without a word, the report says so.

The engine inside of the library takes much address space when it starts, and ends the whole process if it is refused.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from typing import Any

from karat.errors import KaratError, MissingExtraError

_DRAW = """
import json, sys, vl_convert
for line in sys.stdin:
    try:
        drawn = {"svg": vl_convert.vegalite_to_svg(json.loads(line))}
    except ValueError as error:
        drawn = {"fault": str(error)}
    print(json.dumps(drawn), flush=True)
"""


class Draughtsman:
    """Draws one chart after the other, in a process that ends with ours."""

    def __init__(self, program: str = _DRAW) -> None:
        if find_spec("vl_convert") is None:
            raise MissingExtraError("karat report", "report")
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
        self._process = subprocess.Popen(  # noqa: S603 - our own program
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
            draughtsman.cache_clear()
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
def draughtsman() -> Draughtsman:
    """Return the one who draws the charts of this process."""
    return Draughtsman()
