"""Finds what breaks the dependency rule of a package, or keeps a module from being understood, tested and replaced."""
