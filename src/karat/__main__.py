"""``python -m karat``: the command line."""

from karat.cli import main

main()
