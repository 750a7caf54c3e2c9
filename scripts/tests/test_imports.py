"""Rewriting imports for a layout."""

from __future__ import annotations

from conftest import Parser

from buildspeed.imports import import_replacements, qualification_replacements
from buildspeed.rewriting import rewrite

RENAMED = {
    "AInterface": "AFused",
    "AImplementation": "AFused",
    "BInterface": "BFused",
    "BImplementation": "BFused",
}


def rewritten(parse: Parser, code: str, own: str = "BFused", default: str = "internal") -> str:
    file = parse(code)
    return rewrite(file.text, import_replacements(file, own, RENAMED, default)).decode()


def test_import_of_a_merged_module_is_renamed_with_its_attributes(parse: Parser) -> None:
    code = "@preconcurrency public import AInterface // why\nimport struct AInterface.Thing\n"
    assert rewritten(parse, code) == code.replace("AInterface", "AFused")


def test_import_of_the_own_target_goes_and_its_line_stays(parse: Parser) -> None:
    assert rewritten(parse, "public import BInterface\nimport Other\nlet a = 1\n") == "\nimport Other\nlet a = 1\n"


def test_import_of_the_own_target_before_a_semicolon_goes_with_it(parse: Parser) -> None:
    assert rewritten(parse, "import BInterface; import Other\n") == " import Other\n"


def test_attribute_on_the_line_above_goes_with_its_import(parse: Parser) -> None:
    assert rewritten(parse, "@preconcurrency\nimport BInterface\nlet a = 1\n") == "\nlet a = 1\n"


def test_of_imports_that_come_to_mean_the_same_the_widest_stays(parse: Parser) -> None:
    code = "import AImplementation\npublic import AInterface\nprivate import AInterface\n"
    assert rewritten(parse, code) == "\npublic import AFused\n\n"


def test_import_without_an_access_level_is_as_wide_as_the_target_says(parse: Parser) -> None:
    code = "import AImplementation\npackage import AInterface\n"
    assert rewritten(parse, code, default="internal") == "\npackage import AFused\n"
    assert rewritten(parse, code, default="public") == "import AFused\n\n"


def test_names_qualified_with_a_merged_module_follow_it(parse: Parser) -> None:
    file = parse("import struct AInterface.Thing\nlet a: AInterface.Thing? = nil\nlet b = MyAInterface.c(AInterface)\n")
    changed = rewrite(file.text, qualification_replacements(file, RENAMED)).decode()
    assert changed == file.text.decode().replace(": AInterface.", ": AFused.")


def test_other_imports_stay_also_twice(parse: Parser) -> None:
    code = "import Foundation\npublic import Foundation\n"
    assert rewritten(parse, code) == code


def test_of_a_merged_interface_and_implementation_a_test_keeps_the_import_that_sees_what_is_internal(
    parse: Parser,
) -> None:
    code = "import AInterface\nimport Testing\n\n@testable import AImplementation\n"
    assert rewritten(parse, code, own="ATests") == "\nimport Testing\n\n@testable import AFused\n"
