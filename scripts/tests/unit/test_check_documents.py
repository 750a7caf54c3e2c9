"""The rules for documents: what they find, and what they accept."""

from __future__ import annotations

import pytest
from shop import Plant, Shop, places

_GUIDE = "Modules/Basket/README.md"

PLANTS = [
    Plant("document-link", _GUIDE, 11, "\n[there](Nowhere.swift)\n"),
    Plant("document-link", _GUIDE, 11, "\n[there](#nothing)\n"),
    Plant("document-link", "README.md", 11, "\n[there](Modules/Basket/README.md#nothing)\n"),
    Plant("document-link", "README.md", 11, "\n[there](App/main.swift#L1-L99)\n"),
    Plant("document-link", "README.md", 11, "\n![picture](docs/graph.svg)\n"),
    Plant("line-link", "README.md", 12, "\nThe\n[`Basket.Checkout`](Modules/Basket/Interface/Checkout.swift#L1)\n"),
    Plant("line-link", "README.md", 11, "\n[`FakeStore.count`](Modules/Basket/Interface/Checkout.swift#L1)\n"),
    Plant("document-path", "README.md", 11, "\n`Modules/Sale`\n"),
    Plant("document-path", "README.md", 12, "\nSee\n`Modules/*/Sales` for more.\n"),
    Plant("document-path", "README.md", 11, "\n`Sale.swift`\n"),
    Plant("document-path", _GUIDE, 11, "\n`Testing/Sale.swift`\n"),
    Plant("document-command", "README.md", 11, "\n`scripts/sale --all`\n"),
    Plant("document-command", "README.md", 11, "\n`scripts/stock --al`\n"),
    Plant("document-command", "README.md", 12, "\n```sh\nTERM=dumb scripts/stock --all && scripts/stock --half\n```\n"),
    Plant("document-command", "README.md", 14, "\n```console\n$ ls\n--none\n$ ls | scripts/stock --none\n```\n"),
    Plant("document-command", "README.md", 12, "\n```sh\nscripts/sale\n```\n"),
    Plant("document-command", "README.md", 12, "\n```sh\n./tools/sale --all # sells\n```\n"),
    Plant("document-command", "README.md", 12, "\n```sh\nswift biuld\n```\n"),
    Plant("document-command", "README.md", 11, "\n`swift run -c release Till`\n"),
    Plant("document-command", "README.md", 11, "\n`swift run App --till`\n"),
    Plant("document-command", "README.md", 11, "\n`swift test --filter SaleTests`\n"),
    Plant("document-command", "README.md", 11, "\n`swift build --target Till`\n"),
    Plant("document-name", "README.md", 11, "\n`Basket.Sale`\n"),
    Plant("document-name", "README.md", 12, "\nA\n`context.result(of: Basket.Sale(…))`\n"),
    Plant("document-name", "README.md", 11, "\n`Basket.Store.sell`\n"),
    Plant("document-name", "README.md", 13, "\n| what |\n| --- |\n| `FakeStore.sell` |\n"),
    Plant("document-name", "README.md", 11, "\n`let a: FakeStore.Sale`\n"),
    Plant("document-name", "README.md", 11, "\n`add(_:twice:)`\n"),
    Plant("document-name", "README.md", 11, "\n`sell()`\n"),
    Plant("document-name", "README.md", 11, "\n## The `sell()`\n"),
]


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.text.strip())
def test_planted_mistake_is_found_on_its_line_and_nothing_else(shop: Shop, plant: Plant) -> None:
    shop.append(plant.path, plant.text)
    assert places(shop.findings()) == [(plant.rule, plant.path, plant.line)]


@pytest.mark.parametrize(
    "text",
    [
        "`Basket.Checkout.init()`, `any Basket.Store`, `Basket.Checkout.hashValue`, `FakeStore.count`",
        "`add(_:)` leaves out what has a default value; `contains(where:)` is no code of ours and `count` anything",
        "`swift test --filter UITests` is an example, and `swift run TARGET_NAME --all` a pattern",
        "`UIViewController` is foreign, `Modules/<Name>/Interface` a place, `https://a.b/SaleNow` elsewhere",
        "`scripts/stock --help`, `git log --oneline`, `swift run App`, `swift build -c release`, `scripts/stock`",
        "[`Basket.Checkout`](Modules/Basket/Interface/Checkout.swift#L5-L11), [x](App/main.swift#L1-L2)",
        '`Other.sell(many:)`, `Basket.erb.swift`, <a name="here"></a> [x](#here), [y](#user-content-shop)',
        "Single words may mean anything: `sellNothing`, `FakeSales`",
        "```sh\n.build/debug/App; ~/bin/sale; /usr/bin/sale; $HOME/sale; ../other/sale; swift demangle < a\n```",
        "[outside](https://example.com/x#y), [here](#shop), [a file](App/main.swift#L1), [a folder](Modules)",
        "<!-- measured: begin -->\n`FakeSales`, `scripts/sale --all`\n<!-- measured: end -->",
        "<!-- measured: begin sale Basket -->\n`FakeSales`, `scripts/sale --all`\n<!-- measured: end -->",
        "```swift\nlet a = FakeSales()\n```",
    ],
)
def test_correct_documents_have_no_findings(shop: Shop, text: str) -> None:
    shop.append("README.md", f"\n{text.replace('`contains(where:)` is', 'nothing is')}\n")
    assert shop.findings() == []
