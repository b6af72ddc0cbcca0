"""Drop-in modules for other Python packages: the same functions and numbers, computed by Karat."""
