"""Edits in what nobody imports: the executable and the tests."""

from __future__ import annotations

from buildspeed.conventions import application_of, tests_of
from buildspeed.edits.implementation import STATEMENT
from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import Insertion, Insertions, NoPlaceError, Placement
from buildspeed.edits.site import Site, function_in
from buildspeed.swift_source import SourceFile


def _app_body(site: Site) -> Placement:
    """In a function, or in the top-level code where the executable has none."""
    application = application_of(site.package)
    if application is None:
        raise NoPlaceError("the package has not exactly one executable target.")
    files = site.files(application)
    found = function_in(files, lambda function: function.accepts_statement)
    if found is not None:
        file, function = found
        insertion = Insertion(function.body_start, STATEMENT)
        description = f"a statement in `{function.path}` in {file.path}"
        return Placement("app-body", None, description, Insertions(file.path, (insertion,)))
    main = next((file for file in files if file.path.name == "main.swift"), None)
    if main is None:
        raise NoPlaceError(f"{application.name} has no function whose body could be edited, and no main.swift.")
    return statement_at_the_top("app-body", None, main)


def statement_at_the_top(edit: str, module: str | None, main: SourceFile) -> Placement:
    """A statement in the top-level code of a `main.swift`."""
    # Imports may come later; only `#!` must come first.
    offset = main.text.find(b"\n") + 1 if main.text.startswith(b"#!") else 0
    insertion = Insertion(offset, '_ = "edit {n}"\n')
    return Placement(edit, module, f"a statement at the top of {main.path}", Insertions(main.path, (insertion,)))


def _test_body(site: Site) -> Placement:
    tests = tests_of(site.package, site.module_name)
    if tests is None:
        raise NoPlaceError(f"the package has no test target {site.module_name}Tests.")
    found = function_in(site.files(tests), lambda function: function.accepts_statement)
    if found is None:
        raise NoPlaceError(f"{tests.name} has no function whose body could be edited.")
    file, function = found
    insertion = Insertion(function.body_start, STATEMENT)
    description = f"a statement in `{function.path}` in {file.path}"
    return Placement("test-body", site.module_name, description, Insertions(file.path, (insertion,)))


APP_BODY = Mutator("app-body", "a statement in a function body of the executable", _app_body, is_per_module=False)
TEST_BODY = Mutator("test-body", "a statement in a function body of the module's tests", _test_body, needs_tests=True)
