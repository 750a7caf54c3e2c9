"""Reads what the compiler's parser prints, and mends it where the compiler leaves its JSON broken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^"{}\[\],:\s]+')


def load(output: str) -> dict[str, Any]:
    """The parser's output as a value.

    Swift 6.3.1 does not close the object of an attributed type: after `typealias A = @MainActor () -> Void` one
    `}` is missing, and because the compiler then takes itself to be inside an object, it gives the elements of
    the lists around an empty name (`"":`). Raises `ValueError` where the output is broken in another way.
    """
    try:
        return json.loads(output)
    except ValueError:
        return json.loads("".join(_mended(output)))


class _Container:
    """An object or list that is open. `key` is that of the member that was read last."""

    def __init__(self, is_object: bool) -> None:
        self.is_object = is_object
        self.is_attributed_type = False
        self.key: str | None = None


def _mended(output: str) -> Iterator[str]:
    tokens = _TOKEN.findall(output)
    stack = [_Container(is_object=False)]
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token in "{[":
            yield token
            stack.append(_Container(is_object=token == "{"))
            continue
        if token == ",":
            yield token
            continue
        if position < len(tokens) and tokens[position] == ":":
            position += 1
            if stack[-1].is_object:
                stack[-1].key = token
                yield token + ":"
            continue
        yield token
        if token in "}]":
            stack.pop()
        elif stack[-1].key == '"_kind"':
            stack[-1].is_attributed_type = token == '"type_attributed"'
        # A value ends here, which is the last one of an attributed type when its key is `type_repr`.
        while stack[-1].is_attributed_type and stack[-1].key == '"type_repr"':
            yield "}"
            stack.pop()
