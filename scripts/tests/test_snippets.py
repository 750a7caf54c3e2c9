"""Snippets in source files."""

from __future__ import annotations

from pathlib import Path

import pytest

from buildspeed.failures import MeasurementError
from buildspeed.snippets import Snippets, read_snippets

SOURCE = Path("Tests/GuideTests.swift")

GUIDE = """\
import Testing

struct Guide {
    // snippet: outer

    func one() {
        // snippet: inner
        call()

        call(again: true)
        // snippet: end
    }
    // snippet: end

    // snippet: two
    func two() {}
    // snippet: end
}
"""


def test_snippet_has_the_lines_between_its_markers_without_their_indentation() -> None:
    named = read_snippets(GUIDE, SOURCE).named
    assert named["inner"] == "call()\n\ncall(again: true)"
    assert named["two"] == "func two() {}"


def test_markers_inside_a_snippet_are_left_out() -> None:
    expected = "func one() {\n    call()\n\n    call(again: true)\n}"
    assert read_snippets(GUIDE, SOURCE).named["outer"] == expected


def test_whole_file_has_no_markers() -> None:
    lines = [line for line in GUIDE.splitlines() if "// snippet:" not in line]
    assert read_snippets(GUIDE, SOURCE).whole == "\n".join(lines)


def test_file_without_markers_is_whole() -> None:
    assert read_snippets("\nlet a = 1\n", SOURCE) == Snippets("let a = 1", {})


def test_hash_begins_a_marker_too() -> None:
    text = "#!/bin/sh\n# snippet: greeting\necho hello\n# snippet: end\n"
    assert read_snippets(text, SOURCE).named == {"greeting": "echo hello"}


def test_words_about_snippets_are_no_markers() -> None:
    text = 'let text = "// snippet: a"\n/// A snippet: end of it.\n'
    assert read_snippets(text, SOURCE).named == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n// snippet: one\nb\n", "GuideTests.swift:2: The snippet 'one' is not ended. Add a line"),
        ("// snippet: one\n// snippet: two\n// snippet: end\n", "GuideTests.swift:1: The snippet 'one' is not ended"),
        ("a\n// snippet: end\n", "GuideTests.swift:2: No snippet ends here. Remove the line"),
        (
            "// snippet: one\n// snippet: end\n// snippet: one\n// snippet: end\n",
            "GuideTests.swift:3: The snippet 'one' exists already, in line 1. Rename one",
        ),
        ("// snippet: one\n// snippet: one\n", "GuideTests.swift:2: The snippet 'one' exists already, in line 1"),
        ("// snippet:\n", "GuideTests.swift:1: '' cannot name a snippet. Use letters"),
        ("// snippet: two words\n", "GuideTests.swift:1: 'two words' cannot name a snippet. Use letters"),
    ],
)
def test_wrong_markers_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(MeasurementError) as caught:
        read_snippets(text, SOURCE)
    assert str(caught.value).startswith(f"Tests/{message}")
