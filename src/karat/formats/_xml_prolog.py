"""What stands before the root element of an XML document, looked at before the parser reads it.

A document type with an internal subset declares entities, or defaults of attributes, which must never take effect.
Whether there is one is asked of Expat, a second parser, which is stopped at the document type or the root element.
"""

from __future__ import annotations

import os
from typing import Any
from xml.parsers.expat import ErrorString, ExpatError, ParserCreate

from karat.errors import InputError

MAX_PROLOG = 16 * 1024 * 1024
"""Bytes before the end of the first tag; Expat reads a long comment again with every block."""


class Prolog:
    """Looks at the blocks of a document until its root element has begun."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.size = 0
        self.declares = self.is_over = False
        self._parser = ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._on_document_type
        self._parser.StartElementHandler = self._on_element

    def look_at(self, block: bytes) -> None:
        """Refuse a document that declares something, or of which that cannot be told."""
        if self.is_over:
            return
        self.size += len(block)
        try:
            self._parser.Parse(block, False)
        except _Enough:
            self.is_over = True
        except ExpatError as error:
            message = f"is not well-formed XML: {ErrorString(error.code)}"
            raise InputError(message, path=self.path, line=error.lineno) from error
        except (LookupError, ValueError) as error:
            message = "is in an encoding that Karat does not read in XML; convert it to UTF-8"
            raise InputError(message, path=self.path, line=1) from error
        if self.declares:
            message = "its document type declares entities, elements or attributes, which Karat never reads; remove it"
            raise InputError(message, path=self.path)
        if self.size > MAX_PROLOG and not self.is_over:
            message = f"its first tag is not over after {MAX_PROLOG:,} bytes; shorten it and what stands before it"
            raise InputError(message, path=self.path)

    def _on_document_type(self, name: str, system: str | None, public: str | None, has_subset: int) -> None:
        del name, system, public
        if has_subset:
            self.declares = True
            raise _Enough

    def _on_element(self, name: str, attributes: dict[str, Any]) -> None:
        del name, attributes
        raise _Enough


class _Enough(Exception):  # noqa: N818 - no fault, but the way to stop Expat
    """All is known."""
