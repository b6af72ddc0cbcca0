"""The official CoNLL-2012 coreference scorer (v8.01), as a program: its reader's rules, the protocol, and its lines."""
