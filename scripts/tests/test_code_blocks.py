"""Code in documents that comes from source files."""

from __future__ import annotations

from pathlib import Path

import pytest

from buildspeed.code_blocks import code_blocks, with_code
from buildspeed.failures import MeasurementError

DOCUMENT = Path("docs/Guide.md")

SOURCE = """\
struct Guide {
    // snippet: sum
    let sum = 1 + 1
    // snippet: end

    // snippet: nothing

    // snippet: end
}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / "Tests").mkdir(parents=True)
    (folder / "Tests/Guide.swift").write_text(SOURCE)
    (folder / "Tests/picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret.swift").write_text("let secret = 1\n")
    (folder / "Tests/link.swift").symlink_to(tmp_path / "secret.swift")
    return folder


def rewritten(text: str, repository: Path) -> str:
    return with_code(text, code_blocks(text, DOCUMENT, repository))


def test_block_gets_the_code_of_its_snippet(repository: Path) -> None:
    text = "Before\n\n<!-- code: Tests/Guide.swift#sum -->\n```swift\nlet sum = 3\n```\n<!-- code: end -->\n\nAfter\n"
    assert rewritten(text, repository) == text.replace("= 3", "= 1 + 1")


def test_blocks_of_other_lengths_are_each_put_in_their_place(repository: Path) -> None:
    block = "<!-- code: Tests/Guide.swift#sum -->\n{}<!-- code: end -->\n"
    text = f"A\n{block}B\n{block}C\n"
    filled = "```swift\nlet sum = 1 + 1\n```\n"
    assert rewritten(text.format("", "1\n2\n3\n4\n5\n"), repository) == text.format(filled, filled)


def test_block_without_a_name_gets_the_whole_file(repository: Path) -> None:
    text = "<!-- code: Tests/Guide.swift -->\n<!-- code: end -->"
    code = "struct Guide {\n    let sum = 1 + 1\n\n\n}"
    assert rewritten(text, repository) == f"<!-- code: Tests/Guide.swift -->\n```swift\n{code}\n```\n<!-- code: end -->"


def test_block_in_a_list_keeps_its_indentation(repository: Path) -> None:
    text = "1. First\n   <!-- code: Tests/Guide.swift#sum -->\n   <!-- code: end -->\n"
    assert "\n   ```swift\n   let sum = 1 + 1\n   ```\n" in rewritten(text, repository)


def test_code_with_a_fence_gets_a_longer_one_and_stays_as_it_is(repository: Path) -> None:
    (repository / "page.md").write_text("```\n<!-- code: end -->\n```\n")
    once = rewritten("<!-- code: page.md -->\n<!-- code: end -->\n", repository)
    assert "\n````markdown\n```\n<!-- code: end -->\n```\n````\n" in once
    assert rewritten(once, repository) == once


def test_block_that_is_in_step_is_known(repository: Path) -> None:
    marker = "<!-- code: Tests/Guide.swift#sum -->"
    right = f"{marker}\n```swift\nlet sum = 1 + 1\n```\n<!-- code: end -->\n"
    wrong = right.replace("+ 1", "+ 2")
    blocks = code_blocks(f"Title\n\n{right}{wrong}", DOCUMENT, repository)
    assert [(block.line, block.present == block.expected) for block in blocks] == [(3, True), (8, False)]


@pytest.mark.parametrize("fence", ["```", "~~~", "````markdown"])
def test_markers_in_a_fence_mean_nothing(repository: Path, fence: str) -> None:
    close = fence.removesuffix("markdown")
    text = f"{fence}\n```not the end\n<!-- code: nowhere.swift -->\n{close}\nAfter\n"
    assert code_blocks(text, DOCUMENT, repository) == []


def test_inline_code_opens_no_fence(repository: Path) -> None:
    text = "```inline``` code\n<!-- code: Tests/Guide.swift#sum -->\n<!-- code: end -->\n"
    assert len(code_blocks(text, DOCUMENT, repository)) == 1


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("Tests/Absent.swift", "There is no file 'Tests/Absent.swift'. Name it by its path"),
        ("Tests", "There is no file 'Tests'. Name it by its path"),
        ("", "There is no file '.'. Name it by its path"),
        ("Tests/Guide.swift#product", "Tests/Guide.swift has no snippet 'product' (it has: sum, nothing). Correct"),
        ("Tests/Guide.swift#", "Tests/Guide.swift has no snippet '' (it has: sum, nothing). Correct"),
        ("Tests/Guide.swift#nothing", "There is no code in Tests/Guide.swift#nothing. Put the lines"),
        ("../secret.swift", "../secret.swift is outside of the repository. Name a file"),
        ("/etc/passwd", "/etc/passwd is outside of the repository. Name a file"),
        ("Tests/link.swift", "Tests/link.swift is outside of the repository. Name a file"),
        ("Tests/picture.png", "Tests/picture.png is not UTF-8 text. Name a source file"),
    ],
)
def test_wrong_reference_is_refused_with_its_place(repository: Path, reference: str, message: str) -> None:
    with pytest.raises(MeasurementError) as caught:
        code_blocks(f"Title\n<!-- code: {reference} -->\n<!-- code: end -->\n", DOCUMENT, repository)
    assert str(caught.value).startswith(f"docs/Guide.md:2: {message}")


def test_mistake_in_a_source_is_refused_with_its_place_there(repository: Path) -> None:
    (repository / "Tests/Guide.swift").write_text("// snippet: sum\n")
    with pytest.raises(MeasurementError, match=r"^Tests/Guide\.swift:1: The snippet 'sum' is not ended"):
        code_blocks("<!-- code: Tests/Guide.swift#sum -->\n<!-- code: end -->\n", DOCUMENT, repository)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A\n{begin}\nB\n", "docs/Guide.md:2: The code that begins here is not ended. Add a line"),
        ("{begin}\n{begin}\n{end}\n", "docs/Guide.md:1: The code that begins here is not ended. Add a line"),
        ("{begin}\n```\n{end}\n", "outside of the fence."),
        ("A\n\n{end}\n", "docs/Guide.md:3: No code ends here. Remove the line"),
    ],
)
def test_wrong_markers_are_refused_with_their_line(repository: Path, text: str, message: str) -> None:
    markers = {"begin": "<!-- code: Tests/Guide.swift#sum -->", "end": "<!-- code: end -->"}
    with pytest.raises(MeasurementError) as caught:
        code_blocks(text.format(**markers), DOCUMENT, repository)
    assert message in str(caught.value)
