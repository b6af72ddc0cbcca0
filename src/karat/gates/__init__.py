"""Gates: what a system must reach, or not fall behind, before it may go on."""

from __future__ import annotations

from karat.gates.conditions import Condition, condition
from karat.gates.judging import Gate, Outcome, gate

__all__ = ["Condition", "Gate", "Outcome", "condition", "gate"]
