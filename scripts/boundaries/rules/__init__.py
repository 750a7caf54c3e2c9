"""All rules, in the order in which they are listed."""

from __future__ import annotations

from boundaries.rules import (
    document_commands,
    document_links,
    document_names,
    document_paths,
    edges,
    implementations,
    imports,
    interfaces,
    modules,
    routes,
    sources,
    summaries,
)
from boundaries.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    *sources.RULES,
    *edges.RULES,
    *imports.RULES,
    *interfaces.RULES,
    *implementations.RULES,
    *summaries.RULES,
    *routes.RULES,
    *modules.RULES,
    *document_links.RULES,
    *document_paths.RULES,
    *document_commands.RULES,
    *document_names.RULES,
)
