"""Documents with chains for tests: words are letters, so a chain is written as the letters of its mentions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import karat
from karat.model import Chain, Document, Mention

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def document(*chains: str, id: str = "d") -> Document:  # noqa: A002 - the word of the model
    """Return a document in which every letter of the alphabet is a word; a letter given twice is repeated.

    >>> [mention.text for mention in document("ab", "c").mentions]
    ['a', 'b', 'c']
    """
    found = Document(id, " ".join(LETTERS))
    for number, letters in enumerate(chains, 1):
        ids = []
        for letter in letters:
            at = 2 * LETTERS.index(letter)
            ids.append(f"m{len(found.mentions) + 1}")
            found.mentions.append(Mention(ids[-1], ((at, at + 1),), (), letter))
        found.chains.append(Chain(f"c{number}", tuple(ids)))
    return found


def value(
    protocol: str, gold: Any, system: Any, measure: str = "f1", regime: str = "conll", **options: Any
) -> float | None:
    """Return a value; sides are chains of one document, paths, or documents."""
    sides = [
        [document(*side)] if isinstance(side, tuple | list) and all(isinstance(one, str) for one in side) else side
        for side in (gold, system)
    ]
    return karat.score(protocol, *sides, **options).value(measure, regime=regime)


def columns(path: Path, *rows: str, name: str = "(d); part 000") -> Path:
    """Write a document of word and cell to a file; an empty row ends a sentence."""
    body = ["\t".join(("d", "0", *row.rsplit(None, 1))) if row else "" for row in rows]
    path.write_text("\n".join([f"#begin document {name}", *body, "", "#end document", ""]), encoding="utf-8")
    return path
