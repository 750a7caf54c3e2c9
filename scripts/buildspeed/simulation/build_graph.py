"""The commands that SwiftPM hands to its build engine, llbuild, and which of them waits for which."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from buildspeed.failures import MeasurementError
from buildspeed.job_times import QUESTION, what_it_does

_NAME = re.compile(r'^  (".*"):$')
_FIELD = re.compile(r"^    (tool|inputs|outputs|args): (.*)$")
_MAIN = "main"


@dataclass(frozen=True)
class GraphCommand:
    """A command of the engine. `kind` and `target` are those of its job (`target`, `wrap`, `link`), and empty where
    it starts no compiler. The engine prefers the command whose name is last in the alphabet."""

    name: str
    kind: str
    target: str
    after: tuple[str, ...]


def read_graph(scratch: Path, configuration: str = "debug") -> tuple[GraphCommand, ...]:
    """The commands that a plain `swift build` asks for, from the manifest that SwiftPM wrote for the engine."""
    manifest = scratch / f"{configuration}.yaml"
    try:
        text = manifest.read_text(encoding="utf-8")
    except OSError as error:
        raise MeasurementError(
            f"SwiftPM left no {manifest} ({error.strerror}). Is another build system than 'native' in use?"
        ) from error
    # So that records hold no path of the machine. It still begins with the letter by which the engine orders it.
    return graph_of(text.replace(str(scratch), "/scratch"))


def graph_of(manifest: str) -> tuple[GraphCommand, ...]:
    """The commands of a manifest of the engine, each after those that make its inputs."""
    fields = _commands(manifest)
    makers = {output: name for name, each in fields.items() for output in _list(each, "outputs")}
    wanted: dict[str, None] = {}
    waiting = [makers[node] for node in _wanted_nodes(manifest) if node in makers]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted[name] = None
            waiting += [makers[node] for node in _list(fields[name], "inputs") if node in makers]
    commands = []
    for name in wanted:
        kind, target = what_it_does(_list(fields[name], "args")[1:])
        after = {makers[node] for node in _list(fields[name], "inputs") if node in makers} - {name}
        is_job = kind != QUESTION
        commands.append(GraphCommand(name, kind if is_job else "", target if is_job else "", tuple(sorted(after))))
    return tuple(sorted(commands, key=lambda command: command.name))


def _commands(manifest: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    name: str | None = None
    _, _, commands = manifest.partition("\ncommands:\n")
    for line in commands.splitlines():
        if match := _NAME.match(line):
            name = json.loads(match[1])
            found[name] = {}
        elif name is not None and (match := _FIELD.match(line)):
            found[name][match[1]] = match[2]
    return found


def _wanted_nodes(manifest: str) -> list[str]:
    match = re.search(rf'^  "{_MAIN}": (\[.*\])$', manifest, re.MULTILINE)
    if match is None:
        raise MeasurementError("SwiftPM's manifest for its build engine has no target 'main'.")
    return json.loads(match[1])


def _list(fields: Mapping[str, str], name: str) -> list[str]:
    return json.loads(fields.get(name, "[]"))
