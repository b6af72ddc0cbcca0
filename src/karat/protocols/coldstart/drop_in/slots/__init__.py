"""The programs for slot filling: generate-queries, validate-sf, correct-query-ids, score and project-scores."""
