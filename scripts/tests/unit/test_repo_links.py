"""Links in documents: to files, to headings, and to the code that they name."""

from __future__ import annotations

from pathlib import Path

from made_files import files

from repo.docs.links import broken_links

SOURCE = """\
public struct Guide {
    func walk(to place: String) {}
}
"""
BROKEN = """# Shop

![picture](docs/graph.svg), [there](Guide.md#nothing), [far](http://127.0.0.1/x)

[here](#shop), [c](Guide.md#a-guide), [folder](docs)
| [in a table](Nowhere.swift) |
| --- |

## `Other` headings: one

[out](../../../etc/passwd), [a heading](#other-headings-one), [another](#twice)

[`Guide`](Guide.swift), [`Guide.walk(to:)`](Guide.swift), [`Guide.swift`](Guide.swift), [the guide](Guide.swift)
[`uide`](Guide.swift), [`Guide.run(`](Guide.swift), [`walk`](Guide.swift#L2)
[over two
lines](Nowhere.md)
"""


def test_link_that_leads_nowhere_is_found_with_its_line(tmp_path: Path) -> None:
    files(tmp_path, {"README.md": BROKEN, "Guide.md": "# A guide\n", "Guide.swift": SOURCE, "docs/a.txt": ""})
    assert [(line, text.split(". ")[0]) for line, text in broken_links(tmp_path, Path("README.md"), BROKEN)] == [
        (3, "The link leads to docs/graph.svg, which does not exist"),
        (3, "Guide.md has no heading '#nothing'"),
        (6, "The link leads to Nowhere.swift, which does not exist"),
        (11, "The link leads out of the repository, to ../../../etc/passwd"),
        (11, "README.md has no heading '#twice'"),
        (14, "Guide.swift has no uide"),
        (14, "Guide.swift has no run"),
        (14, "The link leads to a place in Guide.swift, which any edit may move"),
        (15, "The link leads to Nowhere.md, which does not exist"),
    ]
