"""The rules for code: each finds something planted in a package, and nothing in a clean one."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace
from shop import CORRECT, PLANTED, SHOP, Shop, changed_target, package_of, places, shop_config
from swiftmodules.check.subject import Finding
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.target import Resource, Target

_BASKET = "Modules/Basket/Interface/Basket.swift"
_CHECKOUT = "Modules/Basket/Interface/Checkout.swift"
_MODULE = "Modules/Basket/Implementation/BasketModule.swift"
_PLANTED = "Modules/Basket/Implementation/Planted.swift"
_INTERFACE = "Modules/Basket/Interface/Planted.swift"
_TESTS = "Tests/BasketTests/Planted.swift"


IMPORTS = [
    ("import PriceImplementation\n", 1),
    ("#if os(Windows)\n#else\n  #if canImport(Darwin)\n  import PriceImplementation\n  #endif\n#endif\n", 4),
    ("\ufefflet a = 1 /* /* */ import Z */; import PriceImplementation\n", 1),
    ("@_spi(Größe)import PriceImplementation\n", 1),
    ("import struct PriceImplementation::Thing\n", 1),
    ("func load(\n    import path: String,\n    import other : Int\n) {}\nimport PriceImplementation\n", 5),
    ('let a = """\nimport PriceImplementation\n"""\nlet b = #"""#; import PriceImplementation\n', 4),
    ('let a = #/a\\/*b/#\nlet b = /"/\nimport PriceImplementation\n', 3),
    ("@_implementationOnly import\n    PriceImplementation\n", 2),
    ("@_spi(Some) import `PriceImplementation`\n", 1),
    ("#if compiler(>=99)\n)))\nimport Foundation; import PriceImplementation\n#endif\n", 3),
    ("#if compiler(>=99)\n)))\n@preconcurrency import PriceImplementation\n#endif\n", 3),
    ("import Foundation // Lines of\rimport PriceImplementation\r", 2),
    ("// Lines of\r\nimport PriceImplementation\r\n", 2),
]


def test_forbidden_import_is_found_in_every_form(shop: Shop) -> None:
    for number, (text, _) in enumerate(IMPORTS):
        shop.write(f"Modules/Basket/Implementation/Planted{number:02}.swift", text)
    # Also where it is undeclared, in which case that is not reported too.
    found = places(shop.findings())
    assert [(rule, line) for rule, _, line in found] == [("import", line) for _, line in IMPORTS]
    declared = places(shop.findings(edges={"BasketImplementation": ("PriceImplementation",)}))
    assert declared == [*found, ("edge", "Package.swift", 8)]


_FAKES_FIX = "Fakes are for tests: use the implementation that BasketTesting stands in for,"
_INTERFACE_FIX = "Use PriceInterface instead, and let the composition root register"
_OWN_FIX = "Declare in this interface what it needs, and let the composition"


LIMITS = [
    ("BasketInterface", 9, _INTERFACE, "PriceInterface", _OWN_FIX),
    ("BasketTesting", 10, "Modules/Basket/Testing/Planted.swift", "PriceInterface", ""),
    ("BasketTests", 11, _TESTS, "PriceImplementation", _INTERFACE_FIX),
    ("App", 7, "App/Planted.swift", "BasketTesting", _FAKES_FIX),
    ("BasketImplementation", 8, _PLANTED, "BasketTesting", ""),
]


def test_every_kind_of_target_has_its_own_limits_and_remedies(shop: Shop) -> None:
    for importing, line, path, imported, fix in LIMITS:
        shop.write(path, f"\nimport {imported}\n")
        found = shop.findings(edges={importing: (imported,)})
        assert sorted(places(found)) == [("edge", "Package.swift", line), ("import", path, 2)]
        assert all(each.fix.startswith(fix) for each in found if each.rule == "edge")
        (shop.folder / path).unlink()


def test_planted_violations_are_found_on_their_lines_and_nothing_else(shop: Shop) -> None:
    shop.write(_PLANTED, "import PriceImplementation\nstruct A {}\nfunc (\n")
    expected = [("import", _PLANTED, 1), ("syntax", _PLANTED, 3)]
    for path in PLANTED.rglob("*.swift"):
        name = path.relative_to(PLANTED).as_posix()
        shop.write(name, path.read_text())
        for line, code in enumerate(path.read_text().splitlines(), start=1):
            expected += [(rule, name, line) for rule in code.partition("// found: ")[2].split()]
    found = shop.findings()
    assert sorted(places(found)) == sorted(expected)
    for each in (each for each in found if each.rule == "trap"):
        code = (shop.folder / each.path).read_text().splitlines()[each.line - 1]
        assert each.message.split("'")[1].split()[0] in code


