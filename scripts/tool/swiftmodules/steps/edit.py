"""The kinds of edits: what each changes, and where it is made in a module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from swiftmodules.steps.placement import (
    Located,
    NoPlaceError,
    Placement,
    Replacement,
    Site,
    importing_files,
    last,
    mentions,
    places,
)
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile, Sources

_CODED = ("Codable", "Decodable", "Encodable")
# A constant with a value is not a parameter of a memberwise initialiser, so all calls of it still compile.
_CONSTANT = "let edit{n} = {n}"
_METHOD = "private func edit{n}() -> Int { {n} }"
_STATEMENT = '_ = "edit {n}"'
_TYPE = "public struct Edit{n} {}"
# Every type can have one, also a protocol, in which no type can be nested.
_FUNCTION = "public func edit{n}() -> Int { {n} }"

# An edit with the name of the module in which it is made; a commit has none.
Key = tuple[str, str | None]


@dataclass(frozen=True)
class Edit:
    """A kind of edit: what it changes, as a phrase for help and reports, and the function that finds its place in a
    module, or raises `NoPlaceError`."""

    changes: str
    place: Callable[[Site], Placement]


def place_all(
    edits: Iterable[str], package: Package, sources: Sources, modules: Mapping[str, Module]
) -> tuple[dict[Key, Placement], dict[Key, str]]:
    """Finds the places of several edits in several modules. Returns the placements, and for each edit that has no place
    in a module the reason why."""
    placements: dict[Key, Placement] = {}
    missing: dict[Key, str] = {}
    for edit in edits:
        for name, module in modules.items():
            try:
                placements[edit, name] = EDITS[edit].place(Site(package, sources, module))
            except NoPlaceError as reason:
                missing[edit, name] = str(reason)
    return placements, missing


def most_imported(package: Package, sources: Sources, modules: Mapping[str, Module]) -> str:
    """The name of the module that most files outside of it import, and of several the largest. A target that belongs to
    no module with an interface counts as one."""
    in_modules = {name for module in modules.values() for name in module.names}
    known = {each.name: Module.of(each) for each in package.code if each.name not in in_modules} | {**modules}

    def weight(name: str) -> tuple[int, int]:
        module = known[name]
        own = {path for target in module.targets for path in target.sources}
        users = importing_files(module, package, sources.values())
        return sum(file.path not in own for file in users), len(module.implementation.sources)

    return max(known, key=weight)


def _edited_function(site: Site) -> Located:
    """A method of an internal type, in the file that has the most of them.

    A method of the public module entry, or a free function, where the implementation has nothing else; and where it has
    no body that accepts a statement, one that is a single expression.
    """
    types = site.types(site.implementation)
    entries = {each.declaration.name for each in types if not each.owners and each.declaration.is_public}

    def is_method(place: Located) -> bool:
        return place.declaration.accepts_statement and bool(place.owners)

    choices: tuple[Callable[[Located], bool], ...] = (
        lambda place: is_method(place) and place.owners[0].name.partition(".")[0] not in entries,
        is_method,
        lambda place: place.declaration.accepts_statement,
        lambda place: place.declaration.single_expression is not None,
    )
    files = site.files(site.implementation)
    functions = [[each for each in places(file) if each.declaration.kind == "func"] for file in files]
    for fits in choices:
        if most := max((list(filter(fits, own)) for own in functions), key=len, default=[]):
            return most[0]
    raise NoPlaceError(
        f"{site.implementation.name} has no function into whose body a statement could be put: its bodies are empty."
    )


def _edited_file(site: Site) -> SourceFile:
    """The file of that function, or the largest file where no body can be edited."""
    try:
        return _edited_function(site).file
    except NoPlaceError:
        return max(site.files(site.implementation), key=lambda file: len(file.text))


def _body(site: Site) -> Placement:
    function = _edited_function(site)
    start, expression = function.declaration.body_start, function.declaration.single_expression
    assert start is not None
    parts = [Replacement.inserting(start, f"\n        {_STATEMENT}\n")]
    # The expression is returned without the word only where it stands alone.
    parts += [Replacement.inserting(expression, "return ")] if expression is not None else []
    return Placement(f"a statement in `{function.path}` in {function.file.path}", function.file.path, tuple(parts))


def _private_top(site: Site) -> Placement:
    return _at_the_end("a private function", _edited_file(site), _METHOD)


def _public_top(site: Site) -> Placement:
    return _at_the_end("a public function", _edited_file(site), _FUNCTION)


def _member(site: Site) -> Placement:
    for kind in ("class", "struct"):
        if found := _largest([each for each in site.types(site.implementation) if _kind(each) == kind]):
            return _inside(f"a private method in the {kind}", found, _METHOD)
    raise NoPlaceError(f"{site.implementation.name} has no class or struct to which a method could be added.")


def _stored_property(site: Site) -> Placement:
    types = [each for each in site.types(site.implementation) if _kind(each) in ("class", "struct")]
    # Decoding takes no notice of a constant that has a value, about which the compiler warns.
    found = _largest([each for each in types if not each.declaration.inherits_any(_CODED)])
    if found is None:
        raise NoPlaceError(f"{site.implementation.name} has no class or struct that could store a property.")
    return _inside(f"a constant with a value in the {_kind(found)}", found, _CONSTANT)


def _interface(site: Site) -> Placement:
    """Adds to the API where a developer would: at the end of the block or public type that has the most members; where
    others use neither, at the top level of the file whose public declarations the most files use."""
    users = importing_files(site.module, site.package, site.sources.values())
    if found := _used_block(site, users):
        name = found.declaration.name
        noun, text = ("struct", _TYPE) if name in _namespaces(site) else ("function", _FUNCTION)
        where = f"`extension {name}` block" if found.declaration.kind == "extension" else f"type `{found.path}`"
        insertion = Replacement.inserting(found.end, f"\n    {text}\n")
        description = f"a public {noun} at the end of the {where} in {found.file.path}"
        return Placement(description, found.file.path, (insertion,))

    def users_of(file: SourceFile) -> int:
        names = {each.name for each in file.declarations if each.is_public and each.kind != "extension"}
        return sum(mentions(user, names) for user in users)

    file = max(site.files(site.interface), key=users_of)
    if not users_of(file):
        raise NoPlaceError(f"{site.interface.name} has no public declaration that other targets use.")
    return _at_the_end("a public function", file, _FUNCTION)


def _used_block(site: Site, users: Sequence[SourceFile]) -> Located | None:
    """The largest block of a namespace that others use. Without such a block, the largest block of another public type;
    and without that, the largest public type to which a member can be added."""
    declared = [place for file in site.files(site.interface) for place in places(file)]
    # A constrained block does not hold for every case of its type.
    blocks = [each for each in declared if each.declaration.kind == "extension" and not each.declaration.is_constrained]
    used = [each for each in blocks if _is_used(each, users)]
    public = _public_types(site)
    found = (
        [block for block in used if block.declaration.name in _namespaces(site)]
        or [block for block in used if block.declaration.name in {each.path for each in public}]
        or [
            each
            for each in public
            if each.declaration.kind != "protocol" and any(mentions(user, [each.declaration.name]) for user in users)
        ]
    )
    return max(found, key=lambda place: (len(place.members), place.end - place.declaration.name_start), default=None)


def _is_used(block: Located, users: Iterable[SourceFile]) -> bool:
    """Whether a file mentions a type declared in the block, or a member where it declares no types."""
    names = {each.name for each in block.members if each.is_type}
    names = names or {declaration.name for declaration, _ in block.declaration.walk()}
    return any(mentions(file, names) for file in users)


def _public_types(site: Site) -> list[Located]:
    return [each for each in site.types(site.interface) if each.declaration.is_public]


def _namespaces(site: Site) -> set[str]:
    return {each.declaration.name for each in _public_types(site) if each.declaration.is_namespace and not each.owners}


def _largest(types: Sequence[Located]) -> Located | None:
    """The type with the most members that is not public, or else any."""
    return max(types, key=lambda each: (not each.declaration.is_public, len(each.members)), default=None)


def _kind(place: Located) -> str:
    return "class" if place.declaration.kind == "actor" else place.declaration.kind


def _inside(what: str, type: Located, text: str) -> Placement:
    insertion = Replacement.inserting(type.end, f"\n    {text}\n")
    return Placement(f"{what} `{type.path}` in {type.file.path}", type.file.path, (insertion,))


def _at_the_end(what: str, file: SourceFile, text: str) -> Placement:
    return Placement(f"{what} at the end of {file.path}", file.path, (last(file, text),))


# The kinds by their names on the command line and in records.
EDITS: Mapping[str, Edit] = {
    "body": Edit("a statement in a function body of the implementation", _body),
    "private-top": Edit("a private function added at the top level of an implementation file", _private_top),
    "public-top": Edit("a public function added at the top level of the same file", _public_top),
    "member": Edit("a private method added to a type of the implementation", _member),
    "stored-property": Edit("a constant with a value added to a type of the implementation", _stored_property),
    "interface": Edit("a public type or function added to the interface where others use it", _interface),
}
DEFAULT_EDITS = ("body", "private-top", "public-top", "interface")
