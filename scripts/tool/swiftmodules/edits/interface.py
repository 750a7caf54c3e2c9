"""Edits of a module's interface: what is added at the top level and to `extension` blocks, and changes of its types."""

from __future__ import annotations

from swiftmodules.edits.implementation import CODED, CONSTANT
from swiftmodules.edits.placement import NoPlaceError, Placement
from swiftmodules.edits.site import Place, Site, blocks, largest_type, last, member
from swiftmodules.edits.uses import importing_files, is_used, mentions
from swiftmodules.swiftpm.reader import SourceFile

_TYPE = "public struct Edit{n} {}"
# Every type can have one, also a protocol, in which no type can be nested.
_FUNCTION = "public func edit{n}() -> Int { {n} }"


def extension_member(site: Site) -> Placement:
    """Adds to the API where a developer would: at the end of the block that has the most members."""
    found = _used_block(site)
    if found is None:
        raise NoPlaceError(
            f"{site.interface.name} has no `extension` block of a public type of its own that other targets use."
        )
    name = found.declaration.name
    noun, text = ("struct", _TYPE) if name in _namespaces(site) else ("function", _FUNCTION)
    description = f"a public {noun} at the end of the `extension {name}` block in {found.file.path}"
    return site.insert(description, found.file, member(found, text))


def top(site: Site) -> Placement:
    return site.append("a public struct", _usual_file(site), _TYPE)


def new_extension(site: Site) -> Placement:
    file = _usual_file(site)
    namespace = largest_type(_public_types(site), _is_namespace)
    found = namespace or largest_type(_public_types(site), lambda _: True)
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no public type that could be extended.")
    return site.append(
        f"a new `extension {found.path}` block", file, _extension(found, _TYPE if namespace else _FUNCTION)
    )


def requirement(site: Site) -> Placement:
    """The default goes into a block that extends the protocol already, where its file has one, because a new
    block would be an edit of its own."""
    found = largest_type(_public_types(site), lambda place: place.declaration.kind == "protocol")
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no public protocol to which a requirement could be added.")
    file = found.file
    extending = next((each for each in blocks(file) if each.declaration.name == found.path), None)
    place, default = (
        ("the block that extends it", member(extending, _FUNCTION))
        if extending
        else ("a new block", last(file, _extension(found, _FUNCTION)))
    )
    description = f"a requirement of `{found.path}`, with a default in {place}, in {file.path}"
    return site.insert(description, file, member(found, "func edit{n}() -> Int"), default, at=found)


def route_field(site: Site) -> Placement:
    found = largest_type(_public_structs(site), lambda place: place.declaration.inherits_any(["Route"]))
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no route.")
    # An optional variable begins as nil in every initialiser, and links without it can still be decoded.
    return site.insert_member("an optional field of the route", found, "public var edit{n}: Int?")


def stored_property(site: Site) -> Placement:
    """In the struct that most files outside of the module mention, as its layout matters to most."""
    users = _users(site)
    found = max(
        (each for each in _public_structs(site) if not each.declaration.inherits_any((*CODED, "Route"))),
        key=lambda each: (sum(mentions(user, [each.declaration.name]) for user in users), len(each.members)),
        default=None,
    )
    if found is None:
        raise NoPlaceError(
            f"{site.interface.name} has no public struct that could store another property: those that are coded, as "
            "routes are, would be coded otherwise."
        )
    return site.insert_member("a constant with a value in the struct", found, CONSTANT)


def _extension(type: Place, text: str) -> str:
    return f"extension {type.path} {{\n    {text}\n}}"


def _used_block(site: Site) -> Place | None:
    """The largest block that others use: of namespaces, or of other public types where there are none of these."""
    users = _users(site)
    used = [each for file in site.files(site.interface) for each in blocks(file) if is_used(each, users)]
    for types in (_namespaces(site), {each.path for each in _public_types(site)}):
        found = [block for block in used if block.declaration.name in types]
        if found:
            return max(found, key=lambda block: (len(block.members), block.end - block.declaration.name_start))
    return None


def _usual_file(site: Site) -> SourceFile:
    """The file that `interface-extension-member` changes, so that the edits compare, or the largest one."""
    found = _used_block(site)
    if found is not None:
        return found.file
    files = {each.file.path: each.file for each in site.types(site.interface)}
    if not files:
        raise NoPlaceError(f"{site.interface.name} declares no type, so there is nothing to add one to.")
    return max(files.values(), key=lambda each: len(each.text))


def _public_types(site: Site) -> list[Place]:
    return [each for each in site.types(site.interface) if each.declaration.is_public]


def _public_structs(site: Site) -> list[Place]:
    return [each for each in _public_types(site) if each.declaration.kind == "struct"]


def _namespaces(site: Site) -> set[str]:
    return {each.declaration.name for each in _public_types(site) if _is_namespace(each)}


def _is_namespace(place: Place) -> bool:
    return place.declaration.is_namespace and not place.owners


def _users(site: Site) -> list[SourceFile]:
    return importing_files(site.module, site.package, site.sources.values()) if site.module else []
