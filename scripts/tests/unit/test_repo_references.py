"""Links, paths, commands and names in documents: what is found, and what is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from shop import Shop, package_of, shop_config

from repo.docs.markdown import Document
from repo.docs.names import Names
from repo.docs.references import References

_GUIDE = "Modules/Basket/README.md"


def problems(shop: Shop) -> list[tuple[str, int, str]]:
    """What the documents of the package name that does not exist."""
    subject = shop.subject(package_of(shop.folder), shop_config())
    references = References(shop.folder, subject.package, subject.sources, shop.toolchain)
    documents = [
        Document(Path(path), (shop.folder / path).read_text(encoding="utf-8")) for path in ("README.md", _GUIDE)
    ]
    return [
        (each.path.as_posix(), found.line, found.content)
        for each in documents
        for found in (*references.problems(each), *Names(references).problems(each))
    ]


# What the message has, and what is added to a document, on whose line it is.
PLANTS = {
    "The link leads to": [
        (_GUIDE, 11, "\n[there](Nowhere.swift)\n"),
        ("README.md", 11, "\n![picture](docs/graph.svg)\n"),
    ],
    "has no heading": [
        ("README.md", 11, "\n[there](Modules/Basket/README.md#nothing)\n"),
    ],
    "There is no": [
        ("README.md", 11, "\n`Modules/Sale`\n"),
        ("README.md", 12, "\nSee\n`Modules/*/Sales` for more.\n"),
        (_GUIDE, 11, "\n`Testing/Sale.swift`\n"),
    ],
    "Correct the command": [
        ("README.md", 11, "\n`scripts/sale --all`\n"),
        ("README.md", 11, "\n`scripts/stock --al`\n"),
        ("README.md", 12, "\n```sh\nTERM=dumb scripts/stock --all && scripts/stock --half\n```\n"),
        ("README.md", 14, "\n```console\n$ ls\n--none\n$ ls | scripts/stock --none\n```\n"),
        ("README.md", 12, "\n```sh\n./tools/sale --all # sells\n```\n"),
        ("README.md", 12, "\n```sh\nswift biuld\n```\n"),
        ("README.md", 11, "\n`swift run -c release Till`\n"),
        ("README.md", 11, "\n`swift run App --till`\n"),
        ("README.md", 11, "\n`swift test --filter SaleTests`\n"),
        ("README.md", 11, "\n`swift build --target Till`\n"),
    ],
    "Correct it": [
        ("README.md", 12, "\nA\n`context.result(of: Basket.Sale(…))`\n"),
        ("README.md", 11, "\n`Basket.Store.sell`\n"),
        ("README.md", 13, "\n| what |\n| --- |\n| `FakeStore.sell` |\n"),
        ("README.md", 11, "\n`let a: FakeStore.Sale`\n"),
        ("README.md", 11, "\n`add(_:twice:)`\n"),
        ("README.md", 11, "\n`sell()`\n"),
        ("README.md", 11, "\n## The `sell()`\n"),
    ],
}


@pytest.mark.parametrize(
    ("words", "path", "line", "text"), [(words, *plant) for words, plants in PLANTS.items() for plant in plants]
)
def test_planted_mistake_is_found_alone_on_its_line(shop: Shop, words: str, path: str, line: int, text: str) -> None:
    shop.append(path, text)
    (found,) = problems(shop)
    assert found[:2] == (path, line) and words in found[2]


CORRECT = [
    "`Basket.Checkout.init()`, `any Basket.Store`, `Basket.Checkout.hashValue`, `FakeStore.count`",
    "`add(_:)` leaves out what has a default value; `count` may be anything",
    "`swift run TARGET_NAME --all` is a pattern",
    "`UIViewController` is foreign, `Modules/<Name>/Interface` a place, `https://a.b/SaleNow` elsewhere",
    "`scripts/stock --help`, `git log --oneline`, `swift run App`, `swift build -c release`, `scripts/stock`",
    "[`Basket.Checkout`](Modules/Basket/Interface/Checkout.swift#L5-L11), [x](App/main.swift#L1-L2)",
    '`Other.sell(many:)`, `Basket.erb.swift`, <a name="here"></a> [x](#here), [y](#user-content-shop)',
    "Single words may mean anything: `sellNothing`, `FakeSales`",
    "```sh\n.build/debug/App; ~/bin/sale; /usr/bin/sale; $HOME/sale; ../other/sale; swift demangle < a\n```",
    "[outside](https://example.com/x#y), [here](#shop), [a file](App/main.swift#L1), [a folder](Modules)",
    "```swift\nlet a = FakeSales()\n```",
]


def test_correct_documents_have_no_findings(shop: Shop) -> None:
    shop.append("README.md", "".join(f"\n{text}\n" for text in CORRECT))
    assert problems(shop) == []