def test_correct_code_has_no_findings(shop: Shop) -> None:
    shutil.copytree(CORRECT, shop.folder, dirs_exist_ok=True)
    shop.write(_INTERFACE, '#if DEBUG\nfunc a() {}\n#error("No.")\n#elseif os(A) || os(B)\nfunc a() {}\n#endif\n')
    assert shop.findings() == []


# A finding, and the change that causes it: a file, the text that is replaced, and the new text.
CHANGES = [
    (("implementation-public", _MODULE, 1), _MODULE, "public struct", "struct"),
    (("interface-namespace", _BASKET, 4), _BASKET, "{}", "{\n    /// A.\n    public struct A {}\n}"),
    (("route-handler", _CHECKOUT, 5), "routes.json", (SHOP / "routes.json").read_text(), "[]"),
    (("route-handler", "Package.swift", 1), "routes.json", "[]", "sorry"),
]


def test_missing_part_is_found(shop: Shop) -> None:
    for place, path, old, new in CHANGES:
        shop.replace(path, old, new)
        assert place in places(shop.findings())


def test_target_without_a_kind_is_found_in_the_manifest(shop: Shop) -> None:
    shop.write("Helpers/Helper.swift", "struct Helper {}\n")
    settings = package_of(shop.folder).targets[0].settings
    helpers = Target("Helpers", "library", Path("Helpers"), settings=settings)
    assert places(shop.findings(targets=[helpers])) == [("target-kind", "Package.swift", 1)]


def test_composition_root_without_a_file_of_its_own_imports_anywhere_what_it_may(shop: Shop) -> None:
    shop.write("App/Planted.swift", "import PriceImplementation\n")
    known = shop_config()
    first, *others = known.targets
    free = replace(known, targets=(replace(first, composition_file=None), *others))
    assert shop.findings(config=free) == []
    forbidden = replace(known, targets=(replace(first, may_import=("interface",)), *others))
    assert {rule for rule, _, _ in places(shop.findings(config=forbidden))} == {"edge", "import"}


def test_finding_behind_a_linked_folder_is_reported_in_the_file_itself(shop: Shop) -> None:
    (shop.folder / "Modules/Basket/Implementation").rename(shop.folder / "Shared")
    (shop.folder / "Modules/Basket/Implementation").symlink_to("../../Shared")
    shop.write("Shared/Planted.swift", "import PriceImplementation\n")
    package = package_of(shop.folder)
    sources = tuple(sorted(package.targets[1].folder / file.name for file in (shop.folder / "Shared").iterdir()))
    package = changed_target(package, "BasketImplementation", sources=sources)
    assert places(shop.findings(package=package)) == [("import", "Shared/Planted.swift", 1)]


def test_source_that_is_a_link_into_another_implementation_is_found(shop: Shop) -> None:
    linked = shop.folder / "Modules/Basket/Implementation/PriceModule.swift"
    linked.symlink_to("../../Price/Implementation/PriceModule.swift")
    (found,) = (each for each in shop.findings() if each.rule == "linked-source")
    assert places([found]) == [("linked-source", "Modules/Price/Implementation/PriceModule.swift", 1)]
    assert found.message.startswith(
        "BasketImplementation compiles this source of PriceImplementation too, through the link "
        "Modules/Basket/Implementation/PriceModule.swift"
    )
    assert found.fix.startswith("Remove the link. Use PriceInterface instead")


