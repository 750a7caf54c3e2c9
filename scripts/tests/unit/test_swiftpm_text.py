"""Reading Swift as text: comments, literals, conditions, and replacing parts of it."""

from __future__ import annotations

import pytest
from swiftmodules.swiftpm.text import (
    Lines,
    Replacement,
    conditional_ranges,
    conditions_at,
    masked,
    rewrite,
    without_conditions,
)

MASKED = [
    ("a /* b /* c */ d */ e", "a e"),
    (r'a("b\"c") d', 'a("") d'),
    (r'"a\(b("c") + d)e" f', r'"(b("")+d)" f'),
    (r'#"a\#(b)c"# d', '#"(b)"# d'),
    ('"""\na "b" c\n""" d', '"""\n\n""" d'),
    ('/"/ // a\nb', '/"\nb'),
    ('"a\nb', '"\nb'),
    ("a /* b", "a"),
]


def test_comments_and_literals_are_masked_and_interpolated_code_stays() -> None:
    for code, visible in MASKED:
        mask = masked(code.encode()).decode()
        assert len(mask) == len(code) and mask.count("\n") == code.count("\n")
        assert mask.replace(" ", "") == visible.replace(" ", "")


def test_conditions_become_spaces_and_have_ranges() -> None:
    code = b'a\n  #if os(A) ||\n    os(B)\nb\n#elseif C // d\ne\n#else\n#warning("w")\nf\n#endif\ng "#if"\n'
    plain = without_conditions(code, masked(code))
    assert len(plain) == len(code)
    assert plain.split() == [b"a", b"b", b"e", b"f", b"g", b'"#if"']
    code = b"a\n#if b\n#if c\nd\n#endif\n#endif\ne\n#if f\n#endif\n"
    assert [code[start:end].count(b"#if") for start, end in conditional_ranges(code)] == [2, 1]
    code = b"a\n#if A\nb\n#if os(X) // no\nc\n#else\nd\n#endif\n#elseif B\ne\n#endif\nf\n"
    found = {chr(code[at]): conditions_at(masked(code), at) for at in range(len(code)) if code[at : at + 2] in LETTERS}
    assert found == {"a": [], "b": ["A"], "c": ["A", "os(X)"], "d": ["A", ""], "e": ["B"], "f": []}


LETTERS = {letter + b"\n" for letter in (b"a", b"b", b"c", b"d", b"e", b"f")}


def test_lines_are_counted_from_one_and_replacements_do_not_overlap() -> None:
    lines = Lines(b"a\nb\n")
    assert [lines.at(position) for position in range(4)] == [1, 1, 2, 2]
    parts = [Replacement(4, 5, b"E"), Replacement(0, 2, b""), Replacement(3, 3, b"!")]
    assert rewrite(b"abcdef", parts) == b"c!dEf"
    with pytest.raises(ValueError, match="overlap at byte 1"):
        rewrite(b"abc", [Replacement(0, 2, b""), Replacement(1, 3, b"")])
