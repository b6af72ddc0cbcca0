"""TAC KBP Cold Start 2015: knowledge bases, queries, their problems and the programs that read them.

The parts, from the ground up:

- :mod:`~karat.coldstart.schema` types, predicates, inverses, aliases, from the tables in ``data/``;
- :mod:`~karat.coldstart.problems` the catalogue of problems and the log that counts and reports them;
- :mod:`~karat.coldstart.provenance` where in which document something is said;
- :mod:`~karat.coldstart.kb` and :mod:`~karat.coldstart.entities` a knowledge base in its compact form;
  :mod:`~karat.coldstart.loading` reads it, :mod:`~karat.coldstart.assertions` adds to it,
  :mod:`~karat.coldstart.integrity` checks and repairs it, :mod:`~karat.coldstart.export` writes it,
  :mod:`~karat.coldstart.review` and :mod:`~karat.coldstart.counting` show it to people;
- :mod:`~karat.coldstart.query_ids`, :mod:`~karat.coldstart.queries`, :mod:`~karat.coldstart.query_files` queries;
- :mod:`~karat.coldstart.sf_lines` the lines of a slot-filling run;
- :mod:`~karat.coldstart.kb_index` what queries need of a validated knowledge base;
- :mod:`~karat.coldstart.validation`, :mod:`~karat.coldstart.resolution`, :mod:`~karat.coldstart.generation` the
  programs themselves, as functions of
  their options, which write to :mod:`~karat.coldstart.outlets`.
"""
