"""Edits in the files of a module's implementation: in a body, at the top level, and of nothing but the file's time."""

from __future__ import annotations

from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import FileTouch, Insertion, Insertions, NoPlaceError, Placement
from buildspeed.edits.site import Site, after_last_line, function_in
from buildspeed.swift_source import Function, SourceFile

STATEMENT = '\n        _ = "edit {n}"\n'
_COMMENT = "\n        // Edit {n}.\n"


def edited_function(site: Site) -> tuple[SourceFile, Function]:
    """A method of an internal type, in the file that has the most of them.

    A method of the public module entry, or a free function, where the implementation has nothing else.
    """
    files = site.files(site.implementation)
    entries = {type.name for file in files for type in file.types if type.is_public and not type.owners}

    def is_method(function: Function) -> bool:
        return function.accepts_statement and bool(function.owners)

    found = function_in(
        files, lambda function: is_method(function) and function.owners[0].partition(".")[0] not in entries
    )
    found = found or function_in(files, is_method)
    found = found or function_in(files, lambda function: function.accepts_statement)
    if found is None:
        raise NoPlaceError(
            f"{site.implementation.name} has no function into whose body a statement could be put: its "
            "bodies are empty or single expressions."
        )
    return found


def edited_file(site: Site) -> SourceFile:
    """The file of that function, or the largest file where no body can be edited."""
    try:
        return edited_function(site)[0]
    except NoPlaceError:
        return max(site.files(site.implementation), key=lambda file: len(file.text))


def _body(site: Site) -> Placement:
    file, function = edited_function(site)
    insertion = Insertion(function.body_start, STATEMENT)
    description = f"a statement in `{function.path}` in {file.path}"
    return Placement("body", site.module_name, description, Insertions(file.path, (insertion,)))


def _comment(site: Site) -> Placement:
    file, function = edited_function(site)
    insertion = Insertion(function.body_start, _COMMENT)
    description = f"a comment in `{function.path}` in {file.path}"
    return Placement("comment", site.module_name, description, Insertions(file.path, (insertion,)))


def _touch(site: Site) -> Placement:
    file = edited_file(site)
    return Placement("touch", site.module_name, f"the time of {file.path}", FileTouch(file.path))


def _private_top(site: Site) -> Placement:
    return _top_level_function("private", site)


def _internal_top(site: Site) -> Placement:
    return _top_level_function("internal", site)


def _public_top(site: Site) -> Placement:
    return _top_level_function("public", site)


def _top_level_function(access: str, site: Site) -> Placement:
    file = edited_file(site)
    # Nobody writes `internal`, which is the default.
    modifier = "" if access == "internal" else f"{access} "
    text = f"{after_last_line(file)}{modifier}func edit{{n}}() -> Int {{ {{n}} }}\n"
    article = "an" if access == "internal" else "a"
    description = f"{article} {access} function at the end of {file.path}"
    insertion = Insertion(len(file.text), text)
    return Placement(f"{access}-top", site.module_name, description, Insertions(file.path, (insertion,)))


TOUCH = Mutator("touch", "only the modification time of an implementation file", _touch)
COMMENT = Mutator("comment", "a comment in a function body of the implementation", _comment)
BODY = Mutator("body", "a statement in a function body of the implementation", _body)
PRIVATE_TOP = Mutator(
    "private-top", "a private function added at the top level of an implementation file", _private_top
)
INTERNAL_TOP = Mutator("internal-top", "an internal function added at the top level of the same file", _internal_top)
PUBLIC_TOP = Mutator("public-top", "a public function added at the top level of the same file", _public_top)
