"""Small OMIn files for the tests, and the programs run on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.cli import run


def put(name: str, text: str | bytes) -> str:
    """Write a file in the working folder, results in one named after the tool, and return its path."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def tokens(**documents: str) -> str:
    """Return a token file with these documents; their names are filled up to the fifteen characters of an id."""
    blocks = []
    for name, text in documents.items():
        rows = (f"faa/0_{name:0<15} 0 {place} {word} - *" for place, word in enumerate(text.split()))
        blocks.append("\n".join([f"#begin document (faa/0_{name:0<15}); part 000", *rows, "#end document"]))
    return "\n".join(blocks) + "\n"


def omin(capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """Run a program that must work and return the lines it prints."""
    assert run(["omin", *words]) == 0, capfd.readouterr().err
    return capfd.readouterr().out.splitlines()


def refused(capfd: pytest.CaptureFixture[str], *words: str, status: int = 3) -> str:
    """Run a program that must refuse, and return its one sentence."""
    assert run(["omin", *words]) == status
    out, err = capfd.readouterr()
    assert out == ""
    assert "Traceback" not in err
    return err


def row(lines: list[str]) -> list[str]:
    """Return the numbers of the last line of a table."""
    return [cell.strip() for cell in lines[-1].split("|")[2:-1]]
