"""The CRF baseline of HIPE 2020: surface features only, each document one sequence, one model a column.

Mirrors ``baseline.py`` of the HIPE scorer. Its quirks, which the profile ``corrected`` avoids:

- *quotes-tokens*: a quotation mark is written as ``\"\"\"\"``, so that the scorer reads another token;
- *writes-helper-columns*: the predictions have two more columns, LEVENSHTEIN (empty) and DATE;
- *blanks-other-columns*: columns without a model are empty, which the scorer takes for entities of no type;
- *forgets-documents*: the lines that begin a document do not name it;
- *uppercases-labels*: labels are predicted in capitals.
"""

from __future__ import annotations

import csv
import io
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError, needing
from karat.formats.base import Problems, Want
from karat.formats.hipe.declaration import HipeFileOptions
from karat.formats.hipe.declaration import read as read_file
from karat.model import Document, TokenTable

PARAMETERS = {"c1": 0.1, "c2": 0.1, "max_iterations": 100, "feature.possible_transitions": True}
"""Training with L-BFGS; the rest is as CRFsuite has it."""

Features = Mapping[str, str | float | bool]
TableDocument = tuple[Document, TokenTable]
"""A document and its token table."""


class BaselineInput(NamedTuple):
    """The documents to learn from and those to predict, the columns, and whether the published program is followed."""

    train: list[TableDocument]
    test: list[TableDocument]
    columns: Sequence[str]
    published: bool


class BaselineResult(NamedTuple):
    """The input, and the predicted labels of each document by column."""

    asked: BaselineInput
    predictions: list[dict[str, list[str]]]


def read(train: str, test: str, columns: Sequence[str], profile: str) -> BaselineInput:
    """Read the two HIPE files."""
    return BaselineInput(read_tables(train, columns), read_tables(test, columns), columns, profile != "corrected")


def predict(asked: BaselineInput, progress: Callable[[str], None] = lambda _: None) -> BaselineResult:
    """Train a model for each column, and predict with it; ``progress`` hears of each."""
    train, test = ([table for _, table in documents] for documents in (asked.train, asked.test))
    predictions = learn_and_predict(train, test, asked.columns, upper=asked.published, progress=progress)
    return BaselineResult(asked, predictions)


def printed(result: BaselineResult, path: str) -> ProgramOutput:
    """Return the file of the predictions."""
    text_of = predictions_text if result.asked.published else corrected_text
    return ProgramOutput(files={path: text_of(result.asked.test, result.predictions)})


def read_tables(path: str, columns: Sequence[str] = ()) -> list[TableDocument]:
    """Read the documents of a HIPE file with their token tables; the given columns must be there."""
    want = Want(mentions=False)
    documents = [
        (document, document.table)
        for document in read_file(path, problems=Problems(), want=want, options=HipeFileOptions())
        if document.table is not None
    ]
    if not documents:
        raise InputError("holds no tokens", path=path)
    for column in columns:
        if column not in documents[0][1].columns:
            known = ", ".join(documents[0][1].columns)
            raise InputError(f"has no column {column!r} to train or predict; it has {known}", path=path, line=1)
    return documents


def features(forms: Sequence[str]) -> list[Features]:
    """Return the features of every token of a document.

    >>> features(["In", "Bern"])[1]["word[-3:]"], features(["In", "Bern"])[1]["-1:word.istitle()"]
    ('ern', True)
    """
    rows: list[Features] = []
    for index, form in enumerate(forms):
        row: dict[str, str | float | bool] = {
            "bias": 1.0,
            "word.lower()": form.lower(),
            "word[-3:]": form[-3:],
            "word[-2:]": form[-2:],
            "word.isupper()": form.isupper(),
            "word.istitle()": form.istitle(),
            "word.isdigit()": form.isdigit(),
        }
        for step, edge in ((-1, "BOS"), (1, "EOS")):
            if 0 <= index + step < len(forms):
                near = forms[index + step]
                row[f"{step:+}:word.lower()"] = near.lower()
                row[f"{step:+}:word.istitle()"] = near.istitle()
                row[f"{step:+}:word.isupper()"] = near.isupper()
            else:
                row[edge] = True
        rows.append(row)
    return rows


def learn_and_predict(
    train: Sequence[TokenTable],
    test: Sequence[TokenTable],
    columns: Iterable[str],
    *,
    upper: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> list[dict[str, list[str]]]:
    """Train a model for each column and return its predictions for every test document."""
    crfsuite = _crfsuite()
    seen = [features(table.forms) for table in train]
    unseen = [features(table.forms) for table in test]
    predictions: list[dict[str, list[str]]] = [{} for _ in test]
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "model.crfsuite")
        for column in columns:
            progress(f"training {column} on {len(train)} documents")
            trainer = crfsuite.Trainer(algorithm="lbfgs", params=PARAMETERS, verbose=False)
            for rows, table in zip(seen, train, strict=True):
                labels = table.columns[column]
                trainer.append(rows, [label.upper() for label in labels] if upper else labels)
            trainer.train(model)
            progress(f"predicting {column} for {len(test)} documents")
            tagger = crfsuite.Tagger()
            tagger.open(model)
            for rows, predicted in zip(unseen, predictions, strict=True):
                predicted[column] = tagger.tag(rows)
            tagger.close()
    return predictions


def predictions_text(documents: Sequence[TableDocument], predictions: Sequence[Mapping[str, list[str]]]) -> str:
    """Return the file of predictions as the published program writes it."""
    names = ["TOKEN", *documents[0][1].columns, "LEVENSHTEIN", "DATE"]
    output = io.StringIO()
    writer = csv.DictWriter(output, names, restval="", delimiter="\t")
    writer.writeheader()
    for (_, table), predicted in zip(documents, predictions, strict=True):
        dates = [token for token, _ in table.dates]
        writer.writerow({"TOKEN": "# document_id"})
        for segment in _segments(table):
            writer.writerow({"TOKEN": "# segment_iiif_link"})
            for token in segment:
                labels = {column: cells[token] for column, cells in predicted.items()}
                known = bisect_right(dates, token)
                date = f"{table.dates[known - 1][1]} 00:00:00" if known else ""
                writer.writerow({"TOKEN": table.forms[token], **labels, "DATE": date})
        writer.writerow({})
    return output.getvalue()


def corrected_text(documents: Sequence[TableDocument], predictions: Sequence[Mapping[str, list[str]]]) -> str:
    """Return the file of predictions as HIPE TSV should be: no quoting, no empty cells, documents named."""
    names = list(documents[0][1].columns)
    lines = ["\t".join(["TOKEN", *names])]
    for (document, table), predicted in zip(documents, predictions, strict=True):
        fillers = {name: ["O" if name.startswith("NE-") else "_"] * len(table.forms) for name in names}
        cells = [table.forms, *({**fillers, **predicted}[name] for name in names)]
        rows = ["\t".join(row) for row in zip(*cells, strict=True)]
        lines.append(f"# document_id = {document.id}")
        for segment in _segments(table):
            lines += ["# segment", *rows[segment.start : segment.stop]]
        lines.append("")
    return "\n".join(lines) + "\n"


def _segments(table: TokenTable) -> list[range]:
    return [range(start, end) for start, end in pairwise([*table.segments, len(table.forms)])]


def _crfsuite() -> Any:
    with needing("the CRF baseline", "baseline"):
        import pycrfsuite
    return pycrfsuite
