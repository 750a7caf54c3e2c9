"""Adds modules to the checkout, removes them again, and runs one feature alone."""
