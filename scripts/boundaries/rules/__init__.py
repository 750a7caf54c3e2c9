"""All rules, in the order in which they are listed."""

from __future__ import annotations

from boundaries.rules import (
    documents,
    edges,
    implementations,
    imports,
    interfaces,
    modules,
    names,
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
    *documents.RULES,
    *names.RULES,
)
