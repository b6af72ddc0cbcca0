"""Scores the relations of a file with the metric of DyGIE++, whose folder is named first. JSON out."""

import importlib
import json
import pathlib
import sys
import types


def module(name, **names):
    """Let a module be there: an empty one with some names, or a package of the folder whose own code is not run."""
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [str(pathlib.Path(sys.argv[1], *name.split(".")))]
    vars(sys.modules[name]).update(names)


if __name__ == "__main__":
    module("overrides", overrides=lambda method: method)
    for package in ("allennlp", "allennlp.training", "allennlp.training.metrics", "dygie", "dygie.training"):
        module(package)
    module("allennlp.training.metrics.metric", Metric=object)
    metrics = importlib.import_module("dygie.training.relation_metrics").RelationMetrics()
    for line in pathlib.Path(sys.argv[2]).read_text("utf-8").splitlines():
        document = json.loads(line)
        for gold, system in zip(document["relations"], document["predicted_relations"], strict=True):
            sides = [{((one[0], one[1]), (one[2], one[3])): one[4] for one in side} for side in (gold, system)]
            metrics([sides[1]], [types.SimpleNamespace(relation_dict=sides[0])])
    sys.stdout.write(json.dumps(metrics.get_metric(reset=True)))
