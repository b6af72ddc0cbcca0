"""The extraction of links from NAF documents: the five programs that write what ``evaluate`` reads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import KaratError
from karat.protocols.newsreader.drop_in import corrected_extraction as corrected
from karat.protocols.newsreader.drop_in import published_extraction as published
from karat.protocols.newsreader.drop_in.documents import (
    NAF,
    NAF_OR_XML,
    Redirects,
    read_redirects,
    read_redirects_as_perl,
)

Kind = Literal["gold", "gold-with-redirects", "system", "system-not-english", "system-with-redirects"]
"""The programs."""


class ExtractionInput(NamedTuple):
    """What is extracted.

    Args:
        program: The program.
        folder: The folder of the documents, which are read one by one.
        corrected: Whether the documents are read as the documentation promises.
        resource: The resource whose references count; empty for all.
        redirects: The main name of other names; None for a program without redirects.

    """

    program: Kind
    folder: str
    corrected: bool
    resource: str = ""
    redirects: Redirects | None = None


class ExtractionResult:
    """The extracted lines, the counts of the information file, and messages; all up to an error that ended the run."""

    def __init__(self) -> None:
        self.lines: str | bytes = ""
        self.information = ""
        self.text: list[bytes] = []
        self.notes: list[str] = []
        self.failure: KaratError | None = None


def read(
    program: Kind, folder: str, profile: str, *, resource: str = "", table: str = "", is_optional: bool = False
) -> ExtractionInput:
    """Read the table of redirects, if the program has one.

    Args:
        program: The program.
        folder: The folder of the documents.
        profile: The profile, which decides how the table is read, too.
        resource: The resource whose references count.
        table: The path of the table of redirects; empty for a program without one.
        is_optional: Whether the table may be missing.

    """
    is_corrected = profile == "corrected"
    redirects: Redirects | None = None
    if table:
        encoding: Literal["latin-1", "utf-8"] = "utf-8" if program == "system-not-english" else "latin-1"
        if is_optional and not Path(table).exists():
            redirects = {}
        else:
            redirects = read_redirects(table) if is_corrected else read_redirects_as_perl(table, encoding)
    return ExtractionInput(program, folder, is_corrected, resource, redirects)


def convert(asked: ExtractionInput) -> ExtractionResult:
    """Extract the links of all documents."""
    result = ExtractionResult()
    try:
        (_convert_corrected if asked.corrected else _convert_published)(asked, result)
    except KaratError as error:
        result.failure = error
    return result


def _convert_corrected(asked: ExtractionInput, result: ExtractionResult) -> None:
    program, folder, _, resource, redirects = asked
    ending = NAF_OR_XML if program == "gold-with-redirects" else NAF
    extraction = corrected.Extraction(resource=resource, redirects=redirects, ending=ending)
    if program in ("gold", "gold-with-redirects"):
        result.lines = extraction.gold(folder, result.notes.append)
    else:
        result.lines = extraction.system(folder, result.notes.append, english=program != "system-not-english")
    result.information = extraction.information


def _convert_published(asked: ExtractionInput, result: ExtractionResult) -> None:
    program, folder, _, resource, redirects = asked
    resource = os.fsencode(resource).decode("latin-1")  # Perl holds every byte of an argument as a character
    if program in ("gold", "gold-with-redirects"):
        result.lines = published.gold(folder, redirects)
    elif program == "system":
        extraction = published.SystemExtraction(resource)
        result.lines = extraction.extract(folder)
        result.information = extraction.information
    elif program == "system-not-english":
        result.lines = published.system_not_english(folder, resource, redirects or {}, result.text.append)
    else:
        result.lines = published.system_with_redirects(folder, redirects or {})


def printed(result: ExtractionResult, path: str, information: str | None = None) -> ProgramOutput:
    """Return the messages and the files, which a run that failed does not write.

    Args:
        result: What was extracted.
        path: The file of the extracted lines.
        information: The file of the counts, if it is wanted.

    """
    files: dict[str, str | bytes] = {path: result.lines}
    if information is not None:
        files[information] = result.information
    notes = [f"karat: {note}" for note in result.notes]
    return ProgramOutput(b"".join(result.text), {} if result.failure else files, notes, failure=result.failure)
