"""Drop-ins for programs that count relations: run_eval.py of PURE, and the table that SpERT prints."""
