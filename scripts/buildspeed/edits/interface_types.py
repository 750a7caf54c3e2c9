"""Edits of the types in a module's interface: a requirement of a protocol, a field of a route, a stored property."""

from __future__ import annotations

from buildspeed.declarations import TypeDeclaration
from buildspeed.edits.members import CODED
from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import Insertion, Insertions, NoPlaceError, Placement
from buildspeed.edits.site import Site, after_last_line, changed, largest_type
from buildspeed.edits.uses import mentions, outside_files


def _requirement(site: Site) -> Placement:
    """The default goes into a block that extends the protocol already, where its file has one, because a new
    block would be an edit of its own."""
    found = largest_type(site.files(site.interface), lambda type: type.kind == "protocol" and type.is_public)
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no public protocol to which a requirement could be added.")
    file, protocol = found
    requirement = Insertion(protocol.body_end, "\n    func edit{n}() -> Int\n")
    default = "    public func edit{n}() -> Int { {n} }\n"
    blocks = [each for each in file.extensions if each.type == protocol.path and not each.is_constrained]
    if blocks:
        place = "in the block that extends it"
        implementation = Insertion(blocks[0].body_end, f"\n{default}")
    else:
        place = "in a new block"
        text = f"{after_last_line(file)}extension {protocol.path} {{\n{default}}}\n"
        implementation = Insertion(len(file.text), text)
    description = f"a requirement of `{protocol.path}`, with a default {place}, in {file.path}"
    change = Insertions(file.path, (requirement, implementation))
    return Placement("interface-requirement", site.module_name, description, change, changed(file, protocol))


def _route_field(site: Site) -> Placement:
    found = largest_type(
        site.files(site.interface),
        lambda type: type.kind == "struct" and type.is_public and type.has_inherited(("Route",)),
    )
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no route.")
    file, route = found
    # An optional variable begins as nil in every initialiser, and links without it can still be decoded.
    change = Insertions(file.path, (Insertion(route.body_end, "\n    public var edit{n}: Int?\n"),))
    description = f"an optional field of the route `{route.path}` in {file.path}"
    return Placement("interface-route-field", site.module_name, description, change, changed(file, route))


def _stored_property(site: Site) -> Placement:
    """In the struct that most files outside of the module mention, as its layout matters to most."""
    users = outside_files(site.module, site.package, site.sources.values()) if site.module else []

    def can_store(type: TypeDeclaration) -> bool:
        return type.kind == "struct" and type.is_public and not type.has_inherited((*CODED, "Route"))

    found = [(file, type) for file in site.files(site.interface) for type in file.types if can_store(type)]
    if not found:
        raise NoPlaceError(
            f"{site.interface.name} has no public struct that could store another property: those that are coded, as "
            "routes are, would be coded otherwise."
        )
    file, type = max(
        found, key=lambda entry: (sum(mentions(user, [entry[1].name]) for user in users), len(entry[1].members))
    )
    insertion = Insertion(type.body_end, "\n    let edit{n} = {n}\n")
    description = f"a constant with a value in the struct `{type.path}` in {file.path}"
    change = Insertions(file.path, (insertion,))
    return Placement("interface-stored-property", site.module_name, description, change, changed(file, type))


REQUIREMENT = Mutator(
    "interface-requirement", "a requirement with a default added to a public protocol of the interface", _requirement
)
ROUTE_FIELD = Mutator("interface-route-field", "an optional field added to a route of the interface", _route_field)
STORED_PROPERTY = Mutator(
    "interface-stored-property",
    "a stored property with a value added to a public struct of the interface",
    _stored_property,
)
