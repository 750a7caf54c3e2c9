"""Edits in the files of an implementation, of the program, of the tests, and in the manifest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from swiftmodules.edits.placement import Insertion, NoPlaceError, Placement
from swiftmodules.edits.site import Place, Site, function_in, largest_type
from swiftmodules.swiftpm.modules import application_of
from swiftmodules.swiftpm.reader import SourceFile

CODED = ("Codable", "Decodable", "Encodable")
# A constant with a value is not a parameter of a memberwise initialiser, so all calls of it still compile.
CONSTANT = "let edit{n} = {n}"
_STATEMENT = '_ = "edit {n}"'


def _accepts(place: Place) -> bool:
    return place.declaration.accepts_statement


def _edited_function(site: Site) -> Place:
    """A method of an internal type, in the file that has the most of them.

    A method of the public module entry, or a free function, where the implementation has nothing else; and where it has
    no body that accepts a statement, one that is a single expression.
    """
    files = site.files(site.implementation)
    entries = {
        each.declaration.name
        for each in site.types(site.implementation)
        if not each.owners and each.declaration.is_public
    }

    def is_method(place: Place) -> bool:
        return place.declaration.accepts_statement and bool(place.owners)

    choices: tuple[Callable[[Place], bool], ...] = (
        lambda place: is_method(place) and place.owners[0].name.partition(".")[0] not in entries,
        is_method,
        _accepts,
        lambda place: place.declaration.single_expression is not None,
    )
    found = next(filter(None, (function_in(files, fits) for fits in choices)), None)
    if found is None:
        raise NoPlaceError(
            f"{site.implementation.name} has no function into whose body a statement could be put: its bodies are "
            "empty."
        )
    return found


def _edited_file(site: Site) -> SourceFile:
    """The file of that function, or the largest file where no body can be edited."""
    try:
        return _edited_function(site).file
    except NoPlaceError:
        return max(site.files(site.implementation), key=lambda file: len(file.text))


def touch(site: Site) -> Placement:
    file = _edited_file(site)
    return site.placement(f"the time of {file.path}", file)


def comment(site: Site) -> Placement:
    found = _edited_function(site)
    description = f"a comment in `{found.path}` in {found.file.path}"
    return site.insert(description, found.file, _first(found, "// Edit {n}."))


def body(site: Site) -> Placement:
    return _statement(site, _edited_function(site))


def private_top(site: Site) -> Placement:
    return _top_level_function(site, "a private", "private ")


def internal_top(site: Site) -> Placement:
    # Without the keyword `internal`, which is the default.
    return _top_level_function(site, "an internal", "")


def public_top(site: Site) -> Placement:
    return _top_level_function(site, "a public", "public ")


def private_member(site: Site) -> Placement:
    types = site.types(site.implementation)
    for kind in ("class", "struct"):
        found = _largest([each for each in types if _kind(each) == kind])
        if found:
            text = "private func edit{n}() -> Int { {n} }"
            return site.insert_member(f"a private method in the {kind}", found, text, changes_type=False)
    raise NoPlaceError(f"{site.implementation.name} has no class or struct to which a method could be added.")


def stored_property(site: Site) -> Placement:
    types = [each for each in site.types(site.implementation) if _kind(each) in ("class", "struct")]
    # Decoding takes no notice of a constant that has a value, about which the compiler warns.
    found = _largest([each for each in types if not each.declaration.inherits_any(CODED)])
    if found is None:
        raise NoPlaceError(f"{site.implementation.name} has no class or struct that could store a property.")
    return site.insert_member(f"a constant with a value in the {_kind(found)}", found, CONSTANT)


def new_file(site: Site) -> Placement:
    file = _edited_file(site)
    text = "/// Edit {n}.\nstruct Edit{n} {\n    let number = {n}\n}\n"
    return site.placement(f"a file with an internal struct beside {file.path}", file, added=text)


def app_body(site: Site) -> Placement:
    """In a function, or in the top-level code where the executable has none."""
    application = application_of(site.package)
    if application is None:
        raise NoPlaceError("the package has not exactly one executable target.")
    site = replace(site, module=None)
    files = site.files(application)
    found = function_in(files, _accepts)
    if found is not None:
        return _statement(site, found)
    main = next((file for file in files if file.path.name == "main.swift"), None)
    if main is None:
        raise NoPlaceError(f"{application.name} has no function whose body could be edited, and no main.swift.")
    return statement_at_the_top(site, main)


def statement_at_the_top(site: Site, main: SourceFile) -> Placement:
    """A statement in the top-level code of a `main.swift`."""
    # Imports may come later; only `#!` must come first.
    offset = main.text.find(b"\n") + 1 if main.text.startswith(b"#!") else 0
    return site.insert(f"a statement at the top of {main.path}", main, Insertion(offset, f"{_STATEMENT}\n"))


def test_body(site: Site) -> Placement:
    own, name = (site.module.tests, site.module.name) if site.module else ((), None)
    named = [each for each in site.package.tests if each.name == f"{name}Tests"]
    tests = next(iter((*own, *named)), None)
    if tests is None or not site.package.tests:
        raise NoPlaceError(f"the package has no test target {name}Tests.")
    found = function_in(site.files(tests), _accepts)
    if found is None:
        raise NoPlaceError(f"{tests.name} has no function whose body could be edited.")
    return _statement(site, found)


def manifest_touch(site: Site) -> Placement:
    return replace(site, module=None).placement("the time of Package.swift", None)


def _first(function: Place, text: str) -> Insertion:
    """A line at the start of a body."""
    assert function.declaration.body_start is not None
    return Insertion(function.declaration.body_start, f"\n        {text}\n")


def _statement(site: Site, function: Place) -> Placement:
    parts = [_first(function, _STATEMENT)]
    if function.declaration.single_expression is not None:
        # It is returned without the word only where it stands alone.
        parts.append(Insertion(function.declaration.single_expression, "return "))
    return site.insert(f"a statement in `{function.path}` in {function.file.path}", function.file, *parts)


def _top_level_function(site: Site, what: str, modifier: str) -> Placement:
    return site.append(f"{what} function", _edited_file(site), f"{modifier}func edit{{n}}() -> Int {{ {{n}} }}")


def _largest(types: Sequence[Place]) -> Place | None:
    """The largest type that is not public, or the largest one."""
    return largest_type(types, lambda place: not place.declaration.is_public) or largest_type(types, lambda _: True)


def _kind(place: Place) -> str:
    return "class" if place.declaration.kind == "actor" else place.declaration.kind
