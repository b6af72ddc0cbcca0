"""TACRED: the relation between the subject and the object of a sentence, or none."""

NO_RELATION = "no_relation"
"""The label of an item without a relation."""
