"""Edits of a module's interface: what is added at the top level and to `extension` blocks, and changes of its types."""

from __future__ import annotations

from swiftmodules.edits.implementation import CODED, is_public
from swiftmodules.edits.placement import Insertion, NoPlaceError, Placement
from swiftmodules.edits.site import Place, Site, after_last_line, blocks, largest_type
from swiftmodules.edits.uses import importing_files, is_used, mentions
from swiftmodules.swiftpm.syntax import SourceFile

_TYPE = "public struct Edit{n} {}"
# Every type can have one, also a protocol, in which no type can be nested.
_FUNCTION = "public func edit{n}() -> Int { {n} }"


def extension_member(site: Site) -> Placement:
    """Where a developer would add to the API: at the end of the block that has the most members."""
    found = _used_block(site)
    if found is None:
        raise NoPlaceError(
            f"{site.interface.name} has no `extension` block of a public type of its own that other targets use."
        )
    return _in_block("interface-extension-member", site, found)


def top(site: Site) -> Placement:
    file = _usual_file(site)
    insertion = Insertion(len(file.text), f"{after_last_line(file)}{_TYPE}\n")
    return site.insert("interface-top", f"a public struct at the end of {file.path}", file, insertion)


def new_extension(site: Site) -> Placement:
    file = _usual_file(site)
    namespace = largest_type(site.types(site.interface), _is_namespace)
    found = namespace or largest_type(site.types(site.interface), is_public)
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no public type that could be extended.")
    member = _TYPE if namespace else _FUNCTION
    text = f"{after_last_line(file)}extension {found.path} {{\n    {member}\n}}\n"
    description = f"a new `extension {found.path}` block at the end of {file.path}"
    return site.insert("interface-new-extension", description, file, Insertion(len(file.text), text))


def requirement(site: Site) -> Placement:
    """The default goes into a block that extends the protocol already, where its file has one, because a new
    block would be an edit of its own."""
    found = largest_type(
        site.types(site.interface), lambda place: place.declaration.kind == "protocol" and is_public(place)
    )
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no public protocol to which a requirement could be added.")
    file = found.file
    default = f"    {_FUNCTION}\n"
    extending = [
        each for each in blocks(file) if each.declaration.name == found.path and not each.declaration.is_constrained
    ]
    if extending:
        place = "in the block that extends it"
        implementation = Insertion(extending[0].end, f"\n{default}")
    else:
        place = "in a new block"
        text = f"{after_last_line(file)}extension {found.path} {{\n{default}}}\n"
        implementation = Insertion(len(file.text), text)
    description = f"a requirement of `{found.path}`, with a default {place}, in {file.path}"
    added = Insertion(found.end, "\n    func edit{n}() -> Int\n")
    return site.insert("interface-requirement", description, file, added, implementation, at=found)


def route_field(site: Site) -> Placement:
    found = largest_type(
        site.types(site.interface),
        lambda place: is_public(place) and _is_struct(place) and place.declaration.inherits_any(["Route"]),
    )
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no route.")
    # An optional variable begins as nil in every initialiser, and links without it can still be decoded.
    insertion = Insertion(found.end, "\n    public var edit{n}: Int?\n")
    description = f"an optional field of the route `{found.path}` in {found.file.path}"
    return site.insert("interface-route-field", description, found.file, insertion, at=found)


def stored_property(site: Site) -> Placement:
    """In the struct that most files outside of the module mention, as its layout matters to most."""
    users = _users(site)
    structs = [each for each in site.types(site.interface) if is_public(each) and _is_struct(each)]
    storing = [each for each in structs if not each.declaration.inherits_any((*CODED, "Route"))]
    if not storing:
        raise NoPlaceError(
            f"{site.interface.name} has no public struct that could store another property: those that are coded, as "
            "routes are, would be coded otherwise."
        )
    found = max(
        storing, key=lambda each: (sum(mentions(user, [each.declaration.name]) for user in users), len(each.members))
    )
    insertion = Insertion(found.end, "\n    let edit{n} = {n}\n")
    description = f"a constant with a value in the struct `{found.path}` in {found.file.path}"
    return site.insert("interface-stored-property", description, found.file, insertion, at=found)


def _in_block(edit: str, site: Site, block: Place) -> Placement:
    type = block.declaration.name
    declaration, noun = (_TYPE, "struct") if type in _namespaces(site) else (_FUNCTION, "function")
    description = f"a public {noun} at the end of the `extension {type}` block in {block.file.path}"
    return site.insert(edit, description, block.file, Insertion(block.end, f"\n    {declaration}\n"))


def _used_block(site: Site) -> Place | None:
    """The largest block that others use: of namespaces, or of other public types where there are none of these."""
    users = _users(site)
    public_types = {each.path for each in site.types(site.interface) if is_public(each)}
    for types in (_namespaces(site), public_types):
        found = [
            block
            for file in site.files(site.interface)
            for block in blocks(file)
            if block.declaration.name in types and not block.declaration.is_constrained and is_used(block, users)
        ]
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


def _namespaces(site: Site) -> set[str]:
    return {each.declaration.name for each in site.types(site.interface) if _is_namespace(each)}


def _is_namespace(place: Place) -> bool:
    return is_public(place) and place.declaration.is_namespace and not place.owners


def _is_struct(place: Place) -> bool:
    return place.declaration.kind == "struct"


def _users(site: Site) -> list[SourceFile]:
    return importing_files(site.module, site.package, site.sources.values()) if site.module else []
