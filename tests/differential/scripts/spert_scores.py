"""Prints the tables of SpERT, whose folder is named first, for the gold and the predictions of SciERC lines."""

import json
import pathlib
import sys

from without_modules import leave_out


def spans(rows, types):
    """Return entities as the program has them, and the type of each place; the first counts."""
    found = [(first, last + 1, types.entity(label)) for first, last, label in rows]
    return found, {place[:2]: place for place in reversed(found)}


def links(rows, places, types):
    """Return relations as the program has them."""
    return [(places[a, b + 1], places[c, d + 1], types.relation(label)) for a, b, c, d, label in rows]


class Types:
    """The types of entities and relations, each made once."""

    def __init__(self, module):
        self.module, self.known = module, {}

    def entity(self, name):
        """Return the type of an entity."""
        return self.known.setdefault((0, name), self.module.EntityType(name, len(self.known) + 1, name, name))

    def relation(self, name):
        """Return the type of a relation."""
        return self.known.setdefault((1, name), self.module.RelationType(name, len(self.known) + 1, name, name))


def main(root, file):
    """Score what both sides of each sentence say."""
    leave_out("torch", "torch.utils", "torch.utils.data", "torch.nn", "torch.nn.utils", "torch.nn.utils.rnn")
    leave_out("transformers", "tqdm", "tensorboardX", "jinja2")
    sys.path.insert(0, root)
    from spert import sampling  # noqa: F401 - which is where this circle of imports can begin
    from spert import entities, evaluator  # isort: skip

    types, sides = Types(entities), {"": ([], []), "predicted_": ([], [])}
    for line in pathlib.Path(file).read_text("utf-8").splitlines():
        document = json.loads(line)
        for prefix, (all_entities, all_relations) in sides.items():
            for rows, relations in zip(document[f"{prefix}ner"], document[f"{prefix}relations"], strict=True):
                found, places = spans(rows, types)
                all_entities.append(found)
                all_relations.append(links(relations, places, types))
    scored = evaluator.Evaluator.__new__(evaluator.Evaluator)
    scored._gt_entities, scored._gt_relations = sides[""]
    scored._pred_entities, scored._pred_relations = sides["predicted_"]
    scored._pseudo_entity_type = entities.EntityType("Entity", 1, "Entity", "Entity")
    scored.compute_scores()


if __name__ == "__main__":
    main(*sys.argv[1:])
