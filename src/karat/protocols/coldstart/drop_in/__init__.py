"""The programs of TAC KBP Cold Start 2015, which take their options and write to outlets."""
