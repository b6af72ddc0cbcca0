"""Small annotated texts for tests of eHealth-KD: as documents, as BRAT files, and as the files of 2019.

Annotations are written shortly: ``T1 Concept 3 7;8 11``, ``R1 is-a T1 T2``, ``* same-as T1 T2``, ``E1 T1 Theme:T2``.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from karat.model import Argument, Chain, Document, Mention, Relation


class Sketch(NamedTuple):
    """A text and its annotations."""

    text: str
    lines: tuple[str, ...]

    def document(self, id: str = "d") -> Document:  # noqa: A002 - the word of the model
        """Return the document."""
        found = Document(id, self.text, [], [], [])
        for number, line in enumerate(self.lines):
            name, label, *rest = line.split(" ")
            if name[0] == "T":
                spans = tuple(tuple(map(int, one.split())) for one in " ".join(rest).split(";"))
                found.mentions.append(Mention(name, spans, (label,)))  # type: ignore[arg-type]
            elif name[0] == "R":
                ends = tuple(Argument(f"Arg{place}", one) for place, one in enumerate(rest, start=1))
                found.relations.append(Relation(name, label, ends))
            elif name[0] == "E":
                ends = tuple(Argument(*one.split(":")) for one in rest)
                found.relations.append(Relation(name, "event", ends, label))
            else:
                found.chains.append(Chain(f"*{number}", tuple(rest), label))
        return found

    def brat(self, file: Path) -> Path:
        """Write the text file and the annotations beside it, and return the former."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.text, "utf-8", newline="")
        file.with_suffix(".ann").write_text("".join(map(_brat_line, self.lines)), "utf-8")
        return file

    def tabs(self, file: Path) -> Path:
        """Write the three files of 2019, and return that of the text, whose name is ``input_NAME.txt``."""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.text, "utf-8", newline="")
        parts: dict[str, str] = {"a": "", "b": ""}
        for line in self.lines:
            name, label, *rest = line.split(" ")
            if name[0] == "T":
                parts["a"] += f"{name[1:]}\t{' '.join(rest)}\t{label}\tx\n"
            else:
                parts["b"] += f"{label}\t{rest[0][1:]}\t{rest[1][1:]}\n"
        for task, content in parts.items():
            file.with_name(f"output_{task}_{file.name.split('_')[1]}").write_text(content, "utf-8")
        return file


def sketch(text: str, *lines: str) -> Sketch:
    """Return a text with annotations."""
    return Sketch(text, lines)


def _brat_line(line: str) -> str:
    name, label, *rest = line.split(" ")
    if name[0] == "T":
        return f"{name}\t{label} {' '.join(rest)}\tx\n"
    if name[0] == "R":
        return f"{name}\t{label} Arg1:{rest[0]} Arg2:{rest[1]}\n"
    if name[0] == "E":
        return f"{name}\tevent:{label} {' '.join(rest)}\n"
    return f"*\t{label} {' '.join(rest)}\n"
