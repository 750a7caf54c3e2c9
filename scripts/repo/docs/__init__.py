"""Writes the generated parts of the documents: code, graphs, numbers, durations, and the lines that links name."""
