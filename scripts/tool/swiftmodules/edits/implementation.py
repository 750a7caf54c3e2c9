"""Edits in the files of an implementation, of the program, of the tests, and in the manifest."""

from __future__ import annotations

from dataclasses import replace

from swiftmodules.edits.placement import Insertion, NoPlaceError, Placement
from swiftmodules.edits.site import STATEMENT, Place, Site, after_last_line, function_in, largest_type, places
from swiftmodules.edits.uses import Program, ends_with_comma
from swiftmodules.swiftpm.modules import application_of
from swiftmodules.swiftpm.syntax import SourceFile

CODED = ("Codable", "Decodable", "Encodable")
_COMMENT = "\n        // Edit {n}.\n"


def _accepts(place: Place) -> bool:
    return place.declaration.accepts_statement


def _is_expression(place: Place) -> bool:
    return place.declaration.single_expression is not None


def edited_function(site: Site) -> Place:
    """A method of an internal type, in the file that has the most of them.

    A method of the public module entry, or a free function, where the implementation has nothing else; and where it has
    no body that accepts a statement, one that is a single expression.
    """
    files = site.files(site.implementation)
    entries = {each.declaration.name for each in site.types(site.implementation) if not each.owners and is_public(each)}

    def is_method(place: Place) -> bool:
        return _accepts(place) and bool(place.owners)

    found = function_in(files, lambda place: is_method(place) and place.owners[0].name.partition(".")[0] not in entries)
    found = found or function_in(files, is_method) or function_in(files, _accepts) or function_in(files, _is_expression)
    if found is None:
        raise NoPlaceError(
            f"{site.implementation.name} has no function into whose body a statement could be put: its bodies are "
            "empty."
        )
    return found


def edited_file(site: Site) -> SourceFile:
    """The file of that function, or the largest file where no body can be edited."""
    try:
        return edited_function(site).file
    except NoPlaceError:
        return max(site.files(site.implementation), key=lambda file: len(file.text))


def is_public(place: Place) -> bool:
    return place.declaration.is_public


def touch(site: Site) -> Placement:
    file = edited_file(site)
    return Placement("touch", site.module_name, f"the time of {file.path}", file.path)


def comment(site: Site) -> Placement:
    return _in_body("comment", "comment", _COMMENT, edited_function(site), site)


def body(site: Site) -> Placement:
    return _in_body("body", "statement", STATEMENT, edited_function(site), site)


def private_top(site: Site) -> Placement:
    return _top_level_function("private", site)


def internal_top(site: Site) -> Placement:
    return _top_level_function("internal", site)


def public_top(site: Site) -> Placement:
    return _top_level_function("public", site)


def private_member(site: Site) -> Placement:
    found = None
    for noun in ("class", "struct"):
        types = [each for each in site.types(site.implementation) if _noun(each) == noun]
        found = found or largest_type(types, lambda place: not is_public(place)) or largest_type(types, lambda _: True)
    if found is None:
        raise NoPlaceError(f"{site.implementation.name} has no class or struct to which a method could be added.")
    insertion = Insertion(found.end, "\n    private func edit{n}() -> Int { {n} }\n")
    description = f"a private method in the {_noun(found)} `{found.path}` in {found.file.path}"
    return site.insert("private-member", description, found.file, insertion)


def stored_property(site: Site) -> Placement:
    def can_store(place: Place) -> bool:
        # Decoding takes no notice of a constant that has a value, about which the compiler warns.
        return _noun(place) in ("class", "struct") and not place.declaration.inherits_any(CODED)

    types = site.types(site.implementation)
    found = largest_type(types, lambda place: can_store(place) and not is_public(place))
    found = found or largest_type(types, can_store)
    if found is None:
        raise NoPlaceError(f"{site.implementation.name} has no class or struct that could store a property.")
    # A constant with a value is no parameter of a memberwise initialiser, so whoever calls one still compiles.
    insertion = Insertion(found.end, "\n    let edit{n} = {n}\n")
    description = f"a constant with a value in the {_noun(found)} `{found.path}` in {found.file.path}"
    return site.insert("stored-property", description, found.file, insertion, at=found)


