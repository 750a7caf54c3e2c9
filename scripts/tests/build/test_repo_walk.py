"""The ten minutes of the README, line by line, in a copy of this checkout."""

from __future__ import annotations

import re
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from made_files import committed
from repo_checkout import REPOSITORY, tree
from swiftmodules.measure.record import read_record

_WALK = re.compile(r"^## Ten minutes\n.*?^```console\n(?P<lines>.*?)^```$", re.S | re.M)
_ANYTHING = "…"


@dataclass(frozen=True)
class Step:
    """A command, and what the README shows of its output; `…` stands for anything."""

    command: str
    shown: str

    @property
    def is_refused(self) -> bool:
        return " error: " in self.shown

    def matches(self, output: str) -> bool:
        pattern = ".*".join(re.escape(part) for part in self.shown.strip().split(_ANYTHING))
        return re.fullmatch(pattern, "\n".join(line.rstrip() for line in output.strip().splitlines()), re.S) is not None


def steps(readme: str) -> list[Step]:
    walk = _WALK.search(readme)
    assert walk, "the README has no section 'Ten minutes' with a console block"
    commands = re.split(r"^\$ ", walk["lines"], flags=re.M)[1:]
    return [Step(command, shown) for command, _, shown in (each.partition("\n") for each in commands)]


WALK = steps((REPOSITORY / "README.md").read_text(encoding="utf-8"))


def test_walk_has_every_part_and_measures_a_module_with_users() -> None:
    commands = [step.command for step in WALK]
    for program in ("swift run App", "scripts/module new", "scripts/measure", "git restore"):
        assert any(command.startswith(program) for command in commands), program
    (measured,) = [command.split("--modules ")[1].split()[0] for command in commands if "measure" in command]
    assert any(f"--uses {measured}" in command for command in commands)


@pytest.mark.slow
def test_walk_prints_what_the_readme_shows_and_leaves_nothing_behind(checkout: Path) -> None:
    # The reader is in a clone.
    committed(checkout)
    before = tree(checkout)
    (checkout / ".build").mkdir()
    (checkout / ".build/python").symlink_to((REPOSITORY / ".build/python").resolve())
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    for step in WALK:
        result = subprocess.run(
            step.command,
            shell=True,
            cwd=checkout,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert result.returncode == int(step.is_refused), f"{step.command}\n{result.stdout}"
        # A command of which nothing is shown may print anything: the App fills a terminal.
        assert not step.shown.strip() or step.matches(result.stdout), f"{step.command}\n{result.stdout}"
        if step.command.startswith("scripts/measure"):
            assert_interface_compiles_less(result.stdout)
    assert tree(checkout) == before
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Ten minutes of one core's time, whatever else the machine does meanwhile.
    assert ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime < 600


def assert_interface_compiles_less(output: str) -> None:
    """The record that the run has written has fewer files in `interface`."""
    written = re.search(r"^Wrote the record and its report to (.*)\.$", output, re.M)
    assert written, output
    samples = [each for each in read_record(Path(written[1])).samples if each.edit == "private-top"]
    interface, fused = ([each.files for each in samples if each.layout == name] for name in ("interface", "fused"))
    assert max(interface) < min(fused), output
