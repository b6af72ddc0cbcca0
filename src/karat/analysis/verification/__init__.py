"""Whether a published result is what its signature says: what the signature means, and the numbers computed again."""

from __future__ import annotations

from karat.analysis.verification.checking import Check, Finding, verify
from karat.analysis.verification.signatures import SignaturePart, signature_in_words

__all__ = ["Check", "Finding", "SignaturePart", "signature_in_words", "verify"]
