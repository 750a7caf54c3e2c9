"""Finds what breaks the dependency rule of a package, or keeps a module from being understood, tested and replaced.

`run(folder, choices)` is the whole command: it prints, and returns 0 where nothing is found, otherwise 1; a wrong
option, name or configuration raises `UsageError`. `RULES` are the rules with their groups and summaries.
"""

from swiftmodules.check.command import RULES, run

__all__ = ["RULES", "run"]
