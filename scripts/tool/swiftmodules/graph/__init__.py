"""The graph of a package's modules and targets, and questions about it.

* `architecture`: `architecture_of(package)` finds the role and the module of each target.
* `views`: `modules_view`, `targets_view` and `neighbours_view` are drawings; `mermaid` writes them.
* `questions`: `why(…)`, the path between two.
* `since(…)`: what has changed since a revision, and its `Reach`; `impact(…)`, that of an edit which is not made yet.
* `document_block(package, module)` is the generated part of a document.
"""

from swiftmodules.graph.mermaid import document_block

__all__ = ["document_block"]
