"""The files of 2019: sentences in ``input_NAME``, entities in ``output_a_NAME``, relations in ``output_b_NAME``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.brat.lines import read_fragments
from karat.io import lines
from karat.protocols.ehealthkd.annotations import Builder
from karat.protocols.ehealthkd.drop_in.brat import BEHIND, beyond
from karat.protocols.ehealthkd.sentences import Sentences

_ENTITY = "1<TAB>0 5<TAB>LABEL<TAB>text"
_RELATION = "LABEL<TAB>1<TAB>2"


def beside(text_file: Path, task: str) -> Path:
    """Return the file of a task beside a text file; its name is what stands behind the first ``_`` of the text's.

    >>> beside(Path("gold/input_scenario1.txt"), "a").as_posix()
    'gold/output_a_scenario1.txt'
    """
    parts = text_file.name.split("_")
    if len(parts) < 2:
        message = "has no '_' in its name; expected a name as input_scenario1.txt, beside output_a_scenario1.txt"
        raise InputError(message, path=text_file)
    return text_file.with_name(f"output_{task}_{parts[1]}")


class TabReader:
    """Reads the annotations beside a text file line by line; labels of relations become lower case.

    As published, an entity behind the last sentence or an unknown one is an error; corrected, it is a warning.
    """

    def __init__(self, text_file: str, sentences: Sentences, warn: Callable[[str], None]) -> None:
        self.text_file, self.sentences, self.builder, self.warn = Path(text_file), sentences, Builder(), warn
        self.corrected = sentences.rules.corrected
        self.known: dict[int, int] = {}

    def read(self, *, relations: bool) -> Builder:
        """Read the entities, and the relations if they are wanted."""
        path = beside(self.text_file, "a")
        for line_number, line in enumerate(lines(path), start=1):
            self._entity(path, line_number, line)
        if relations:
            path = beside(self.text_file, "b")
            for line_number, line in enumerate(lines(path), start=1):
                self._relation(path, line_number, line)
        return self.builder

    def _entity(self, path: Path, line_number: int, line: str) -> None:
        try:
            name, spans, label, _ = line.strip().split("\t")
            value, fragments = int(name), read_fragments(spans)
        except ValueError:
            raise InputError(
                f"found {shown(line)}, expected the form {_ENTITY!r}", path=path, line=line_number
            ) from None
        place = self.sentences.place(fragments)
        if place is not None:
            if self.corrected and self.sentences.leaves(fragments):
                self.warn(BEHIND.format(value))
            self.known[value] = self.builder.add(value, label, place)
        elif self.corrected:
            self.warn(f"Cannot determine sentence for Entity {value}")
        else:
            raise beyond(path, line_number, f"entity {value}")

    def _relation(self, path: Path, line_number: int, line: str) -> None:
        try:
            label, first, second = line.strip().split("\t")
            source, target = int(first), int(second)
        except ValueError:
            raise InputError(
                f"found {shown(line)}, expected the form {_RELATION!r}", path=path, line=line_number
            ) from None
        for end in (source, target):
            if end not in self.known:
                message = f"{end} is an end of a relation, but no entity of the text has this number"
                if not self.corrected:
                    raise InputError(message, path=path, line=line_number)
                self.warn(f"In file '{self.text_file}', ignoring relation '{label}': {message}")
                return
        ends = self.known[source], self.known[target]
        if len({self.builder.places[end][0] for end in ends}) == 1:
            self.builder.relations.append((label.lower(), *ends))
        else:
            crosses = f"between {source} and {target} crosses sentence boundaries and has been ignored."
            self.warn(f"In file '{self.text_file}' relation '{label}' {crosses}")
