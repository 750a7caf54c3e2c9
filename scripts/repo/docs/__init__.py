"""Writes the generated parts of the documents: code, graphs and numbers; and checks their links."""
