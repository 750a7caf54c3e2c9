"""The kinds of edits: where each is made in a module."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from swiftmodules.steps.placement import (
    Insertion,
    Located,
    NoPlaceError,
    Placement,
    Site,
    blocks,
    function_in,
    importing_files,
    is_used,
    largest_type,
    member,
    mentions,
    places,
)
from swiftmodules.swiftpm.reader import Declaration, SourceFile

_CODED = ("Codable", "Decodable", "Encodable")
# A constant with a value is not a parameter of a memberwise initialiser, so all calls of it still compile.
_CONSTANT = "let edit{n} = {n}"
_STATEMENT = '_ = "edit {n}"'
_TYPE = "public struct Edit{n} {}"
# Every type can have one, also a protocol, in which no type can be nested.
_FUNCTION = "public func edit{n}() -> Int { {n} }"
# A name that is not called, and not that of a declaration or a parameter.
_VALUE = re.compile(rb"(?<!let |var |ase |unc )\b([^\W\d]\w*)\b(?!\s*[({<]|:)")


def _edited_function(site: Site) -> Located:
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

    def is_method(place: Located) -> bool:
        return place.declaration.accepts_statement and bool(place.owners)

    choices: tuple[Callable[[Located], bool], ...] = (
        lambda place: is_method(place) and place.owners[0].name.partition(".")[0] not in entries,
        is_method,
        lambda place: place.declaration.accepts_statement,
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


def body(site: Site) -> Placement:
    return _statement(site, _edited_function(site))


def private_top(site: Site) -> Placement:
    return _top_level_function(site, "a private", "private ")


def internal_top(site: Site) -> Placement:
    # Without the keyword `internal`, which is the default.
    return _top_level_function(site, "an internal", "")


def public_top(site: Site) -> Placement:
    return _top_level_function(site, "a public", "public ")


def member_of_type(site: Site) -> Placement:
    types = site.types(site.implementation)
    for kind in ("class", "struct"):
        found = _largest([each for each in types if _kind(each) == kind])
        if found:
            text = "private func edit{n}() -> Int { {n} }"
            return site.insert_member(f"a private method in the {kind}", found, text)
    raise NoPlaceError(f"{site.implementation.name} has no class or struct to which a method could be added.")


def stored_property(site: Site) -> Placement:
    types = [each for each in site.types(site.implementation) if _kind(each) in ("class", "struct")]
    # Decoding takes no notice of a constant that has a value, about which the compiler warns.
    found = _largest([each for each in types if not each.declaration.inherits_any(_CODED)])
    if found is None:
        raise NoPlaceError(f"{site.implementation.name} has no class or struct that could store a property.")
    return site.insert_member(f"a constant with a value in the {_kind(found)}", found, _CONSTANT)


def signature(site: Site) -> Placement:
    """A parameter with a default value, so that all calls still compile: in a function that no protocol, subclass or
    attribute may require as it is, and rather in one whose name is nowhere that of a value."""
    target = site.implementation
    own = site.files(target)
    users = [file for file in site.sources.values() if target.imported_as in {each.module for each in file.imports}]
    known = [place for file in (*own, *users) for place in places(file)]
    paths = Counter(each.path for each in known)
    kept = {_name(each.declaration) for each in known if each.declaration.is_block and each.declaration.inherits}
    kept |= {each.declaration.name for each in known if "override" in each.declaration.modifiers}
    values = {name for file in (*own, *users) for name in _VALUE.findall(file.mask)}
    found = [
        place
        for file in own
        for place in places(file)
        if _may_grow(place)
        and paths[place.path] == 1
        and kept.isdisjoint(map(_name, (place.declaration, *place.owners)))
    ]
    if not found:
        raise NoPlaceError(
            f"{site.implementation.name} has no function that other files see, and of which nothing may require that "
            "its parameters are as they are."
        )
    mentioned = Counter(name for file in own for name in set(re.findall(rb"\w+", file.mask)))

    def order(place: Located) -> tuple[bool, int]:
        name = place.declaration.name.encode()
        return name not in values, mentioned[name]

    chosen = max(found, key=order)
    end = chosen.declaration.parameters_end
    assert end is not None
    text = f"{', ' if chosen.declaration.labels else ''}edit{{n}}: Int = {{n}}"
    description = f"a parameter with a default of `{chosen.path}` in {chosen.file.path}"
    return site.insert(description, chosen.file, Insertion(end, text))


def _may_grow(place: Located) -> bool:
    function = place.declaration
    is_seen = function.access not in ("private", "fileprivate")
    is_plain = function.name.isidentifier() and function.name != "main" and not function.attributes
    return function.kind == "func" and function.has_body and is_seen and is_plain


def _name(declaration: Declaration) -> str:
    return declaration.name.rpartition(".")[2]


def new_file(site: Site) -> Placement:
    file = _edited_file(site)
    text = "/// Edit {n}.\nstruct Edit{n} {\n    let number = {n}\n}\n"
    return site.add(f"a file with an internal struct beside {file.path}", file, text)


def statement_at_the_top(site: Site, main: SourceFile) -> Placement:
    """A statement in the top-level code of a `main.swift`."""
    # Imports may come later; only `#!` must come first.
    offset = main.text.find(b"\n") + 1 if main.text.startswith(b"#!") else 0
    return site.insert(f"a statement at the top of {main.path}", main, Insertion(offset, f"{_STATEMENT}\n"))


def _first(function: Located, text: str) -> Insertion:
    """A line at the start of a body."""
    assert function.declaration.body_start is not None
    return Insertion(function.declaration.body_start, f"\n        {text}\n")


def _statement(site: Site, function: Located) -> Placement:
    parts = [_first(function, _STATEMENT)]
    if function.declaration.single_expression is not None:
        # It is returned without the word only where it stands alone.
        parts.append(Insertion(function.declaration.single_expression, "return "))
    return site.insert(f"a statement in `{function.path}` in {function.file.path}", function.file, *parts)


def _top_level_function(site: Site, what: str, modifier: str) -> Placement:
    return site.append(f"{what} function", _edited_file(site), f"{modifier}func edit{{n}}() -> Int {{ {{n}} }}")


def _largest(types: Sequence[Located]) -> Located | None:
    """The largest type that is not public, or the largest one."""
    return largest_type(types, lambda place: not place.declaration.is_public) or largest_type(types, lambda _: True)


def _kind(place: Located) -> str:
    return "class" if place.declaration.kind == "actor" else place.declaration.kind


def interface(site: Site) -> Placement:
    """Adds to the API where a developer would: at the end of the block or public type that has the most members; where
    others use neither, at the top level of the file whose public declarations the most files use."""
    users = importing_files(site.module, site.package, site.sources.values()) if site.module else []
    if found := _used_block(site, users):
        name = found.declaration.name
        noun, text = ("struct", _TYPE) if name in _namespaces(site) else ("function", _FUNCTION)
        where = f"`extension {name}` block" if found.declaration.kind == "extension" else f"type `{found.path}`"
        description = f"a public {noun} at the end of the {where} in {found.file.path}"
        return site.insert(description, found.file, member(found, text))

    def users_of(file: SourceFile) -> int:
        names = {each.name for each in file.declarations if each.is_public and each.kind != "extension"}
        return sum(mentions(user, names) for user in users)

    file = max(site.files(site.interface), key=users_of)
    if not users_of(file):
        raise NoPlaceError(f"{site.interface.name} has no public declaration that other targets use.")
    return site.append("a public function", file, _FUNCTION)


def _used_block(site: Site, users: Sequence[SourceFile]) -> Located | None:
    """The largest block that others use: of namespaces, of other public types, or where there is none of these a public
    type itself, as far as a member can be added to it."""
    used = [each for file in site.files(site.interface) for each in blocks(file) if is_used(each, users)]
    public = _public_types(site)
    types = [each for each in public if each.declaration.kind != "protocol" and _is_mentioned(each, users)]
    found = (
        [block for block in used if block.declaration.name in _namespaces(site)]
        or [block for block in used if block.declaration.name in {each.path for each in public}]
        or types
    )
    return max(found, key=lambda place: (len(place.members), place.end - place.declaration.name_start), default=None)


def _is_mentioned(type: Located, users: Iterable[SourceFile]) -> bool:
    return any(mentions(user, [type.declaration.name]) for user in users)


def _public_types(site: Site) -> list[Located]:
    return [each for each in site.types(site.interface) if each.declaration.is_public]


def _namespaces(site: Site) -> set[str]:
    return {each.declaration.name for each in _public_types(site) if each.declaration.is_namespace and not each.owners}
