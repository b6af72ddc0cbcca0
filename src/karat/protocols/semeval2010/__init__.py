"""SemEval-2010 task 8: which of nine relations two nominals are in, and in which direction."""
