"""Analyses: what the numbers of a record mean. Each reads a record, computes a result once, and draws nothing.

`stats` has intervals, ratios and lines; `cells` what all analyses share (`Analysis`) and that of a record of `run`
(`RunAnalysis`), `verdicts` its sentences; `growth`, `floor`, `matrix` and `simulation` (with `schedule`) those of the
other kinds; `compare` sets two records of one kind beside each other. Everything random is seeded by the record.
"""
