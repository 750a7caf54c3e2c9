"""Predicts builds on other numbers of cores from the measured times of the compiler's jobs."""
