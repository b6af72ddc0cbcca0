"""The format ``webanno``: the tab-separated files of WebAnno and INCEpTION."""
