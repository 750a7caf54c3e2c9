"""The graph of a package's modules and targets, and questions about it."""
