"""TAC KBP Cold Start 2015, slot filling: fills of slots, hop by hop, against assessed equivalence classes."""
