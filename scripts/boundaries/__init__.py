"""Holds a package to its dependency rule, and its documents to what exists."""
