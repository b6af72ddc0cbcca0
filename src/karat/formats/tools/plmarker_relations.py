"""PL-Marker RE: ``pred_results.json`` with the ``ent_pred_test.json`` whose words it counts, or recorded CSV files.

The results are one JSON object: for each number of a document, sentences with ``[[first, last], [first, last],
relation]``. The entities of the other file are the mentions; an end that is no entity becomes one without a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from karat.annotations.faults import shown
from karat.formats.base import Problems
from karat.formats.tools.base import Records, ToolOptions, checked, companion, json_file, json_objects, plain_key
from karat.formats.tools.draft import Origin
from karat.formats.tools.plmarker import PlmarkerRecord
from karat.model import Document
from karat.settings import option

_BESIDE = "ent_pred_test.json"
_NUMBER = re.compile(r"[^_]*/([0-9]{1,9})_.*")

Pair = tuple[int, int]
Results = dict[str, list[tuple[int, list[tuple[Pair, Pair, str]]]]]


@dataclass(frozen=True)
class Options(ToolOptions):
    """What can be said about the relations of PL-Marker."""

    entities: str = option("", f"the file of the entities; unless given, {_BESIDE} beside the results", metavar="FILE")


def native(path: str, problems: Problems, options: Options) -> Iterator[Document]:
    """Yield the documents of the file of entities, with the relations that the results have for their numbers."""
    place = companion(path, options.entities, _BESIDE, "name it with --read entities=FILE")
    results: Results = checked(json_file(path), Results, "the relations", path=path)
    records = Records(options.records)
    lines: list[tuple[int, PlmarkerRecord]] = [
        (line, checked(record, PlmarkerRecord, "the document", path=place, line=line))
        for line, record in json_objects(place, problems)
    ]
    numbers = _numbers([given for _, given in lines])
    for key, (line, given) in zip(numbers, lines, strict=True):
        with problems.catching(place, line):
            yield _document(given, results.pop(key, []), records, Origin(place, line, problems))
    for key in results:
        problems.error(path, None, f"{place} has no document {shown(key)}; name the file of these entities")


def _numbers(lines: list[PlmarkerRecord]) -> list[str]:
    """Return the number of each document: the one in its key if all keys have one, else that of its line, from 0."""
    matches = [_NUMBER.fullmatch(line.doc_key) for line in lines]
    numbers = [match[1] for match in matches if match]
    return numbers if len(set(numbers)) == len(lines) else [str(index) for index in range(len(lines))]


def _document(
    given: PlmarkerRecord, sentences: list[tuple[int, list[tuple[Pair, Pair, str]]]], records: Records, origin: Origin
) -> Document:
    name = plain_key(given.doc_key)
    words = given.words(records.text(name))
    draft = words.draft(name, origin)
    known = {(first, last): words.add(draft, first, last + 1, (label,)) for first, last, label in given.entities()}
    for head, tail, relation in (related for _, relations in sentences for related in relations):
        for first, last in (head, tail):
            if (first, last) not in known:
                known[first, last] = words.add(draft, first, last + 1)
        draft.relation(known[head], relation, known[tail])
    return draft.document()


def sniff(head: str) -> bool:
    """Say whether a file begins as the output of the tool does."""
    return re.match(r'\s*\{"[0-9]{1,9}":\s*\[\[[0-9]', head) is not None
