"""The version of Karat, which every signature carries."""

__version__ = "0.1.0"
