"""The schemes that Karat brings along, as tables."""
