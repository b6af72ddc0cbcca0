"""TACRED: the relation between the subject and the object of a sentence, or none."""
