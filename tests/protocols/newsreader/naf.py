"""Small NAF documents for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

DBPEDIA = "http://dbpedia.org/resource/"


def reference(name: str, *, resource: str = "spot", confidence: str | None = "1.0", inner: str = "") -> str:
    """Return a reference to an entity of DBpedia, or to an address."""
    target = name if "://" in name else DBPEDIA + name
    known = "" if confidence is None else f" confidence={quoteattr(confidence)}"
    return f"<externalRef reference={quoteattr(target)} resource={quoteattr(resource)}{known}>{inner}</externalRef>"


def entity(name: str, targets: Sequence[str], *references: str, more: str = "") -> str:
    """Return an entity over terms."""
    inside = "".join(f"<target id={quoteattr(target)}/>" for target in targets)
    linked = f"<externalReferences>{''.join(references)}</externalReferences>" if references else ""
    return (
        f"<entity id={quoteattr(name)} type='LOC'><references><span>{inside}</span></references>{more}{linked}</entity>"
    )


def naf(sentences: Sequence[str], *entities: str, prefix: str = "", terms: bool = True) -> str:
    """Return a document: sentences of words numbered from 1; ``prefix`` is that of tokens (terms have t for w)."""
    words, term_lines = [], []
    number = 0
    for sentence, text in enumerate(sentences, 1):
        for word in text.split():
            number += 1
            words.append(f'<wf id="{prefix}{number}" sent="{sentence}">{escape(word)}</wf>')
            term = f"{'t' if prefix else ''}{number}"
            term_lines.append(f'<term id="{term}"><span><target id="{prefix}{number}"/></span></term>')
    layer = f"<terms>{''.join(term_lines)}</terms>" if terms else ""
    return f"<NAF><text>{''.join(words)}</text>{layer}<entities>{''.join(entities)}</entities></NAF>"


def folder(path: Path, **documents: str) -> str:
    """Write documents into a folder and return its path."""
    path.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (path / f"{name}.naf").write_text(text, "utf-8")
    return str(path)
