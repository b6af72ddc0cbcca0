"""OMIn: named entities, coreference and entity links in maintenance records, as nd-crane/trusted_ke evaluates them."""
