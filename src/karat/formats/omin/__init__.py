"""The format ``omin``: the tables of the OMIn evaluations."""
