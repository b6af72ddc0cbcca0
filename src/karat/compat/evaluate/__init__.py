"""The metrics of the library evaluate that Karat stands in for."""
