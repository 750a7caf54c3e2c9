"""The command line: `swiftmodules graph`, `live` and `measure`.

What a command needs is imported when it is called, so that `graph` starts at once and needs few libraries.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from cyclopts import App

from swiftmodules import options
from swiftmodules.advise.command import advise
from swiftmodules.command_line import annotate, package_folder, program, run_app
from swiftmodules.errors import UsageError
from swiftmodules.measure import command as measure
from swiftmodules.split.command import split

if TYPE_CHECKING:
    from swiftmodules.graph.architecture import Architecture

_CODES = (
    "Exit codes: 0 done; 1 something was found, or failed; 64 a wrong option, name or record; 69 a program or "
    "library is missing; 75 another run holds the package or the machine; 130, 143 interrupted."
)


def graph(
    package: options.PackagePath = None,
    *,
    choices: options.GraphChoices = options.GraphChoices(),
) -> int:
    """Draws the graph of a package's modules or targets, or answers a question about it.

    Reads the manifest, builds nothing, and writes nothing into the package. Modules are found by the names of their
    targets, XInterface and XImplementation, or by those of swiftmodules.toml. Dependencies on the interface that every
    other interface depends on are not drawn.

    --since lists what has changed since a revision, or since the branch left it, also what is not committed: what a
    cache by source rebuilds, and the test targets to run, each with the way from a changed file to it. A file of no
    target reaches everything, unless it is a document in the folder of the package, or swiftmodules.toml says what it
    reaches. --impact answers the same of an edit that is not made yet.

    examples:
      {program} --level targets
      {program} --why Profile HTTPClient
      {program} --impact Sources/CartInterface/Cart.swift
      {program} --since main
      {program} --since main --test-filter
      {program} --json --package ../Shop

    {codes}
    """
    _require_compatible(choices)
    from swiftmodules.graph.architecture import Architecture, why
    from swiftmodules.swiftpm.config import config_of
    from swiftmodules.swiftpm.description import read_package
    from swiftmodules.swiftpm.toolchain import Toolchain

    folder, toolchain = package_folder(package), Toolchain.find(variables=choices.variable)
    config = config_of(folder)
    architecture = Architecture(read_package(folder, toolchain, config.names, traits=choices.traits))
    if choices.why:
        explanation = why(architecture, *choices.why)
        _print(choices, explanation, explanation)
    elif choices.impact is not None:
        from swiftmodules.graph.since import impact

        reached = impact(architecture, choices.impact, folder, toolchain, config.changes)
        _print(choices, reached, reached.as_json())
    elif choices.since is not None:
        from swiftmodules.graph.since import since

        changed = since(architecture, choices.since, folder, toolchain, config.changes, choices.traits)
        text = changed.test_filter if choices.test_filter else changed.text(with_skipped=choices.all)
        _print(choices, text, changed.as_json())
        for each in changed.warnings:
            annotate("warning", each, folder / architecture.package.manifest)
        if changed.everything:
            annotate("notice", f"All tests are selected: everything is reached by {changed.everything[0]}.")
    else:
        _draw(architecture, choices)
    return 0


def _require_compatible(choices: options.GraphChoices) -> None:
    given = [
        f"--{name}" for name in ("level", "module", "why", "impact", "since") if getattr(choices, name) is not None
    ]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} cannot be combined. Leave out one of them.")
    if (choices.test_filter or choices.all) and choices.since is None:
        raise UsageError(f"{'--test-filter' if choices.test_filter else '--all'} is an option of --since REVISION.")
    if choices.test_filter and choices.json:
        raise UsageError("--test-filter and --json cannot be combined: the expression is 'test_filter' of the object.")


def _draw(architecture: Architecture, choices: options.GraphChoices) -> None:
    from swiftmodules.graph import mermaid, views

    is_by_modules = choices.level == "modules" or (not choices.level and architecture.package.modules)
    if choices.module:
        drawing = views.neighbours_view(architecture, choices.module)
    elif is_by_modules:
        drawing = views.modules_view(architecture)
    else:
        drawing = views.targets_view(architecture)
    _print(choices, mermaid.mermaid(drawing), drawing)


def _print(choices: options.GraphChoices, answer: object, value: object) -> None:
    """Prints an answer, or with --json the value that it is made of."""
    text = json.dumps(msgspec.to_builtins(value), indent=1, ensure_ascii=False) if choices.json else str(answer)
    # Paths may have bytes that are no text.
    print(text.encode(errors="backslashreplace").decode())


def live(*arguments: options.Passed, package: options.PackagePath = None) -> int:
    """Runs the program of a package, and brings each saved edit into it.

    An edit in an implementation replaces its module in the running program: the file, and those that use what changed
    in it, are compiled with SwiftPM's own options, linked into a library and loaded. After any other edit, the program
    is built and restarted with its screens. Modules that are saved together are replaced together or not at all. A
    compile error is shown, and the old version keeps running. Builds go to .build/live, with the trait Live of the
    package.

    A key of the program may request a build and a restart. A program that does not respond to an edit for half a minute
    is restarted.

    The arguments after -- are those of the program. The log is .build/live/session.log, and errors.log beside it has
    what the program writes to standard error. The exit code is that of the program.

    examples:
      {program}
      {program} -- --backend http://127.0.0.1:8080

    {codes}
    """
    from swiftmodules.live.session import Session
    from swiftmodules.swiftpm.config import config_of
    from swiftmodules.swiftpm.toolchain import Toolchain

    folder = package_folder(package)
    return Session(folder, arguments, Toolchain.find(), config_of(folder)).run()


_SINGLE: Mapping[str, Callable[..., int]] = {"graph": graph, "live": live}
_FURTHER: Sequence[Callable[..., int]] = (advise, split, measure.compare)


def app(command: str) -> App:
    name = program(command)
    found = App(name=name, help_format="plaintext", version_flags=[])
    if command in _SINGLE:
        found.help = _text(inspect.getdoc(_SINGLE[command]), program=name)
        found.default(_SINGLE[command])
        return found
    from swiftmodules.layouts.generate import LAYOUTS
    from swiftmodules.steps.edit import DEFAULT_EDITS, EDITS

    marks = {name: f"{edit.changes}{' (default)' if name in DEFAULT_EDITS else ''}" for name, edit in EDITS.items()}
    texts = {"layouts": _listed("layouts:", LAYOUTS), "edits": _listed("edits:", marks)}
    ending = "\n\n{codes} However a run ends, its results so far are kept."
    found.help = _text(f"{inspect.getdoc(measure.measure)}{ending}", program=name, **texts)
    found.default(measure.measure)
    for position, further in enumerate(_FURTHER):
        text = _text(inspect.getdoc(further), program=f"{name} {further.__name__}")
        found.command(further, help=text, sort_key=position)
    return found


def _text(source: str | None, **texts: str) -> str:
    """A help text with its paragraphs in one line each, as the terminal wraps them."""
    filled = (source or "").format(codes=_CODES, **texts).strip()
    return re.sub(r"(?<=\S)\n(?=\S)", " ", filled)


def _listed(title: str, meanings: Mapping[str, str]) -> str:
    width = max(map(len, meanings))
    return "\n".join([title, *(f"  {name:<{width}}  {meaning}" for name, meaning in meanings.items())])


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    commands = (*_SINGLE, "measure")
    if words and words[0] in commands:
        return run_app(app(words[0]), words[1:])
    whole = App(name="swiftmodules", help="Draws and measures the modules of a Swift package.", help_format="plaintext")
    for command in commands:
        whole.command(app(command), name=command)
    return run_app(whole, words)
