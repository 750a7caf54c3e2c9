"""Writes the generated parts of the documents: code, graphs, numbers, and the lines that links name."""
