"""The published evaluations that Karat reproduces, a package each; :mod:`karat.evaluation.registry` finds them."""
