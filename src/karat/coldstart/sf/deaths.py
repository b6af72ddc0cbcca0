"""How a program ends where the system fails it: with the number of the error as its exit status."""

from __future__ import annotations

from karat.coldstart.stops import STATUS, Stop


class Death(Stop):
    """The program breaks off because of a file; ``status`` is the number of the error of the system."""

    def __init__(self, path: str, error: OSError) -> None:
        super().__init__(f"Could not open {path}: {error.strerror or error}", kind="DIE")
        self.status = error.errno or STATUS
