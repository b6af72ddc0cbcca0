"""Runs a program without modules that it imports and that scoring does not use: their names, the program, its words."""

import runpy
import sys
import types


class Absent(types.ModuleType):
    """A module with any name in it, of which nothing is used."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return object


def leave_out(*names):
    """Let these modules be there, without anything in them."""
    for name in names:
        sys.modules[name] = Absent(name)


if __name__ == "__main__":
    leave_out(*sys.argv.pop(1).split(","))
    sys.argv.pop(0)
    runpy.run_path(sys.argv[0], run_name="__main__")
