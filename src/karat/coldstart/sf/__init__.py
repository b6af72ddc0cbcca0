"""Slot filling in Cold Start 2015: runs, assessments, their validation, and scores.

The parts, from the ground up:

- :mod:`~karat.coldstart.sf.ids` and :mod:`~karat.coldstart.sf.questions` what is asked, hop by hop;
- :mod:`~karat.coldstart.sf.layouts`, :mod:`~karat.coldstart.sf.places` and :mod:`~karat.coldstart.sf.loading` the
  lines of runs and assessments;
- :mod:`~karat.coldstart.sf.classes` the equivalence classes that assessors made, as a tree;
- :mod:`~karat.coldstart.sf.sifting` which lines count, corrected, and :mod:`~karat.coldstart.sf.together` which classes
  of different entry points are the same;
- :mod:`~karat.coldstart.sf.matching` which assessment is about an answer, :mod:`~karat.coldstart.sf.judging` what
  becomes of the answers of a run, and what is counted;
- :mod:`~karat.coldstart.sf.averages` and :mod:`~karat.coldstart.sf.score_tables` sums, means and their printed form;
- :mod:`~karat.coldstart.sf.validation`, :mod:`~karat.coldstart.sf.correction`, :mod:`~karat.coldstart.sf.scoring` and
  :mod:`~karat.coldstart.sf.projection` the programs, as functions of their options;
  :mod:`~karat.coldstart.sf.opening` how they begin.
"""
