"""Text in an SVG: how wide it is, and how it is written as XML."""

from __future__ import annotations

import re
import unicodedata
from xml.sax.saxutils import escape, quoteattr

# A monospaced font's characters are this much wider than they are high, in every font of the style's list.
_WIDTH_TO_HEIGHT = 0.61
# What XML 1.0 does not allow, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text_width(text: str, size: float) -> float:
    """The width of a text in the style's font; East Asian wide characters take two places."""
    places = sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)
    return places * size * _WIDTH_TO_HEIGHT


def as_text(text: str) -> str:
    """A text as the content of an element."""
    return escape(_FORBIDDEN.sub("\ufffd", text))


def as_attribute(text: str) -> str:
    """A text as the value of an attribute, with its quotation marks."""
    return quoteattr(_FORBIDDEN.sub("\ufffd", text))
