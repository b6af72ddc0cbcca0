"""Analysis of runs: intervals, comparisons, slices, gates, families, verification."""
