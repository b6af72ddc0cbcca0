"""The format ``hipe``: the columns of the HIPE shared tasks."""
