"""Where the edits go, and that they leave no trace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import Parser, Subject

from buildspeed.conventions import ModuleTargets, application_of, modules_of
from buildspeed.edits import MODULE_EDITS, Placement, place, place_in_application
from buildspeed.failures import MeasurementError
from buildspeed.layouts import LAYOUTS, make_layout
from buildspeed.package_graph import Target
from buildspeed.rewriting import rewrite
from buildspeed.swift_source import SourceFile
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace


def placed(subject: Subject, edit: str, module: str) -> Placement:
    return place(edit, modules_of(subject.package)[module], list(subject.sources.values()))


def edited(sources: Mapping[Path, SourceFile], placement: Placement) -> str:
    return rewrite(sources[placement.file].text, [placement.numbered(7)]).decode()


def test_body_goes_to_a_method_of_an_internal_type_and_not_to_the_module_entry(tiny_subject: Subject) -> None:
    placement = placed(tiny_subject, "body", "Store")
    assert placement.file == Path("Store/Implementation/MemoryReader.swift")
    assert placement.description.startswith("a statement in `MemoryReader.entry`")
    assert 'Store.Entry? {\n        _ = "edit 7"\n\n        guard' in edited(tiny_subject.sources, placement)


@pytest.mark.parametrize("access", ["private", "public"])
def test_top_level_function_goes_to_the_end_of_the_same_file(tiny_subject: Subject, access: str) -> None:
    placement = placed(tiny_subject, access, "Store")
    assert placement.file == placed(tiny_subject, "body", "Store").file
    assert edited(tiny_subject.sources, placement).endswith(f"}}\n\n{access} func edit7() -> Int {{ 7 }}\n")


def test_interface_goes_to_the_end_of_the_largest_block_of_the_namespace(tiny_subject: Subject) -> None:
    placement = placed(tiny_subject, "interface", "Store")
    assert placement.file == Path("Store/Interface/Reading.swift")
    assert edited(tiny_subject.sources, placement).endswith("    }\n\n    public struct Edit7 {}\n}\n")


def test_interface_without_a_namespace_gets_a_top_level_type(parse: Parser) -> None:
    module, sources = one_module(parse, interface="public protocol P {}", implementation="")
    placement = place("interface", module, sources)
    assert "no namespace" in placement.description
    assert (
        edited({each.path: each for each in sources}, placement) == "public protocol P {}\n\npublic struct Edit7 {}\n"
    )


def test_app_goes_to_a_function_of_the_executable(tiny_subject: Subject) -> None:
    application = application_of(tiny_subject.package)
    assert application is not None
    placement = place_in_application(application, list(tiny_subject.sources.values()))
    assert placement.description == "a statement in `makeTeller` in App/Support.swift"


def test_app_without_functions_is_edited_at_the_top_of_main(parse: Parser) -> None:
    main = parse("#!/usr/bin/env swift\nprint(1)\n", "main.swift")
    placement = place_in_application(target("App", main), [main])
    assert edited({main.path: main}, placement) == '#!/usr/bin/env swift\n_ = "edit 7"\nprint(1)\n'


def test_module_entry_is_edited_where_there_is_nothing_else(parse: Parser) -> None:
    module, sources = one_module(parse, "", "public struct Entry { public func register() { print() } }")
    assert "`Entry.register`" in place("body", module, sources).description


def test_module_without_a_body_is_refused_with_a_way_out(parse: Parser) -> None:
    module, sources = one_module(parse, "", "public struct Entry { public func register() {} }")
    with pytest.raises(MeasurementError, match=r"XImplementation has no function .* --modules"):
        place("body", module, sources)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("edit", MODULE_EDITS)
def test_undoing_restores_every_layout_to_the_byte_and_repeating_changes_it_again(
    tiny_subject: Subject, toolchain: Toolchain, tmp_path: Path, layout: str, edit: str
) -> None:
    generated = make_layout(layout, tiny_subject.package, tiny_subject.sources)
    workspace = Workspace(generated, tmp_path / layout, toolchain)
    placement = placed(tiny_subject, edit, "Store")
    file = workspace.package / generated.files[placement.file].path
    before = file.read_bytes()
    workspace.apply(placement, 1)
    first = file.read_bytes()
    workspace.undo(placement)
    assert file.read_bytes() == before
    workspace.apply(placement, 2)
    assert len({before, first, file.read_bytes()}) == 3


def one_module(parse: Parser, interface: str, implementation: str) -> tuple[ModuleTargets, list[SourceFile]]:
    api, code = parse(interface, "API.swift"), parse(implementation, "Code.swift")
    return ModuleTargets("X", target("XInterface", api), target("XImplementation", code), ()), [api, code]


def target(name: str, file: SourceFile) -> Target:
    return Target(name, False, Path(), (file.path,), (), ())
