"""Scores SciERC lines with PL-Marker, whose folder is named first, as if a model had given each relation a score.

Scores fall with the position of a relation, and stand in the direction in which it was given. JSON out.
"""

import contextlib
import json
import pathlib
import sys
import types

import numpy as np
from without_modules import Absent, leave_out

_LEFT_OUT = "torch torch.utils torch.utils.data torch.utils.data.distributed tensorboardX transformers tqdm"
_HIGHEST = 1000
_LENGTH = 500


class Numbers(types.SimpleNamespace):
    """An array in the place of a tensor."""

    def to(self, _device):
        """Stay where the array is."""
        return self

    def cpu(self):
        """Stay where the array is."""
        return self

    def numpy(self):
        """Return the array."""
        return self.array


class Tokenizer:
    """Every word is a token."""

    vocab_size, cls_token, sep_token = 1, "[CLS]", "[SEP]"

    def tokenize(self, word):
        """Return the word."""
        return [word]


class Model:
    """Gives each pair of entities what the file says of it."""

    def __init__(self, file):
        self.scores = {}
        for number, line in enumerate(pathlib.Path(file).read_text("utf-8").splitlines()):
            for sentence, rows in enumerate(json.loads(line)["predicted_relations"]):
                for place, (a, b, c, d, label) in enumerate(rows):
                    self.scores.setdefault(((number, sentence), (a, b), (c, d)), []).append((label, _HIGHEST - place))

    def eval(self):
        """Be ready."""

    def __call__(self, *, input_ids, **_inputs):
        """Return the scores of a batch, which is one entity with all others."""
        dataset, entry = input_ids.array
        labels = dataset.label_list
        scores = np.zeros((1, len(entry["examples"]), 2 * len(labels) - len(dataset.sym_labels)))
        for place, (_, _, other) in enumerate(entry["examples"]):
            for label, score in self.scores.get((entry["index"], tuple(entry["sub"][0][:2]), tuple(other)), ()):
                cell = scores[0, place]
                cell[labels.index(label)] = max(cell[labels.index(label)], score)
        return [Numbers(array=scores)]


def batches(dataset, **options):
    """Yield what the program takes from its loader: here one entity with all others."""
    for entry in dataset.data:
        kinds = Numbers(array=np.array([[example[0][2] for example in entry["examples"]]]))
        rest = Numbers(array=None)
        others = [example[2] for example in entry["examples"]]
        yield (Numbers(array=(dataset, entry)), *[rest] * 5, kinds, [entry["index"]], [entry["sub"][0]], [others])


def main(root, file):
    """Run the evaluation of the program on a file below the folder ``scierc``."""
    leave_out(*_LEFT_OUT.split())
    for name in ("BertConfig", "AlbertConfig"):
        config = Absent(name)
        config.pretrained_config_archive_map = {}
        setattr(sys.modules["transformers"], name, config)
    sys.modules["transformers"].RobertaTokenizer = type(None)
    sys.modules["tqdm"].tqdm = lambda items, **options: items
    sys.modules["torch"].no_grad = contextlib.nullcontext
    sys.path.insert(0, root)
    import run_re

    run_re.DataLoader, run_re.SequentialSampler = batches, lambda dataset: None
    folder, _, name = file.rpartition("/")
    options = {"output_dir": "out", "data_dir": folder, "dev_file": name, "model_type": "bertsub", "local_rank": -1}
    options |= {"max_seq_length": _LENGTH, "max_pair_length": _LENGTH, "per_gpu_eval_batch_size": 1, "n_gpu": 1}
    options |= dict.fromkeys(("use_typemarker", "no_sym", "shuffle", "eval_logsoftmax", "eval_softmax"), False)
    options |= {"eval_unidirect": False, "use_ner_results": True, "device": ""}
    sys.stdout.write(json.dumps(run_re.evaluate(types.SimpleNamespace(**options), Model(file), Tokenizer())))


if __name__ == "__main__":
    main(*sys.argv[1:])
