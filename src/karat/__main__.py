"""``python -m karat`` and the program ``karat``: the command line, which may be interrupted before it is there."""

import atexit
import gc
import os
import sys


def main() -> None:
    """Run the command line, and exit with its status."""
    sys.exit(_status())


def program() -> None:
    """Be the program ``karat``: run the command line, and end the process with it."""
    status = _status()
    atexit.register(_end, status)
    sys.exit(status)


def _status() -> int:
    """Import the command line, run it and return its status; Ctrl-C leaves no traceback, however early it comes."""
    try:
        # A command builds many small objects and ends: looking for cyclic garbage among them is wasted work.
        gc.set_threshold(1_000_000, 50, 50)
        # Threads of linear algebra cost more at the start of NumPy than the products of a command give back.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from karat.cli import main as command_line

        return command_line()
    except KeyboardInterrupt:
        sys.stderr.write("karat: interrupted\n")
        return 130


def _end(status: int) -> None:
    """End the process once all that others want to do at its end is done; threads have ended by now.

    Python would take every module and object apart before the system takes the memory back, which nobody need do. A
    program that has called us on its way, be it a profiler, has a main module and an end of its own.
    """
    if getattr(sys.modules["__main__"], "program", None) is not program:
        return
    atexit.unregister(_end)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    program()
