"""Renders the files of a new module from `scripts/scaffolding/templates`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template

from scaffolding import naming

_FOLDER = Path(__file__).with_name("templates")
_SUFFIX = ".template"


def render(name: str, *, route: bool, service: bool) -> dict[str, str]:
    """The files of a module by their paths in the checkout, not yet formatted.

    The folders of templates are layers: what every module has, what one with a route has, and so on.
    """
    layers = ["module"]
    layers += ["with-route"] if route else []
    layers += ["with-service"] if service else []
    layers += ["route-and-service" if route and service else "service-only" if service else "route-only"]
    values = {
        "Name": name,
        "title": naming.title(name),
        "identifier": naming.identifier(name),
        "url": naming.url(name),
    }
    return {path: text for layer in layers for path, text in _render_layer(layer, values).items()}


def _render_layer(layer: str, values: Mapping[str, str]) -> dict[str, str]:
    folder = _FOLDER / layer
    return {
        template.relative_to(folder).as_posix().removesuffix(_SUFFIX).replace("__Name__", values["Name"]): Template(
            template.read_text(encoding="utf-8")
        ).substitute(values)
        for template in sorted(folder.rglob(f"*{_SUFFIX}"))
    }