def signature(site: Site) -> Placement:
    program = Program(site.sources.values())
    eligible = [
        place
        for file in site.files(site.implementation)
        for place in places(file)
        # Requirements of protocols cannot have defaults.
        if place.declaration.parameters and not any(owner.kind == "protocol" for owner in place.owners)
        if place.declaration.kind in ("func", "init") and program.takes_another_parameter(place)
    ]
    if not eligible:
        raise NoPlaceError(
            f"{site.implementation.name} has no public function or initialiser that could take another parameter: "
            "they implement requirements of protocols, or are used as values."
        )
    found = next((place for place in eligible if place.declaration.kind == "func"), eligible[0])
    parameters, file = found.declaration.parameters, found.file
    assert parameters is not None
    comma = "" if parameters.is_empty or ends_with_comma(file.text[: parameters.end]) else ", "
    insertion = Insertion(parameters.end, comma + "edit{n}: Int = {n}")
    description = f"a parameter with a default for `{found.path}` in {file.path}"
    return site.insert("signature", description, file, insertion, at=found)


def new_file(site: Site) -> Placement:
    file = edited_file(site)
    text = "/// Edit {n}.\nstruct Edit{n} {\n    let number = {n}\n}\n"
    description = f"a file with an internal struct beside {file.path}"
    return Placement("new-file", site.module_name, description, file.path, added=text)


def app_body(site: Site) -> Placement:
    """In a function, or in the top-level code where the executable has none."""
    application = application_of(site.package)
    if application is None:
        raise NoPlaceError("the package has not exactly one executable target.")
    site = replace(site, module=None)
    files = site.files(application)
    found = function_in(files, _accepts)
    if found is not None:
        return _in_body("app-body", "statement", STATEMENT, found, site)
    main = next((file for file in files if file.path.name == "main.swift"), None)
    if main is None:
        raise NoPlaceError(f"{application.name} has no function whose body could be edited, and no main.swift.")
    return statement_at_the_top("app-body", main, site)


def statement_at_the_top(edit: str, main: SourceFile, site: Site) -> Placement:
    """A statement in the top-level code of a `main.swift`."""
    # Imports may come later; only `#!` must come first.
    offset = main.text.find(b"\n") + 1 if main.text.startswith(b"#!") else 0
    return site.insert(edit, f"a statement at the top of {main.path}", main, Insertion(offset, '_ = "edit {n}"\n'))


def test_body(site: Site) -> Placement:
    named = [each for each in site.package.tests if each.name == f"{site.module_name}Tests"]
    tests = next(iter((*(site.module.tests if site.module else ()), *named)), None)
    if tests is None or not site.package.tests:
        raise NoPlaceError(f"the package has no test target {site.module_name}Tests.")
    found = function_in(site.files(tests), _accepts)
    if found is None:
        raise NoPlaceError(f"{tests.name} has no function whose body could be edited.")
    return _in_body("test-body", "statement", STATEMENT, found, site)


def manifest_touch(site: Site) -> Placement:
    return Placement("manifest-touch", None, "the time of Package.swift", None)


def _in_body(edit: str, noun: str, text: str, found: Place, site: Site) -> Placement:
    start, expression = found.declaration.body_start, found.declaration.single_expression
    assert start is not None
    parts = [Insertion(start, text)]
    if text == STATEMENT and expression is not None:
        # It is returned without the word only where it stands alone.
        parts.append(Insertion(expression, "return "))
    return site.insert(edit, f"a {noun} in `{found.path}` in {found.file.path}", found.file, *parts)


def _top_level_function(access: str, site: Site) -> Placement:
    file = edited_file(site)
    # Nobody writes `internal`, which is the default.
    modifier = "" if access == "internal" else f"{access} "
    text = f"{after_last_line(file)}{modifier}func edit{{n}}() -> Int {{ {{n}} }}\n"
    article = "an" if access == "internal" else "a"
    description = f"{article} {access} function at the end of {file.path}"
    return site.insert(f"{access}-top", description, file, Insertion(len(file.text), text))


def _noun(place: Place) -> str:
    return "class" if place.declaration.kind == "actor" else place.declaration.kind
