"""Runs programs on request, in the interpreter that has what they import; Karat is not there."""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback


def run(asked):
    """Run a program and return its status and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    before = list(sys.path)
    os.chdir(asked["cwd"])
    sys.path.insert(0, asked["imports"])
    sys.argv = [asked["script"], *asked["words"]]
    status = 0
    requests, sys.stdin = sys.stdin, io.StringIO()  # a program that calls exit() closes it
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if asked["script"].endswith(".py"):
                runpy.run_path(asked["script"], run_name="__main__")
            else:
                runpy.run_module(asked["script"], run_name="__main__")
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:  # noqa: BLE001 - whatever ends the program is its answer
            traceback.print_exc()
            status = 1
    sys.path[:], sys.stdin = before, requests
    return status, out.getvalue(), err.getvalue()


def serve():
    """Answer every line of standard input with a line."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in sys.stdin:
        answers.write(json.dumps(run(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
