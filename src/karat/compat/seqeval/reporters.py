"""The forms of seqeval's report, row by row: a text, or a dictionary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

COLUMNS = ("precision", "recall", "f1-score", "support")


class Reporter(ABC):
    """Collects rows and returns a report."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: B027 - there is nothing to keep
        """Accept any arguments, because subclasses differ in theirs."""

    @abstractmethod
    def report(self) -> Any:
        """Return the report."""

    @abstractmethod
    def write(self, row_name: str, precision: float, recall: float, f1: float, support: int) -> None:
        """Add the numbers of a type or an average."""


class DictReporter(Reporter):
    """A report as a dictionary.

    >>> reporter = DictReporter()
    >>> reporter.write("PER", 1.0, 0.5, 0.75, 2)
    >>> reporter.report()
    {'PER': {'precision': 1.0, 'recall': 0.5, 'f1-score': 0.75, 'support': 2}}
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.report_dict: dict[str, dict[str, Any]] = {}

    def report(self) -> dict[str, dict[str, Any]]:
        """Return the numbers by row and column."""
        return self.report_dict

    def write(self, row_name: str, precision: float, recall: float, f1: float, support: int) -> None:
        """Add a row; a later one of the same name takes its place."""
        self.report_dict[row_name] = dict(zip(COLUMNS, (precision, recall, f1, support), strict=True))

    def write_blank(self) -> None:
        """Do nothing: a dictionary has no empty lines."""


class StringReporter(Reporter):
    """A report as a text, with names of ``width`` characters and numbers of ``digits`` decimals.

    >>> reporter = StringReporter(width=5, digits=2)
    >>> reporter.write("PER", 1.0, 0.5, 0.75, 2)
    >>> print(reporter.report())
           precision    recall  f1-score   support
    <BLANKLINE>
      PER       1.00      0.50      0.75         2
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.buffer: list[str] = []
        self.width: int = kwargs.get("width", 10)
        self.digits: int = kwargs.get("digits", 4)

    def report(self) -> str:
        """Return the head and the lines."""
        return self.write_header() + "\n".join(self.buffer)

    def write(self, row_name: str, precision: float, recall: float, f1: float, support: int) -> None:
        """Add a line."""
        ratios = (f"{ratio:.{self.digits}f}" for ratio in (precision, recall, f1))
        self.buffer.append(self._line(row_name, *ratios, support))

    def write_header(self) -> str:
        """Return the head, and an empty line."""
        return self._line("", *COLUMNS) + "\n\n"

    def write_blank(self) -> None:
        """Add an empty line."""
        self.buffer.append("")

    def _line(self, name: str, *cells: Any) -> str:
        return f"{name:>{self.width}} " + "".join(f" {cell:>9}" for cell in cells)
