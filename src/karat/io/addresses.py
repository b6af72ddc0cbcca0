"""Inputs by address, such as ``s3://bucket/gold.jsonl``: opened by fsspec, where that is installed, and never else.

Karat itself opens no connection. Which kinds of addresses are opened is a list, so that no name of a file can lead
elsewhere; those of the web are opened only where a setting asks for them.
"""

from __future__ import annotations

import importlib
import io
import os
from typing import IO, Any

from karat.errors import InputError, needing

SETTING = "KARAT_ADDRESSES"
"""The variable of the environment that names the kinds of addresses of the web that may be opened."""
_STORES = ("abfs", "az", "gcs", "gs", "hdfs", "memory", "s3", "sftp", "webhdfs")
_WEB = ("http", "https")
_BLOCK = 1 << 20


def is_address(path: str | os.PathLike[str]) -> bool:
    """Say whether a path is an address instead."""
    return "://" in str(path)


def open_address(address: str) -> IO[bytes]:
    """Open an address for reading; what cannot be reached is an ``InputError`` that names it."""
    kind = address.partition("://")[0].lower()
    asked = os.environ.get(SETTING, "").replace(",", " ").lower().split()
    if kind in _WEB and kind not in asked:
        advice = f"set {SETTING}={kind} to let Karat open it, or download it first"
        raise InputError(
            f"is an address of the web, which is opened only where that is asked for: {advice}", path=address
        )
    if kind not in (*_STORES, *_WEB):
        known = ", ".join(f"{name}://" for name in (*_STORES, *_WEB))
        raise InputError(f"is no address that Karat opens, which are {known}; download it first", path=address)
    with needing(f"an address such as {kind}://…", "remote"):
        fsspec: Any = importlib.import_module("fsspec")
    try:
        file = fsspec.open(address, "rb").open()
    except ImportError as error:
        raise InputError(f"cannot be opened: {_sentence(error)}", path=address) from error
    except Exception as error:  # each kind of store has exceptions of its own
        raise InputError(f"cannot be read: {_sentence(error)}", path=address) from error
    return io.BufferedReader(_Remote(file), _BLOCK)


def _sentence(error: Exception) -> str:
    """Return what a library says, on one line."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(reason).split())


class _Remote(io.RawIOBase):
    """The bytes of an address; whatever its library raises while it reads is an ``OSError``."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except Exception as error:
            raise OSError(_sentence(error)) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
