"""The programs for knowledge bases: validate-kb, resolve-queries and stats."""
