"""The drop-in for evaluation.py of DocRED."""
