"""The tutorial, line by line, in a copy of this checkout: its commands are run, and its changes are made."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from made_files import committed
from repo_checkout import REPOSITORY, edit, tree

TUTORIAL = "Modules/RouterService/Interface/RouterServiceInterface.docc/WritingAFeature.md"
_STEP = re.compile(r"(?:`(?P<file>[\w/]+\.swift)`:\n\n)?^```(?P<kind>console|diff)\n(?P<lines>.*?)^```$", re.S | re.M)
_ANYTHING = "…"


@dataclass(frozen=True)
class Command:
    """A command, and what the tutorial shows of its output; `…` stands for anything."""

    line: str
    shown: str

    def take(self, checkout: Path) -> None:
        done = subprocess.run(
            self.line,
            shell=True,
            cwd=checkout,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, f"{self.line}\n{done.stdout}"
        # A command of which nothing is shown may print anything: the App fills a terminal.
        shown = ".*".join(re.escape(part) for part in self.shown.strip().split(_ANYTHING))
        output = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
        assert not self.shown.strip() or re.fullmatch(shown, output, re.S), f"{self.line}\n{done.stdout}"


@dataclass(frozen=True)
class Change:
    """Lines of a file that are replaced: those of `old` stand there once."""

    file: str
    old: str
    new: str

    def take(self, checkout: Path) -> None:
        edit(checkout, self.file, self.old, self.new)


def steps(tutorial: str) -> list[Command | Change]:
    found: list[Command | Change] = []
    for step in _STEP.finditer(tutorial):
        if step["kind"] == "console":
            commands = re.split(r"^\$ ", step["lines"], flags=re.M)[1:]
            found += [Command(line, shown) for line, _, shown in (each.partition("\n") for each in commands)]
            continue
        assert step["file"], f"no file is named before {step[0]}"
        for hunk in step["lines"].split("@@\n"):
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] for line in lines if not line.startswith("+"))
            new = "".join(line[1:] for line in lines if not line.startswith("-"))
            found.append(Change(step["file"], old, new))
    return found


WALK = steps((REPOSITORY / TUTORIAL).read_text(encoding="utf-8"))


def test_walk_has_every_part() -> None:
    commands = [step.line for step in WALK if isinstance(step, Command)]
    for command in ("scripts/module new", "swift test --filter", "scripts/module run", "swift run App", "git restore"):
        assert any(each.startswith(command) for each in commands), command
    parts = {step.file.split("/")[2] for step in WALK if isinstance(step, Change)}
    assert parts == {"Interface", "Implementation", "Testing", "BadgesModuleTests.swift"}


@pytest.mark.slow
def test_walk_of_the_tutorial_succeeds_and_leaves_nothing_behind(checkout: Path) -> None:
    # The reader is in a clone.
    committed(checkout)
    before = tree(checkout)
    (checkout / ".build").mkdir()
    (checkout / ".build/python").symlink_to((REPOSITORY / ".build/python").resolve())
    for step in WALK:
        step.take(checkout)
    assert tree(checkout) == before
