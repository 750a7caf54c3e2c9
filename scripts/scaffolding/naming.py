"""The forms of a module's name that the templates use."""

from __future__ import annotations

import re

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words(name: str) -> list[str]:
    """`ShoppingCart` as its two words; `HTTPClient` likewise."""
    return _WORD_START.split(name)


def identifier(name: str) -> str:
    """`shopping-cart`, as it stands in links and URLs."""
    return "-".join(words(name)).lower()


def url(name: str) -> str:
    """The URL of the module's first screen."""
    return f"app://{identifier(name)}"


def title(name: str) -> str:
    """`Shopping cart`, as a person reads it; `HTTP client`."""
    first, *rest = words(name)
    return " ".join([first, *(word if word.isupper() else word.lower() for word in rest)])
