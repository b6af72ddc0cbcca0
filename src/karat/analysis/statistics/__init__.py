"""How sure a number is: resampling and tests, all of it on tallies."""
