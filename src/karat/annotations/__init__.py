"""Operations on annotations that hold for every format: tokens, cells, tags, offsets and chains."""
