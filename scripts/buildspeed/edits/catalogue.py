"""Every edit by name, those that are made by default, and the names that earlier records use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from buildspeed.conventions import ModuleTargets
from buildspeed.edits import files, implementation, interface, interface_types, members, programs
from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import NoPlaceError, Placement
from buildspeed.edits.site import Site

_NOOP = Mutator("noop", "nothing at all", None, is_per_module=False)

MUTATORS: Mapping[str, Mutator] = {
    mutator.name: mutator
    for mutator in (
        _NOOP,
        implementation.TOUCH,
        implementation.COMMENT,
        implementation.BODY,
        implementation.PRIVATE_TOP,
        implementation.INTERNAL_TOP,
        implementation.PUBLIC_TOP,
        members.PRIVATE_MEMBER,
        members.STORED_PROPERTY,
        members.SIGNATURE,
        files.NEW_FILE,
        interface.TOP,
        interface.EXTENSION_MEMBER,
        interface.UNUSED_BLOCK_MEMBER,
        interface.NEW_EXTENSION,
        interface_types.REQUIREMENT,
        interface_types.ROUTE_FIELD,
        interface_types.STORED_PROPERTY,
        programs.APP_BODY,
        programs.TEST_BODY,
        files.MANIFEST_TOUCH,
    )
}

DEFAULT_EDITS = ("noop", "body", "private-top", "public-top", "interface-extension-member", "app-body")

# What records call these edits that were made before there were so many, and what they said of them where that
# differs.
ALIASES: Mapping[str, str] = {
    "private": implementation.PRIVATE_TOP.name,
    "public": implementation.PUBLIC_TOP.name,
    "interface": interface.EXTENSION_MEMBER.name,
    "app": programs.APP_BODY.name,
}
_EARLIER_PHRASES = {"interface": "a public nested type added to the interface"}


def canonical_name(edit: str) -> str:
    """The present name of an edit that a record or a person may call by an earlier one."""
    return ALIASES.get(edit, edit)


def mutator(edit: str) -> Mutator:
    """The edit of a name, present or earlier."""
    return MUTATORS[canonical_name(edit)]


def what_it_changes(edit: str) -> str:
    """The phrase that tells what an edit changes; that of its time for an earlier name."""
    return _EARLIER_PHRASES.get(edit, mutator(edit).changes)


def needs_tests(edits: Iterable[str]) -> bool:
    """Whether the builds must include the tests for one of these edits to be seen."""
    return any(mutator(edit).needs_tests for edit in edits)


def place(edit: str, site: Site) -> Placement:
    """Finds the place for an edit. Raises `NoPlaceError` where there is none."""
    finder = mutator(edit).place
    if finder is None:
        raise NoPlaceError(f"the edit '{edit}' changes nothing.")
    return finder(site)


def place_all(
    edits: Iterable[str], site: Site, modules: Mapping[str, ModuleTargets]
) -> tuple[dict[tuple[str, str | None], Placement], dict[tuple[str, str | None], str]]:
    """Finds the places of several edits in several modules.

    Returns the placements, and for each edit that has no place in a module the reason why.
    """
    placements: dict[tuple[str, str | None], Placement] = {}
    missing: dict[tuple[str, str | None], str] = {}
    for edit in edits:
        if mutator(edit).place is None:
            continue
        places = modules.values() if mutator(edit).is_per_module else [None]
        for module in places:
            key = (edit, module.name if module else None)
            try:
                placements[key] = place(edit, replace(site, module=module))
            except NoPlaceError as reason:
                missing[key] = str(reason)
    return placements, missing
