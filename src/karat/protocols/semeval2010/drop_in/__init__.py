"""The drop-ins for the programs of SemEval-2010 task 8."""
