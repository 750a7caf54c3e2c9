"""Edits of the types in a module's interface: a requirement of a protocol, a field of a route."""

from __future__ import annotations

from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import Insertion, Insertions, NoPlaceError, Placement
from buildspeed.edits.site import Site, after_last_line, changed, largest_type


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


REQUIREMENT = Mutator(
    "interface-requirement", "a requirement with a default added to a public protocol of the interface", _requirement
)
ROUTE_FIELD = Mutator("interface-route-field", "an optional field added to a route of the interface", _route_field)
