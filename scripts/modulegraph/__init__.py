"""Draws the graph of a package's modules, and answers questions about it."""
