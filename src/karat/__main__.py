"""``python -m karat`` and the program ``karat``: the command line, which may be interrupted before it is there."""

import gc
import os
import sys


def main() -> None:
    """Import the command line and run it; Ctrl-C ends it without a traceback, however early it comes."""
    try:
        # A command builds many small objects and ends: looking for cyclic garbage among them is wasted work.
        gc.set_threshold(1_000_000, 50, 50)
        # Threads of linear algebra cost more at the start of NumPy than the products of a command give back.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from karat.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.stderr.write("karat: interrupted\n")
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends: the system takes its memory back at once, so nobody need look through it


if __name__ == "__main__":
    main()
