"""How work grows with the input: what every sample and every document is made of is doubled, and steps are counted."""
