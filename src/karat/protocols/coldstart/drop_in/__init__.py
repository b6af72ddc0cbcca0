"""The programs of TAC KBP Cold Start 2015, as functions of their options that write to outlets."""
