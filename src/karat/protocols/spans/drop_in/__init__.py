"""The drop-ins for the programs that score columns of tags: conlleval, and the evaluation of WNUT-17."""