def test_unused_edge_is_found_and_an_interface_that_is_reached_must_be_named(shop: Shop) -> None:
    assert shop.findings(edges={"PriceTests": ("BasketTesting", "BasketInterface")}) == []
    (found,) = shop.findings(edges={"PriceTests": ("BasketTesting",)})
    assert places([found]) == [("named-interface", "Package.swift", 15)]
    assert found.message.startswith("PriceTests reaches BasketInterface through BasketTesting without naming it;")
    # BasketTesting is imported and needs BasketInterface, which therefore is to be named.
    assert shop.findings(edges={"BasketImplementation": ("BasketInterface",)}) == []
    shop.write("Modules/Price/Implementation/PriceModule.swift", "/// A.\npublic struct PriceModule {}\n")
    assert places(shop.findings()) == [("unused-edge", "Package.swift", 12)]
    # What it brings into the program besides code is not imported.
    with_resources = changed_target(package_of(shop.folder), "", resources=(Resource(Path("words.txt"), {}),))
    assert shop.findings(package=with_resources) == []


def test_modules_that_use_one_another_are_found_once(shop: Shop) -> None:
    shop.write("Modules/Price/Implementation/Planted.swift", "import BasketInterface\n")
    edges = {"PriceImplementation": ("BasketInterface",), "PriceTests": ("BasketInterface",)}
    (found,) = shop.findings(edges=edges)
    assert (found.rule, found.path.as_posix(), found.line) == ("mutual-use", "Package.swift", 8)
    assert found.message.startswith(
        "the modules Basket → Price → Basket use one another: BasketImplementation depends on PriceInterface, "
        "PriceImplementation depends on BasketInterface."
    )


def test_target_over_its_budget_is_found_with_what_a_cache_rebuilds(shop: Shop) -> None:
    # No code, and a target that reaches the interface through another one only.
    shop.append(_BASKET, "\n// A comment.\n/* Of two\n   lines. */\n")
    package = package_of(shop.folder, {"RouterServiceTests": ("BasketTesting",)})
    (found,) = (
        each
        for lines in (12, 11)
        for each in shop.findings(package=package, config=replace(shop_config(), budgets={"BasketInterface": lines}))
        if each.rule == "interface-budget"
    )
    assert places([found]) == [("interface-budget", "Package.swift", 9)]
    assert found.message == (
        "BasketInterface has 12 lines of code, and its budget is 11. After an edit in it, a cache of targets rebuilds "
        "6 targets with 9 files."
    )


def test_budget_of_no_target_is_a_usage_error(shop: Shop) -> None:
    with pytest.raises(UsageError, match=r"\[budgets\]: no target in Swift is called 'Basket'\. Choose from: App, Bas"):
        shop.findings(config=replace(shop_config(), budgets={"Basket": 11}))


def test_target_in_c_is_an_edge_and_a_plugin_is_not(shop: Shop) -> None:
    shop.append(_BASKET, "\nimport CLib\n")
    others = (Target("CLib", "clang", Path("C")), Target("Maker", "plugin", Path("Plugins")))
    package = replace(package_of(shop.folder, {"BasketInterface": ("CLib", "Maker")}), others=others)
    assert places(shop.findings(package=package)) == [("import", _BASKET, 4), ("edge", "Package.swift", 9)]


def test_findings_in_the_manifest_are_on_the_line_of_the_target_in_the_one_that_swiftpm_reads(shop: Shop) -> None:
    product = '    products: [.library(name: "PriceInterface", targets: ["PriceInterface"])],\n    targets: ['
    shop.replace("Package.swift", "    targets: [", product)
    edges = {"PriceInterface": ("BasketInterface",), "PriceImplementation": ("BasketImplementation",)}
    assert ("edge", "Package.swift", 14) in places(shop.findings(edges=edges))
    newer = Path("Package@swift-6.2.swift")
    shop.write(str(newer), "// swift-tools-version: 6.2\n\n" + (SHOP / "Package.swift").read_text())
    package = replace(package_of(shop.folder, {"PriceImplementation": ("BasketImplementation",)}), manifest=newer)
    found = [each for each in shop.findings(package=package) if each.rule == "edge"]
    assert places(found) == [("edge", "Package@swift-6.2.swift", 14)]


def found_in(shop: Shop, sources: Mapping[str, str], **fields: Mapping[str, object]) -> list[Finding]:
    """What the rules find in a package of such sources, without a configuration, and with such fields of targets."""
    targets = []
    for path, text in sources.items():
        shop.write(path, text)
    for name in dict.fromkeys(path.partition("/")[0] for path in sources):
        paths = tuple(Path(path) for path in sources if path.startswith(f"{name}/"))
        own = {field: values[name] for field, values in fields.items() if name in values}
        targets.append(Target(name, "test" if name.endswith("UnitTests") else "library", Path(name), paths, **own))  # type: ignore[arg-type]
    return shop.findings(package=Package("Plain", "6.0", targets=tuple(targets)), config=Config())


