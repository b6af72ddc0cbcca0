"""Checks for authors of plug-ins: whether a protocol or a format fulfils the contract of Karat.

They raise an ``AssertionError`` with a sentence on what is wrong and on which documents, so they can be called in
any test:

    from karat.testing import check_protocol

    def test_my_protocol():
        check_protocol(PROTOCOL)
"""

from __future__ import annotations

from karat.testing.documents import corpora
from karat.testing.formats import check_format
from karat.testing.protocols import check_protocol

__all__ = ["check_format", "check_protocol", "corpora"]
