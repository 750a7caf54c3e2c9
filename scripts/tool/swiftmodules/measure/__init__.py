"""Measures rebuilds: one experiment, whose samples are cells of a few axes; one record, and one analysis of it."""
