"""Outcomes of gates: JUnit XML for continuous integration, and a Markdown page for people."""

from __future__ import annotations

from html import escape as marked
from typing import TYPE_CHECKING

from karat.display.views.papers import markdown_escape as escape
from karat.display.views.papers import scores_markdown
from karat.io.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from karat.analysis.gates import GateOutcome
    from karat.evaluation.scores import Scores


def junit(outcomes: Sequence[GateOutcome], scores: Sequence[Scores]) -> str:
    """Return the outcomes as JUnit XML: a suite for each system, with its signature, and a case for each condition.

    >>> from karat.analysis.gates import GateOutcome
    >>> print(junit([GateOutcome("team1", "F1 >= 0.9", False, "F1 is 0.5000, below 0.9")], []), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="karat" tests="1" failures="1" errors="0" time="0">
      <testsuite name="team1" tests="1" failures="1" errors="0" time="0">
        <testcase classname="karat.team1" name="F1 &gt;= 0.9" time="0">
          <failure type="gate" message="F1 is 0.5000, below 0.9"/>
        </testcase>
      </testsuite>
    </testsuites>
    """
    signatures = {result.system: result.signature for result in scores}
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="karat"{_counts(outcomes)}>']
    for system in dict.fromkeys(outcome.system for outcome in outcomes):
        own = [outcome for outcome in outcomes if outcome.system == system]
        lines += _suite(system, own, signatures.get(system, ""))
    return "\n".join([*lines, "</testsuites>", ""])


def _suite(system: str, outcomes: Sequence[GateOutcome], signature: str) -> Iterator[str]:
    yield f"  <testsuite name={_attribute(system)}{_counts(outcomes)}>"
    if signature:
        yield f'    <properties><property name="signature" value={_attribute(signature)}/></properties>'
    for outcome in outcomes:
        case = f'classname={_attribute(f"karat.{system}")} name={_attribute(outcome.asked)} time="0"'
        if outcome.is_passed:
            yield f"    <testcase {case}/>"
        else:
            yield f"    <testcase {case}>"
            yield f'      <failure type="gate" message={_attribute(outcome.sentence)}/>'
            yield "    </testcase>"
    yield "  </testsuite>"


def _counts(outcomes: Sequence[GateOutcome]) -> str:
    failures = sum(not outcome.is_passed for outcome in outcomes)
    return f' tests="{len(outcomes)}" failures="{failures}" errors="0" time="0"'


def _attribute(text: str) -> str:
    r"""Return a text as an XML attribute; characters that XML cannot hold become escapes.

    >>> _attribute("a\x00<b")
    '"a\\x00&lt;b"'
    """
    kept = "".join(
        f"\\u{ord(character):04x}" if character in "\ufffe\uffff" else character for character in visible(text)
    )
    return f'"{marked(kept)}"'


def summary(outcomes: Sequence[GateOutcome], scores: Sequence[Scores]) -> str:
    """Return a page in Markdown: whether the gate is passed, every condition, and the scores with their signatures."""
    failures = sum(not outcome.is_passed for outcome in outcomes)
    verdict = f"failed: {failures} of {len(outcomes)} conditions" if failures else "passed"
    lines = [f"## Karat: {verdict}", "", "| | system | condition | outcome |", "| :--- | :--- | :--- | :--- |"]
    for outcome in outcomes:
        mark = "passed" if outcome.is_passed else "**failed**"
        cells = (escape(outcome.system), escape(outcome.asked), escape(outcome.sentence))
        lines.append(f"| {mark} | {' | '.join(cells)} |")
    tables = [
        f"### {escape(result.protocol)}: {escape(result.system)}\n\n{scores_markdown([result])}" for result in scores
    ]
    return "\n".join([*lines, "", *tables])
