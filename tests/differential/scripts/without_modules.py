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


if __name__ == "__main__":
    for absent in sys.argv.pop(1).split(","):
        sys.modules[absent] = Absent(absent)
    sys.argv.pop(0)
    runpy.run_path(sys.argv[0], run_name="__main__")
