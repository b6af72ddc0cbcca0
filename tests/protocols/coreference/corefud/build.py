"""CorefUD documents in short: a sentence is words with blanks between, a word is ``form|brackets|dependencies``.

A form ``_`` is an empty node behind the word before it. Brackets have an entity and a head: ``(e1-2`` … ``e1)``.
"""

from __future__ import annotations

from karat.api import score
from karat.evaluation.registry import protocol
from karat.formats.base import Problems
from karat.formats.corefud.read import read_lines
from karat.model import Document

COUNTS = protocol("corefud").with_options().counts


def document(*sentences: str, name: str = "d", path: str = "x.conllu") -> Document:
    """Return a document with these sentences, named s1, s2 and so on."""
    (found,) = read_lines(_lines(name, *sentences), path, Problems())
    return found


def documents(sentences: dict[str, str]) -> list[Document]:
    """Return the documents of one file, each with its name and its one sentence."""
    lines = (line for name, sentence in sentences.items() for line in _lines(name, sentence))
    return list(read_lines(lines, "x.conllu", Problems()))


def _lines(name: str, *sentences: str) -> list[str]:
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-head"]
    for number, sentence in enumerate(sentences, 1):
        lines += [f"# sent_id = s{number}", *_rows(sentence), ""]
    return lines


def _rows(sentence: str) -> list[str]:
    rows = []
    word = empty = 0
    for part in sentence.split():
        form, brackets, dependencies = [*part.split("|"), "", ""][:3]
        word, empty = (word, empty + 1) if form == "_" else (word + 1, 0)
        misc = f"Entity={brackets}" if brackets else "_"
        at = f"{word}.{empty}" if empty else str(word)
        rows.append("\t".join([at, form, *"____", "_", "_", dependencies.replace("+", "|") or "_", misc]))
    return rows


def counts(gold: str | list[Document], system: str | list[Document], measure: str, **options: str) -> tuple[float, ...]:
    """Return the four counts of a measure."""
    sides = [[document(one)] if isinstance(one, str) else one for one in (gold, system)]
    (total,) = score("corefud", *sides, **options).tallies.total().values()
    place = COUNTS.index(f"{measure}-found")
    return tuple(total[place : place + 4])
