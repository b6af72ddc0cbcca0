"""The texts that answers are about, and the ids of answers that have none: from their records, a file, or the gold."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from karat.errors import InputError, many
from karat.formats.tools.base import Records
from karat.model import Document


class TextsById:
    """Texts by id; the file of documents and the gold are not looked at before one of them is asked for."""

    def __init__(self, records: str, path: str, ground: Callable[[], Iterable[Document]] | None) -> None:
        self._records, self._path, self._ground = Records(records), path, ground
        self._known: dict[str, str] | None = None
        self._ids: dict[str, list[str]] = {}
        """The ids of documents by their text, the first of them last."""
        self._order: list[str] = []
        self._unnamed = 0

    def name(self, name: str | None, text: str | None, position: int) -> str:
        """Return the id of a document: its own, that of the known document with its text, or that in its place."""
        if name is not None:
            return name
        known = self._texts()
        if not known:
            return str(position)
        if text is not None and self._ids.get(text):
            return self._ids[text].pop()
        self._unnamed += 1
        self._order = self._order or list(known)
        return self._order[position - 1] if position <= len(self._order) else str(position)

    def check_order(self) -> None:
        """Refuse answers without ids that are not as many as the documents: nobody knows which is which."""
        if self._unnamed and self._unnamed != len(self._order):
            answers, documents = many(self._unnamed, "answer"), many(len(self._order), "document")
            message = f"there {'is' if self._unnamed == 1 else 'are'} {answers} without an id for {documents}"
            raise InputError(f"{message}; give each answer the id of its document")

    def text(self, name: str, given: str | None) -> str | None:
        """Return the text of a document, if it is known: its own, that of the records, of the file, or of the gold."""
        recorded = self._records.text(name, given)
        if recorded is not None:
            return recorded
        return self._texts().get(name)

    def _texts(self) -> dict[str, str]:
        if self._known is None:
            self._known = {document.id: document.text for document in self._documents()}
            for name, text in reversed(self._known.items()):
                self._ids.setdefault(text, []).append(name)
        return self._known

    def _documents(self) -> Iterable[Document]:
        if self._path:
            from karat.formats import read

            return read(self._path)
        return self._ground() if self._ground is not None else ()
