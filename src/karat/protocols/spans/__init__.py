"""Entities on any format with mentions: as conlleval counts them, under the SemEval-2013 regimes, and by overlap."""
