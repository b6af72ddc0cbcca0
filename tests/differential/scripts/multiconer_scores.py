"""Scores the tags of a file with the metric of the MultiCoNER baseline, whose folder is named first. JSON out."""

import json
import pathlib
import runpy
import sys

from without_modules import leave_out

if __name__ == "__main__":
    utils = pathlib.Path(sys.argv[1], "utils")
    leave_out("allennlp", "allennlp.training", "allennlp.training.metrics", "allennlp.training.metrics.metric")
    leave_out("overrides")
    sys.modules["overrides"].overrides = lambda method: method
    spans = runpy.run_path(str(utils / "reader_utils.py"))["extract_spans"]
    metric = runpy.run_path(str(utils / "metric.py"))["SpanF1"]()
    gold, system = json.loads(pathlib.Path(sys.argv[2]).read_text("utf-8"))
    metric([spans(tags) for tags in system], [spans(tags) for tags in gold])
    sys.stdout.write(json.dumps(metric.get_metric()))
