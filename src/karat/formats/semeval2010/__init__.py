"""The format ``semeval2010``: the relation of each sentence by its number, as SemEval-2010 task 8 had it answered."""
