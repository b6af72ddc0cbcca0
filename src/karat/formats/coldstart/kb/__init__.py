"""Knowledge bases of Cold Start: parsed into columns, checked and repaired, and reported to users."""
