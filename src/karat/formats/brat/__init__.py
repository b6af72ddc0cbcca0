"""The format ``brat``: a text file and a stand-off annotation file for each document."""
