"""The format ``coldstart``: runs and assessments of TAC KBP Cold Start, and its knowledge bases."""
