"""Entity linking on any format with links: as TAC's entity discovery and linking counts, and as GERBIL does."""
