"""Knowledge bases of Cold Start: read line by line into columns, checked and repaired, and shown to people."""
