"""Results for people: views for terminals, papers and programs, and drawings of documents."""
