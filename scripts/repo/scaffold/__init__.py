"""Adds modules to the checkout, and runs one feature alone."""
