"""Finds what breaks the dependency rule of a package, or keeps a module from being understood, tested and replaced.

`run(Options(…))` is the whole command: it prints, and returns 0 where nothing is found, otherwise 1; a wrong option,
name or configuration raises `UsageError`. `RULES` are the rules with their summaries. `line_links` and
`with_line_links` find and correct links of documents to lines of Swift files.
"""

from swiftmodules.check.command import RULES, Options, run
from swiftmodules.check.findings import ANNOTATIONS, Annotations, Finding
from swiftmodules.check.lines import LineLink, fence_after, line_links, with_line_links

__all__ = [
    "ANNOTATIONS",
    "RULES",
    "Annotations",
    "Finding",
    "LineLink",
    "Options",
    "fence_after",
    "line_links",
    "run",
    "with_line_links",
]
