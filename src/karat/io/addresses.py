"""Inputs given as URLs, such as ``s3://bucket/gold.jsonl``, opened with fsspec if it is installed.

Karat itself opens no connection. Only listed URL schemes are opened, so that data cannot trigger other connections;
``http`` and ``https`` must be enabled by a setting.
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
    """Tell whether a path is a URL."""
    return "://" in str(path)


def open_address(address: str) -> IO[bytes]:
    """Open a URL for reading; if it cannot be opened, the ``InputError`` names it."""
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
    """Return the message of a library's error on one line."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(reason).split())


class _Remote(io.RawIOBase):
    """The bytes behind a URL; any exception that its library raises while reading becomes an ``OSError``."""

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
