"""The programs of TAC KBP Cold Start 2015, as functions of their options that write to outlets."""

from __future__ import annotations

from collections.abc import Mapping

Options = Mapping[str, str]
"""The switches and parameters of a program by name; a switch that was not given and has no default is absent."""

CORRECTED = "corrected"
"""The profile in which what is wrong with the published programs is corrected; others are published revisions."""
