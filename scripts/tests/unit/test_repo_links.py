"""Links in documents: to files, headings, and lines of Swift files."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import files
from swiftmodules.swiftpm.reader import read_files
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.docs.links import broken_links, line_links, linked_files
from repo.docs.parts import Generated, with_generated

DOCUMENT = Path("docs/Guide.md")

SOURCE = """\
/// A guide.
public struct Guide {
    @available(*, deprecated)
    var sum: Int {
        1 + 1
    }

    func walk(to place: String) {}
    func walk() {
    }
}

extension Guide {
    enum Place {
        case near, far
    }
}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    files(tmp_path, {"App/Guide.swift": SOURCE, "App/Broken.swift": "struct Guide {\n    let\n}\n"})
    return tmp_path


def found(text: str, repository: Path, toolchain: Toolchain) -> list[Generated]:
    linked = [file for file in linked_files(text, DOCUMENT) if (repository / file).is_file()]
    return [*line_links(text, DOCUMENT, read_files(repository, linked, toolchain))]


LINES = {
    "Guide": "L2-L11",
    "Guide.sum": "L3-L6",
    "Guide.walk(to:)": "L8",
    "walk()": "L9-L10",
    "Guide.Place": "L14-L16",
    "Place.far": "L15",
    "case near,": "L15",
}


def test_link_gets_the_lines_of_the_declaration(repository: Path, toolchain: Toolchain) -> None:
    text = "".join(f"See [`{name}`](../App/Guide.swift#{{}}) there.\n" for name in LINES)
    given = text.format(*["L1-L99"] * len(LINES))
    assert with_generated(given, found(given, repository, toolchain)) == text.format(*LINES.values())


def test_several_links_are_rewritten_and_one_over_two_lines_is_found(repository: Path, toolchain: Toolchain) -> None:
    text = (
        "[`Guide.sum`](../App/Guide.swift#L1), [a file](../App/Guide.swift), [`walk()`](../App/Guide.swift#L1)\n"
        "[other\n`code`](https://example.com/a.swift#L1-L2)\n[`Guide\n.sum`](../App/Guide.swift)\n"
        "```\n[`Nothing`](../App/Guide.swift#L1)\n```\n"
    )
    expected = text.replace("swift#L1)", "swift#L3-L6)", 1).replace("swift#L1)\n", "swift#L9-L10)\n", 1)
    assert with_generated(text, found(text, repository, toolchain)) == expected
    (link,) = found("T\n\nA [long\nlink](../App/Guide.swift#L1-L2)\n", repository, toolchain)
    assert link.line == 4
    assert link.problem.startswith("The link 'long\nlink' leads to lines of App/Guide.swift, but its text names no")


PROBLEMS = [
    ("[`Guide.run`](../App/Guide.swift#L1)", "App/Guide.swift has no declaration and no code Guide.run. Correct"),
    ("[`uide`](../App/Guide.swift#L1)", "App/Guide.swift has no declaration and no code uide. Correct"),
    ("[`walk`](../App/Guide.swift#L1)", "walk may be any of Guide.walk(to:), Guide.walk(). Name one"),
    ("[`func walk(`](../App/Guide.swift#L1)", "func walk( may be any of line 8, line 9. Name one"),
    ("[the guide](../App/Guide.swift#L1-L2)", "its text names no declaration. Make its text"),
    ("[`Guide`](../App/Broken.swift#L1)", "App/Broken.swift cannot be read, line 2: "),
]


def test_links_that_cannot_be_kept_are_each_reported_on_their_lines(repository: Path, toolchain: Toolchain) -> None:
    text = "# Title\n\n" + "".join(f"{link}\n" for link, _ in PROBLEMS)
    links = found(text, repository, toolchain)
    assert [link.line for link in links] == [3, 4, 5, 6, 7, 8]
    for link, (_, message) in zip(links, PROBLEMS, strict=True):
        assert message in link.problem


BROKEN = """# Shop

![picture](docs/graph.svg), [there](Guide.md#nothing), [far](http://127.0.0.1/x)

[here](#shop), [a](#user-content-shop) <a name="else"></a> [b](#else), [c](Guide.md#a-guide), [folder](docs)
| [in a table](Nowhere.swift#L1) |
| --- |

## Twice

[out](../../../etc/passwd), [the second](#twice-1), [a third](#twice-2)

## Twice
"""


def test_link_that_leads_nowhere_is_found_with_its_line(tmp_path: Path) -> None:
    files(tmp_path, {"README.md": BROKEN, "Guide.md": "# A guide\n", "docs/a.txt": ""})
    assert [(line, text.split(". ")[0]) for line, text in broken_links(tmp_path, Path("README.md"), BROKEN)] == [
        (3, "The link leads to docs/graph.svg, which does not exist"),
        (3, "Guide.md has no heading '#nothing'"),
        (6, "The link leads to Nowhere.swift, which does not exist"),
        (11, "The link leads out of the repository, to ../../../etc/passwd"),
        (11, "README.md has no heading '#twice-2'"),
    ]
