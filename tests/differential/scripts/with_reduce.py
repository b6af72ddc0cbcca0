"""Runs a program of Python 2 that needs no more than ``reduce`` to run now: the program, then standard input."""

import builtins
import functools
import io
import pathlib
import runpy
import sys

if __name__ == "__main__":
    builtins.reduce = functools.reduce
    sys.stdin = io.StringIO(pathlib.Path(sys.argv.pop(2)).read_text("utf-8"))
    program = sys.argv.pop(1)
    runpy.run_path(program, run_name="__main__")
