"""From two sides to a run: protocols, pairing, matching, verdicts, tallies, ledgers and scores."""
