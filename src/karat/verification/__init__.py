"""Whether a published result is what its signature says: what the signature means, and the numbers computed again."""

from __future__ import annotations

from karat.verification.checking import verify
from karat.verification.findings import Check, Finding
from karat.verification.words import SignaturePart, signature_in_words

__all__ = ["Check", "Finding", "SignaturePart", "signature_in_words", "verify"]
