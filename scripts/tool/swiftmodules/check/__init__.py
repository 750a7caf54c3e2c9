"""Finds what breaks the dependency rule of a package, or keeps a module from being understood, tested and replaced.

`run(Options(…))` is the whole command: it prints, and returns 0 where nothing is found, otherwise 1; a wrong option,
name or configuration raises `UsageError`. `RULES` are the rules with their summaries. `lines` finds the links
of documents to lines of Swift files.
"""

from swiftmodules.check.command import RULES, Options, run

__all__ = ["RULES", "Options", "run"]
