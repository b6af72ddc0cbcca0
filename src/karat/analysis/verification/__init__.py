"""Verification of published results: the meaning of signatures, and recomputed numbers."""

from __future__ import annotations

from karat.analysis.verification.check import Check, Finding, verify
from karat.analysis.verification.signatures import SignaturePart, signature_in_words

__all__ = ["Check", "Finding", "SignaturePart", "signature_in_words", "verify"]
