"""What can be done with annotations, whatever format they came from: tokens, cells, tags, places, chains."""
