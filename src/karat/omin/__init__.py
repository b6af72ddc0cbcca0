"""OMIn, the evaluations of the trusted_ke project: its CSV files, the arithmetic of its programs, and their tables."""
