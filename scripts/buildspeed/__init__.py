"""Measures how long a Swift package takes to rebuild after an edit, and what the compiler compiles for it."""
