"""The programs around the eHealth-KD challenges: reading their files, scoring, printing, ranking."""
