"""The format ``brat``: stand-off files beside texts, one of both for each document."""
