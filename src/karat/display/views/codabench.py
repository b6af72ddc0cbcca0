"""A bundle for Codabench: the competition as a file, the gold, and a scoring program that is Karat.

The platform stores only numbers, so the bundle has a column with a checksum of the signature, which differs if anything
but the submission differs; ``scores.json`` also has the signature itself.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from karat.display.views.numbers import short

LONGEST = 36
"""The largest length of the key and of the title of a column."""


class BoardColumn(NamedTuple):
    """A column of the leaderboard: its key, its title, and the number that it shows."""

    key: str
    title: str
    number: str


class Competition(NamedTuple):
    """The content of a bundle.

    Args:
        protocol: the name of the protocol.
        title: the title of the competition.
        version: the version of Karat.
        settings: the options of the protocol and of reading.
        numbers: the numbers of the leaderboard.
        gold: the files of the gold, by their names in the bundle.
        files: the files that options name, by their names in the bundle.

    """

    protocol: str
    title: str
    version: str
    settings: Mapping[str, Any]
    numbers: Sequence[Any]
    gold: Mapping[str, bytes]
    files: Mapping[str, bytes]


def columns_of(rows: Sequence[Any]) -> list[BoardColumn]:
    """Return a column for each number, with short names that differ."""
    columns: dict[str, BoardColumn] = {}
    for row in rows:
        name = " ".join(part for part in (short(row.measure), row.regime, row.average, row.layer) if part)
        key = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name).lower()
        column = key[:LONGEST]
        while column in columns or column == "signature":
            column = f"{key[: LONGEST - 4]}_{len(columns):03}"
        columns[column] = BoardColumn(column, name[:LONGEST], row.name)
    return list(columns.values())


def bundle(competition: Competition) -> bytes:
    """Return the bundle as a ZIP archive; the same competition gives the same bytes."""
    columns = columns_of(competition.numbers)
    evaluation = {
        "protocol": competition.protocol,
        "karat": competition.version,
        "settings": dict(competition.settings),
        "columns": {column.key: column.number for column in columns},
    }
    program = {
        "metadata.yaml": _METADATA,
        "score.py": _PROGRAM,
        "evaluation.json": json.dumps(evaluation, indent=2) + "\n",
    }
    reference = {f"gold/{name}": data for name, data in competition.gold.items()}
    reference |= {f"files/{name}": data for name, data in competition.files.items()}
    return archive(
        {
            "competition.yaml": _yaml(_description(competition, columns)),
            "overview.md": _overview(competition),
            "terms.md": "# Terms\n\nTo be written by the organisers.\n",
            "logo.png": _golden_square(),
            "scoring_program.zip": archive(program),
            "reference_data.zip": archive(reference),
        }
    )


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP archive of files, without timestamps."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            opened.writestr(entry, content)
    return target.getvalue()


def _description(competition: Competition, columns: Sequence[BoardColumn]) -> dict[str, Any]:
    shown = [
        {"title": column.title, "key": column.key, "index": index, "sorting": "desc", "precision": 4}
        for index, column in enumerate(columns)
    ]
    shown.append({"title": "signature", "key": "signature", "index": len(columns), "sorting": "desc", "precision": 0})
    return {
        "version": 2,
        "title": competition.title,
        "description": f"Scored by Karat {competition.version}, protocol {competition.protocol}",
        "image": "logo.png",
        "terms": "terms.md",
        "docker_image": f"karat:{competition.version}",
        "enable_detailed_results": True,
        "pages": [{"title": "Overview", "file": "overview.md"}],
        "tasks": [
            {
                "index": 0,
                "name": competition.title,
                "scoring_program": "scoring_program.zip",
                "reference_data": "reference_data.zip",
            }
        ],
        "phases": [
            {
                "index": 0,
                "name": "Evaluation",
                "start": "2000-01-01 00:00:00",
                "accepts_only_result_submissions": True,
                "tasks": [0],
            }
        ],
        "leaderboards": [{"title": "Results", "key": "main", "submission_rule": "Force_Last", "columns": shown}],
    }


def _yaml(content: Mapping[str, Any]) -> str:
    """Return plain data as YAML, with scalars written as JSON, which YAML accepts."""
    return "".join(f"{line}\n" for line in _lines(content, 0))


def _lines(content: Any, depth: int) -> Iterable[str]:
    pad = "  " * depth
    for key, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{pad}{key}:"
            for entry in value:
                first, *rest = _lines(entry, depth + 2)
                yield f"{pad}  - {first.lstrip()}"
                yield from rest
        else:
            yield f"{pad}{key}: {json.dumps(value, ensure_ascii=False)}"


def _overview(competition: Competition) -> str:
    return f"""# {competition.title}

A submission is an archive with one file, or with the files of one folder, in any format that Karat reads. Other files
beside it, such as a README, are left out, and the log names them. It is scored by Karat {competition.version} with the
protocol `{competition.protocol}`. The column `signature` is a number made of the signature of the evaluation: it is the
same for all submissions that were scored alike. Detailed results have the signature in full.
"""


def _golden_square() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    size = 64
    head = size.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    lines = (b"\x00" + bytes([0xA8, 0x7C, 0x00]) * size) * size
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(lines, 9)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


_METADATA = "command: python3 /app/program/score.py /app/input /app/output\n"

_PROGRAM = '''"""Scores a submission with Karat, for Codabench: INPUT/ref is the gold, INPUT/res the submission."""

import json
import sys
import zlib
from pathlib import Path

import karat


def main(given, output):
    evaluation = json.loads((Path(__file__).parent / "evaluation.json").read_text("utf-8"))
    if karat.__version__ != evaluation["karat"]:
        sys.exit(f"this is Karat {karat.__version__}, but the competition is for {evaluation['karat']}")
    from karat.cli.folders import submission_in

    reference = Path(given, "ref")
    settings = evaluation["settings"]
    source = settings.get("format")
    named = reference / "files"
    files = {path.stem: str(path) for path in named.iterdir()} if named.is_dir() else {}
    try:
        gold = submission_in(str(reference / "gold"), source)
        system = submission_in(str(Path(given, "res")), settings.get("system_format", source))
        scores = karat.score(evaluation["protocol"], gold, system, **settings, **files)
    except karat.KaratError as error:
        sys.exit(str(error))
    rows = {row.name: row.value for row in scores}
    values = {key: rows.get(number) for key, number in evaluation["columns"].items()}
    first = next(iter(values))
    if values[first] is None:
        sys.exit(f"the number {first} is undefined for this submission, so that it cannot be ranked")
    alike = "|".join(part for part in scores.signature.split("|") if not part.startswith("system:"))
    result = {key: value for key, value in values.items() if value is not None}
    result |= {"signature": zlib.crc32(alike.encode()), "signature_text": scores.signature}
    Path(output, "scores.json").write_text(json.dumps(result), "utf-8")
    Path(output, "detailed_results.html").write_text(scores._repr_html_(), "utf-8")
    print(scores)


if __name__ == "__main__":
    main(*sys.argv[1:3])
'''
