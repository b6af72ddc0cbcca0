"""The format ``semeval2010``: answers of SemEval-2010 task 8, the relation of each sentence by number."""
