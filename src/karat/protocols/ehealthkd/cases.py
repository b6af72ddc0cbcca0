"""What can happen to an entity, and what that counts for; a relation is correct, missed or spurious."""

from __future__ import annotations

from karat.protocols.worth import CORRECT, INCORRECT, MISSED, PARTIAL, SPURIOUS, Worth

REGIME = "official"
CASES: dict[str, dict[str, Worth]] = {
    "correct": {REGIME: CORRECT},
    "incorrect": {REGIME: INCORRECT},
    "partial": {REGIME: PARTIAL},
    "missed": {REGIME: MISSED},
    "spurious": {REGIME: SPURIOUS},
}
