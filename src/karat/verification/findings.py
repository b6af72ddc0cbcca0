"""What was found when a result was checked: what is the same, what is not, and whether that makes it another result."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from karat.errors import many

Kind = Literal["data", "options", "version", "number"]


class Finding(NamedTuple):
    """Something that is told of a check; ``differs`` says that the result is not reproduced because of it."""

    kind: Kind
    sentence: str
    differs: bool = False


class Check(msgspec.Struct, frozen=True):
    """The outcome of a check: how many numbers were compared, and what was found."""

    result: str
    numbers: int
    findings: tuple[Finding, ...]
    how: str = ""

    @property
    def is_reproduced(self) -> bool:
        """Whether nothing was found that makes it another result."""
        return not any(finding.differs for finding in self.findings)

    def of(self, kind: Kind) -> list[Finding]:
        """Return what was found of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def lines(self, most: int = 20) -> list[str]:
        """Return the outcome in words, the verdict first; of numbers that differ, so many."""
        lines = [self.verdict]
        lines += [finding.sentence for finding in self.findings if finding.kind != "number"]
        lines += [finding.sentence for finding in self.of("number")[:most]]
        if len(self.of("number")) > most:
            lines.append(f"and {many(len(self.of('number')) - most, 'number')} more")
        return lines

    @property
    def verdict(self) -> str:
        """The outcome in a sentence, and by which of several ways to compute it."""
        wrong = sum(finding.differs for finding in self.of("number"))
        return f"{self._sentence(wrong)}{f' ({self.how})' if self.how else ''}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        findings = [finding._asdict() for finding in self.findings]
        names = ("result", "is_reproduced", "numbers", "how", "verdict")
        return {name: getattr(self, name) for name in names} | {"findings": findings}

    def _sentence(self, wrong: int) -> str:
        if self.is_reproduced:
            every = "its number is" if self.numbers == 1 else f"all {self.numbers} numbers are"
            return f"reproduced: {self.result}, {every} the same"
        because = sorted({finding.kind for finding in self.findings if finding.differs})
        if because == ["number"]:
            verb = "differs" if wrong == 1 else "differ"
            return f"not reproduced: {self.result}, {wrong} of {many(self.numbers, 'number')} {verb}"
        numbers = f"{wrong} of {many(self.numbers, 'number')}" if wrong else "no number"
        others = " and ".join(kind for kind in because if kind != "number")
        verb = "differs" if wrong < 2 else "differ"
        return f"not reproduced: {self.result}, {numbers} {verb}, and it is of other {others}"
