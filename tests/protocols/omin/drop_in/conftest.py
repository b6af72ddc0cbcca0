"""The command line as a function, in a folder with a small gold and two systems."""

from __future__ import annotations

from tests.cli.conftest import karat

__all__ = ["karat"]
