"""``karat coldstart validate-kb`` and the other drop-ins for published programs, which take switches."""

from __future__ import annotations

from karat.protocols.coldstart.drop_in.commands.switches import SwitchCommand

validate_kb = SwitchCommand("validate-kb")
resolve_queries = SwitchCommand("resolve-queries")
generate_queries = SwitchCommand("generate-queries")
validate_sf = SwitchCommand("validate-sf")
correct_query_ids = SwitchCommand("correct-query-ids")
score = SwitchCommand("score")
project_scores = SwitchCommand("project-scores")
