"""Edits that add a declaration to a module's interface: at the top level, in an `extension` block, in a new block."""

from __future__ import annotations

from collections.abc import Callable

from buildspeed.declarations import Extension
from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import Insertion, Insertions, NoPlaceError, Placement
from buildspeed.edits.site import Site, after_last_line, largest_type
from buildspeed.edits.uses import is_surely_unused, is_used, outside_files
from buildspeed.swift_source import SourceFile

_TYPE = "public struct Edit{n} {}"
# Every type can have one, also a protocol, in which no type can be nested.
_FUNCTION = "public func edit{n}() -> Int { {n} }"


def _extension_member(site: Site) -> Placement:
    """Where a developer would add to the API: at the end of the block that has the most members."""
    users = _users(site)
    found = _largest_block(site, lambda block: is_used(block, users))
    if found is None:
        raise NoPlaceError(
            f"{site.interface.name} has no `extension` block of a public type of its own that other targets use."
        )
    return _in_block("interface-extension-member", site, *found)


def _unused_block_member(site: Site) -> Placement:
    others = [
        site.sources[path]
        for target in site.package.targets
        if target.name != site.interface.name
        for path in target.sources
    ]
    found = _largest_block(site, lambda block: is_surely_unused(block, others))
    if found is None:
        raise NoPlaceError(
            f"{site.interface.name} has no `extension` block of a public type of its own that surely nobody uses: "
            "of each, a name occurs in another target."
        )
    return _in_block("interface-unused-block-member", site, *found)


def _top(site: Site) -> Placement:
    file = _usual_file(site)
    insertion = Insertion(len(file.text), f"{after_last_line(file)}{_TYPE}\n")
    description = f"a public struct at the end of {file.path}"
    return Placement("interface-top", site.module_name, description, Insertions(file.path, (insertion,)))


def _new_extension(site: Site) -> Placement:
    file = _usual_file(site)
    files = site.files(site.interface)
    found = largest_type(files, lambda type: type.is_public and type.is_namespace and not type.owners)
    member = _TYPE if found else _FUNCTION
    found = found or largest_type(files, lambda type: type.is_public)
    if found is None:
        raise NoPlaceError(f"{site.interface.name} has no public type that could be extended.")
    type = found[1].path
    text = f"{after_last_line(file)}extension {type} {{\n    {member}\n}}\n"
    description = f"a new `extension {type}` block at the end of {file.path}"
    insertion = Insertion(len(file.text), text)
    return Placement("interface-new-extension", site.module_name, description, Insertions(file.path, (insertion,)))


def _in_block(edit: str, site: Site, file: SourceFile, block: Extension) -> Placement:
    is_namespace = block.type in _namespaces(site)
    declaration, noun = (_TYPE, "struct") if is_namespace else (_FUNCTION, "function")
    description = f"a public {noun} at the end of the `extension {block.type}` block in {file.path}"
    insertion = Insertion(block.body_end, f"\n    {declaration}\n")
    return Placement(edit, site.module_name, description, Insertions(file.path, (insertion,)))


def _largest_block(site: Site, fits: Callable[[Extension], bool]) -> tuple[SourceFile, Extension] | None:
    """Of the blocks of namespaces, or of other public types where there are none of namespaces."""
    files = site.files(site.interface)
    public_types = {type.path for file in files for type in file.types if type.is_public}
    for types in (_namespaces(site), public_types):
        blocks = [
            (file, block)
            for file in files
            for block in file.extensions
            if block.type in types and not block.is_constrained and fits(block)
        ]
        if blocks:
            return max(blocks, key=lambda entry: (entry[1].members, entry[1].length))
    return None


def _usual_file(site: Site) -> SourceFile:
    """The file that `interface-extension-member` changes, so that the edits compare, or the largest one."""
    users = _users(site)
    found = _largest_block(site, lambda block: is_used(block, users))
    if found is not None:
        return found[0]
    file = max(
        (each for each in site.files(site.interface) if each.types), key=lambda each: len(each.text), default=None
    )
    if file is None:
        raise NoPlaceError(f"{site.interface.name} declares no type, so there is nothing to add one to.")
    return file


def _namespaces(site: Site) -> set[str]:
    types = [type for file in site.files(site.interface) for type in file.types]
    return {type.name for type in types if type.is_public and type.is_namespace and not type.owners}


def _users(site: Site) -> list[SourceFile]:
    return outside_files(site.module, site.package, site.sources.values()) if site.module else []


TOP = Mutator("interface-top", "a public type added at the top level of an interface file", _top)
EXTENSION_MEMBER = Mutator(
    "interface-extension-member",
    "a public nested type or function added to an `extension` block of the interface that others use",
    _extension_member,
)
UNUSED_BLOCK_MEMBER = Mutator(
    "interface-unused-block-member",
    "the same, in an `extension` block of the interface that nobody uses",
    _unused_block_member,
)
NEW_EXTENSION = Mutator(
    "interface-new-extension", "a new `extension` block with one public member in the interface", _new_extension
)
