"""DocRED and Re-DocRED: relations between the entities of a document, with the sentences that are evidence."""
