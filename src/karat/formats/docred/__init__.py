"""The format ``docred``: relations between chains, in the JSON of DocRED and what its program takes."""
