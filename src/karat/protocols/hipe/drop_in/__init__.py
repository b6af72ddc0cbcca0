"""The programs around the HIPE shared tasks: evaluation, link normalisation, ranking and the CRF baseline."""
