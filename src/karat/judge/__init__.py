"""Experts rate what systems extracted: pools of items, schemes of questions, a journal of answers, their summary."""
