"""The format ``conll2012``: columns with coreference brackets, read by the rules of any of its scorers."""
