"""``python -m karat`` and the program ``karat``: the command line, which may be interrupted before it is there."""

import sys


def main() -> None:
    """Import the command line and run it; Ctrl-C ends it without a traceback, however early it comes."""
    try:
        from karat.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.stderr.write("karat: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
