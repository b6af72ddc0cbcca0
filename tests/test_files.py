from __future__ import annotations

import bz2
import gzip
import io
import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat import files
from karat.errors import InputError


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("aé\n\r\U0001f600"), max_size=40), st.integers(1, 7))
def test_blocks_hold_whole_lines_whatever_their_size(text: str, block: int, tmp_path_factory: object) -> None:
    path = Path(str(os.environ.get("TMPDIR", "/tmp"))) / f"karat-blocks-{os.getpid()}"  # noqa: S108
    path.write_bytes(text.encode())
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "_BLOCK", block)
            blocks = list(files.text_blocks(path))
    finally:
        path.unlink()
    assert "".join(blocks) == text.replace("\r\n", "\n").replace("\r", "\n")
    assert all(one.endswith("\n") for one in blocks[:-1])
