"""The format ``conll2012``: columns with chains in brackets, as each program that scores them reads them."""
