"""The drop-in for scorer.py of TACRED."""
