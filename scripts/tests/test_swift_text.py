"""Reading Swift as text: comments, literals, conditions, and the first sentence of a comment."""

from __future__ import annotations

import pytest

from boundaries.documentation import is_one_sentence, summary
from boundaries.swift_text import conditional_ranges, masked, without_conditions


@pytest.mark.parametrize(
    ("code", "visible"),
    [
        ("a // b", "a"),
        ("a /* b /* c */ d */ e", "a e"),
        ('a("b")', 'a("")'),
        (r'a("b\"c") d', 'a("") d'),
        (r'"a\(b("c") + d)e" f', r'"(b("")+d)" f'),
        (r'"\(a(")"))b" c', r'"(a(""))" c'),
        (r'#"a"b\(c)"# d', '#""# d'),
        (r'#"a\#(b)c"# d', '#"(b)"# d'),
        ('"""\na "b" c\n""" d', '"""\n\n""" d'),
        ('/"/ // a\nb', '/"\nb'),
        ('"a\nb', '"\nb'),
        ("a /* b", "a"),
    ],
)
def test_comments_and_literals_are_masked_and_interpolated_code_stays(code: str, visible: str) -> None:
    mask = masked(code.encode()).decode()
    assert len(mask) == len(code)
    assert mask.count("\n") == code.count("\n")
    assert mask.replace(" ", "") == visible.replace(" ", "")


def test_conditions_become_spaces_and_their_code_stays() -> None:
    code = b'a\n  #if os(A) ||\n    os(B)\nb\n#elseif C // d\ne\n#else\n#warning("w")\nf\n#endif\ng "#if"\n'
    plain = without_conditions(code, masked(code))
    assert len(plain) == len(code)
    assert plain.split() == [b"a", b"b", b"e", b"f", b"g", b'"#if"']


def test_conditional_ranges_are_the_outermost() -> None:
    code = b"a\n#if b\n#if c\nd\n#endif\n#endif\ne\n#if f\n#endif\n"
    assert [code[start:end].count(b"#if") for start, end in conditional_ranges(code)] == [2, 1]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("A thing.", True),
        ("Whether it is a thing (or two).", True),
        ("Reads `a. B` and e.g. others, version 6.3 or later.", True),
        ('What is "said."', True),
        ("A thing", False),
        ("A thing. Observable.", False),
        ("A thing! `Code` as well.", False),
        ("", False),
    ],
)
def test_summary_is_one_sentence(text: str, is_one: bool) -> None:
    assert is_one_sentence(text) == is_one


def test_summary_ends_with_its_paragraph_or_where_a_list_begins() -> None:
    assert summary(["A thing", "on two lines.", "", "More."]) == "A thing on two lines."
    assert summary(["A thing.", "- Returns: More."]) == "A thing."
