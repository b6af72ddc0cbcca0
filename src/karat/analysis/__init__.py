"""What is asked of runs: intervals, comparisons, slices, gates, families, verification."""