def test_package_without_interfaces_is_checked(shop: Shop) -> None:
    sources = {
        "Base/Base.swift": "public struct Base {}\n",
        "Kit/Kit.swift": "import Base\n\n/// A kit.\npublic struct Kit {}\n",
        "KitUnitTests/KitUnitTests.swift": "@testable import Kit\n@testable import Base\n",
    }
    assert places(found_in(shop, sources, dependencies={"KitUnitTests": ("Kit",)})) == [
        ("undeclared-import", "Kit/Kit.swift", 1),
        ("undeclared-import", "KitUnitTests/KitUnitTests.swift", 2),
    ]


def test_import_that_a_dependency_brings_in_is_one_finding_with_its_edge(shop: Shop) -> None:
    texts = {
        "Base": "",
        "Words": "",
        "Kit": "import Base\nimport Words\n",
        "Support": "import Words\nimport Base\n",
        "Tests": "import Base\nimport Support\n",
    }
    sources = {f"{name}/{file}.swift": text for name, text in texts.items() for file in ("Other", name)}
    dependencies = {"Kit": ("Base", "Words"), "Support": ("Kit",), "Tests": ("Support",)}
    kit, tests = found_in(shop, sources, dependencies=dependencies)
    assert places([kit, tests]) == [
        ("undeclared-import", "Support/Other.swift", 1),
        ("undeclared-import", "Tests/Other.swift", 1),
    ]
    assert kit.message.startswith("Support imports Words, Base, which it reaches only through Kit: it stops building")
    assert kit.fix.endswith("dependencies of Support in the manifest in place of Kit, which it does not import.")
    assert tests.fix == "Add Base to the dependencies of Tests in the manifest."


def test_import_of_a_product_that_only_another_target_names_is_found(shop: Shop) -> None:
    sources = {"Mid/Mid.swift": "import DepInner\n", "Whole/Whole.swift": "import DepInner\n"}
    products = {"Mid": (("DepInner", "dep"),), "Whole": (("DepAll", "dep"),)}
    through = {**sources, "Top/Top.swift": "import Mid\nimport DepInner\n"}
    (found,) = found_in(shop, through, products=products, dependencies={"Top": ("Mid",)})
    assert places([found]) == [("undeclared-import", "Top/Top.swift", 2)]
    assert found.message.startswith("Top imports DepInner, which it reaches only through Mid: it stops building")
    # Without that path, it is found to build by chance.
    (found,) = found_in(shop, {**sources, "Top/Top.swift": "import DepInner\n"}, products=products)
    assert found.message == "Top imports DepInner without depending on it, so it builds only by chance."


def test_import_everywhere_of_what_is_a_dependency_on_some_platforms_is_found(shop: Shop) -> None:
    kit = "import Base\n#if canImport(Base)\nimport Base\n#endif\nimport Far\n"
    found = found_in(
        shop,
        {"Base/Base.swift": "", "Kit/Kit.swift": kit},
        dependencies={"Kit": ("Base",)},
        products={"Kit": (("Far", "far"),)},
        platforms={"Kit": {"Base": ("macos", "ios"), "Far": ("macos",)}},
    )
    assert places(found) == [("undeclared-import", "Kit/Kit.swift", 1), ("undeclared-import", "Kit/Kit.swift", 5)]
    assert "depends on it on macos, ios only" in found[0].message
    assert found[0].fix.startswith("Put the import into '#if canImport(Base)'")


def test_undeclared_import_under_a_flag_of_another_build_is_left_alone(shop: Shop) -> None:
    text = "#if {}\nimport BasketTesting\n#else\nimport RouterServiceTesting\n#endif\n"
    for flag, lines in {"SINGLE_MODULE": [4], "DEBUG": [2, 4], "os(macOS)": [2, 4]}.items():
        shop.write("Tests/RouterServiceTests/Planted.swift", text.format(flag))
        found = shop.findings(edges={"RouterServiceTests": ("RouterServiceTesting",)})
        assert [each.line for each in found] == [line for line in lines if line != 4]
