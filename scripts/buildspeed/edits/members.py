"""Edits of the types in a module's implementation: a method, a stored property, a parameter."""

from __future__ import annotations

from buildspeed.declarations import TypeDeclaration
from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import Insertion, Insertions, NoPlaceError, Placement
from buildspeed.edits.site import Site, changed, largest_type
from buildspeed.edits.uses import Program, ends_with_comma

CODED = ("Codable", "Decodable", "Encodable")


def _private_member(site: Site) -> Placement:
    files = site.files(site.implementation)
    found = largest_type(files, lambda type: type.kind == "class" and not type.is_public)
    found = found or largest_type(files, lambda type: type.kind == "class")
    if found is None:
        raise NoPlaceError(f"{site.implementation.name} has no class to which a method could be added.")
    file, type = found
    insertion = Insertion(type.body_end, "\n    private func edit{n}() -> Int { {n} }\n")
    description = f"a private method in the class `{type.path}` in {file.path}"
    return Placement("private-member", site.module_name, description, Insertions(file.path, (insertion,)))


def _stored_property(site: Site) -> Placement:
    def can_store(type: TypeDeclaration) -> bool:
        # Decoding takes no notice of a constant that has a value, about which the compiler warns.
        return type.kind in ("class", "struct") and not type.has_inherited(CODED)

    files = site.files(site.implementation)
    found = largest_type(files, lambda type: can_store(type) and not type.is_public)
    found = found or largest_type(files, can_store)
    if found is None:
        raise NoPlaceError(f"{site.implementation.name} has no class or struct that could store a property.")
    file, type = found
    # A constant with a value is no parameter of a memberwise initialiser, so whoever calls one still compiles.
    change = Insertions(file.path, (Insertion(type.body_end, "\n    let edit{n} = {n}\n"),))
    description = f"a constant with a value in the {type.kind} `{type.path}` in {file.path}"
    return Placement("stored-property", site.module_name, description, change, changed(file, type))


def _signature(site: Site) -> Placement:
    program = Program(site.sources.values())
    eligible = [
        (file, parameters)
        for file in site.files(site.implementation)
        for parameters in file.parameter_lists
        if program.takes_another_parameter(parameters)
    ]
    functions = [entry for entry in eligible if entry[1].name != "init"]
    if not eligible:
        raise NoPlaceError(
            f"{site.implementation.name} has no public function or initialiser that could take another parameter: "
            "they implement requirements of protocols, or are used as values."
        )
    file, parameters = (functions or eligible)[0]
    comma = "" if parameters.is_empty or ends_with_comma(file.text[: parameters.end]) else ", "
    change = Insertions(file.path, (Insertion(parameters.end, comma + "edit{n}: Int = {n}"),))
    description = f"a parameter with a default for `{parameters.path}` in {file.path}"
    return Placement("signature", site.module_name, description, change, changed(file, parameters))


PRIVATE_MEMBER = Mutator("private-member", "a private method added to a class of the implementation", _private_member)
STORED_PROPERTY = Mutator(
    "stored-property", "a stored property with a value added to a type of the implementation", _stored_property
)
SIGNATURE = Mutator(
    "signature",
    "a parameter with a default added to a public function or initialiser of the implementation",
    _signature,
)
