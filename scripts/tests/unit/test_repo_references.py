"""Links, paths and commands in documents: what is found, and what is accepted."""

from __future__ import annotations

from pathlib import Path

from shop import CORRECT, PLANTED, Shop, package_of, shop_config

from repo.docs.markdown import Document
from repo.docs.references import References

_GUIDE = "Modules/Basket/README.md"


def problems(shop: Shop) -> list[tuple[str, int, str]]:
    """What the documents of the package name that does not exist."""
    subject = shop.subject(package_of(shop.folder), shop_config())
    references = References(shop.folder, subject.package, subject.sources, shop.toolchain)
    documents = [Document(Path(path), (shop.folder / path).read_text()) for path in ("README.md", _GUIDE)]
    return [
        (each.path.as_posix(), found.line, found.content) for each in documents for found in references.problems(each)
    ]


def test_planted_mistakes_are_found_on_their_lines_and_nothing_else(shop: Shop) -> None:
    expected = []
    for path in ("README.md", _GUIDE):
        shop.write(path, (PLANTED / path).read_text())
        for line, text in enumerate((PLANTED / path).read_text().splitlines(), start=1):
            words = text.partition("found: ")[2].removesuffix(" -->")
            expected += [(path, line, words)] if words else []
    found = sorted(problems(shop))
    assert [each[:2] for each in found] == [each[:2] for each in sorted(expected)]
    assert all(words in message for (_, _, message), (_, _, words) in zip(found, sorted(expected), strict=True))


def test_correct_documents_have_no_findings(shop: Shop) -> None:
    shop.write("README.md", (CORRECT / "README.md").read_text())
    assert problems(shop) == []
