"""Calls the metric ``seqeval`` of the library evaluate, whose file is named first; calls and answers as in calls.py."""

import importlib.util
import json
import pathlib
import sys

import calls


def metric(file):
    """Return what the metric computes, without the tables of the library around it."""
    spec = importlib.util.spec_from_file_location("metric_of_evaluate", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return lambda **keywords: module.Seqeval._compute(None, **keywords)


if __name__ == "__main__":
    compute = metric(sys.argv[1])
    asked = json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8"))
    sys.stdout.write(json.dumps([calls.told_of(compute, (), keywords)[0] for keywords in asked]))
