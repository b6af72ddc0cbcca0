"""Documents as coval reads them.

Document markers must be at the beginning of a line; documents with the same name are one; the cell is the last
blank-separated field. A mention is identified by the sentence in which it ends and the offset at which it begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from karat.formats.base import Problems
from karat.formats.conll2012.cells import CellError, Marks, add_mentions, coval_marks
from karat.formats.conll2012.rows import ConllDraft, line_at, rows_beside
from karat.io import read_text

_BEGIN, _END = "#begin document", "#end document"


def drafts(path: str, problems: Problems) -> Iterator[ConllDraft]:
    """Return the documents of a file, in the order of their first lines."""
    for draft in _by_document(read_text(path)).values():
        _add_mentions(draft, path, problems)
        yield draft


def _by_document(text: str) -> dict[str, ConllDraft]:
    """Return the sentences of each document; a run of blank lines is one break."""
    by_name: dict[str, ConllDraft] = {}
    broken: set[str] = set()  # documents whose next line begins a sentence
    name = ""
    after_blank = True  # whatever the document of the line before
    for line_number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if line.startswith(_BEGIN):
            name = f"{line}\n"[len(_BEGIN) + 1 :]
        elif line.startswith(_END):
            name = ""
        elif name:
            if name not in by_name:
                by_name[name] = ConllDraft(name.removesuffix("\n"))
                broken.add(name)
            if line.strip():
                draft = by_name[name]
                if name in broken:
                    draft.segments.append(len(draft.rows))
                    broken.discard(name)
                draft.add_row(line, line_number)
                after_blank = False
            else:
                if not after_blank:
                    broken.add(name)
                after_blank = True
    return by_name


def _marked_rows(draft: ConllDraft, path: str, problems: Problems) -> Iterator[tuple[int, Marks]]:
    for token, row in rows_beside(draft, "\t-", " -"):
        try:
            marks = coval_marks(row.split()[-1])
        except CellError as error:
            problems.error(path, line_at(draft, token), str(error))
            continue
        if len(marks.singles) > 1:
            message = f"a single mention is assigned to more than one cluster: {', '.join(marks.singles)}"
            problems.repair(path, line_at(draft, token), message)
        yield token, marks


def _add_mentions(draft: ConllDraft, path: str, problems: Problems) -> None:
    """Add the mentions of the cells; unmatched brackets are left out."""

    def report(entity: str, token: int) -> None:
        message = f"a mention of entity {entity} ends here that has not begun; it is left out"
        problems.repair(path, line_at(draft, token), message)

    def add(entity: str, starts: list[int], token: int) -> None:
        sentence = bisect_right(draft.segments, token) - 1
        first_token = draft.segments[sentence]
        if starts[0] < first_token:
            message = f"a mention of entity {entity} should be in a single sentence"
            problems.repair(path, line_at(draft, token), f"{message}; it is moved to the one in which it ends")
        start = starts.pop()
        offset = start - draft.segments[bisect_right(draft.segments, start) - 1]
        chain = draft.chains[entity]
        if first_token + offset <= token:
            chain.append((first_token + offset, token))
        else:
            draft.places[entity, len(chain)] = f"{sentence}:{offset}-{token - first_token}"
            chain.append((start, token))

    marked = _marked_rows(draft, path, problems)
    for entity, starts in add_mentions(marked, draft.chains, report, add, begun_are_chains=False).items():
        for token in starts:
            message = f"a mention of entity {entity} begins here and does not end; it is left out"
            problems.repair(path, line_at(draft, token), message)
