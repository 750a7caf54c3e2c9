"""The floor of a build and what each part of it costs, from the jobs of the compiler."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from conftest import Read
from msgspec.structs import replace
from swiftmodules.builds.recorder import Command
from swiftmodules.errors import ToolError
from swiftmodules.experiment.by_hand import work_by_hand
from swiftmodules.experiment.costs import build_costs, file_costs, graph_of, median_costs, read_graph, shared_work
from swiftmodules.experiment.floor import without_linker
from swiftmodules.experiment.simulate import forget_products
from swiftmodules.observed import Job
from swiftmodules.records.kinds import BuildCosts, CommandCosts, GraphCommand, SharedWork, Wave
from swiftmodules.swiftpm.toolchain import Toolchain

# Compares with what has another type.
about: Any = pytest.approx


def test_choice_of_a_linker_is_left_out_and_nothing_else(tiny_read: Read) -> None:
    linker = {"tool": "linker", "kind": {"unsafeFlags": {"_0": ["-use-ld=lld"]}}}
    other = {"tool": "linker", "kind": {"linkedLibrary": {"_0": "z"}}}
    package = tiny_read.package
    first = replace(package.targets[0], settings=(linker, other))
    (stripped, *rest) = without_linker(replace(package, targets=(first, *package.targets[1:]))).targets
    assert stripped.settings == (other,)
    assert tuple(rest) == package.targets[1:]


def done_by_hand(tmp_path: Path, *commands: tuple[str, str]) -> tuple[dict[str, float], float]:
    """Does commands that write a line each into a log; the driver names one job of the link."""
    driver = tmp_path / "bin" / "swiftc"
    driver.parent.mkdir()
    driver.write_text(f"#!/bin/sh\necho /bin/sh -c {shlex.quote(shlex.quote(f'echo link >>{tmp_path}/log'))}\n")
    driver.chmod(0o755)
    made = []
    for kind, target in commands:
        files = ("a.swift",) if kind == "compile" else ()
        made.append(Command(Job(kind=kind, target=target, files=files, began=0, finished=1), words(tmp_path, kind)))
    return work_by_hand(made, "a.swift", Toolchain(tmp_path / "bin", "Swift"), tmp_path, tmp_path, jobs=2)


def words(tmp_path: Path, kind: str) -> tuple[str, ...]:
    return ("/bin/sh", "-c", f"sleep 0.2; echo {kind} >>{tmp_path}/log")


def test_work_by_hand_runs_each_step_and_then_everything_in_order(tmp_path: Path) -> None:
    commands = (("compile", "A"), ("emit-module", "B"), ("emit-module", "A"), ("link", "App"))
    steps, seconds = done_by_hand(tmp_path, *commands)
    done = (tmp_path / "log").read_text().split()
    assert done[:3] == ["compile", "emit-module", "link"]
    assert (sorted(done[3:5]), done[5:]) == (["compile", "emit-module"], ["link"])
    assert seconds > 0.2 and all(each > 0 for each in steps.values())
    assert steps["compile"] > 0.2


def test_build_that_did_not_do_the_work_once_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"compiled a\.swift 0 times"):
        done_by_hand(tmp_path, ("emit-module", "A"), ("link", "App"))


def test_step_that_fails_by_hand_is_reported_with_its_output(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    with pytest.raises(ToolError, match="'compile' by hand failed"):
        done_by_hand(tmp_path, ("compile", "A"), ("emit-module", "A"), ("link", "App"))


MANIFEST = """client:
  name: basic
targets:
  "main": ["<App.exe>"]
  "test": ["<Tests>"]
default: "main"
nodes:
  "/p/Sources/A/":
    is-directory-structure: true
commands:
  "/s/A.build/A.swiftmodule.o":
    tool: shell
    inputs: ["/s/Modules/A.swiftmodule"]
    outputs: ["/s/A.build/A.swiftmodule.o"]
    args: ["swiftc","-modulewrap","/s/Modules/A.swiftmodule","-o","/s/A.build/A.swiftmodule.o"]

  "/s/sources":
    tool: write-auxiliary-file
    inputs: ["/p/A.swift"]
    outputs: ["/s/sources"]

  "C.A.module":
    tool: shell
    inputs: ["/p/A.swift","/s/sources"]
    outputs: ["/s/A.o","/s/Modules/A.swiftmodule"]
    args: ["swiftc","-module-name","A","-parseable-output"]

  "C.App.exe":
    tool: shell
    inputs: ["/s/A.o","/s/A.build/A.swiftmodule.o"]
    outputs: ["/s/App"]
    args: ["swiftc","-o","/s/App","-emit-executable"]

  "C.Tests.module":
    tool: shell
    inputs: ["/s/Modules/A.swiftmodule"]
    outputs: ["<Tests>"]
    args: ["swiftc","-module-name","Tests","-parseable-output"]

  "P.App":
    tool: phony
    inputs: ["/s/App"]
    outputs: ["<App.exe>"]
"""


def test_graph_has_the_commands_of_a_plain_build_and_their_dependencies() -> None:
    assert graph_of(MANIFEST) == (
        GraphCommand(name="/s/A.build/A.swiftmodule.o", kind="wrap", target="A", after=("C.A.module",)),
        GraphCommand(name="/s/sources", kind="", target="", after=()),
        GraphCommand(name="C.A.module", kind="target", target="A", after=("/s/sources",)),
        GraphCommand(name="C.App.exe", kind="link", target="App", after=("/s/A.build/A.swiftmodule.o", "C.A.module")),
        GraphCommand(name="P.App", kind="", target="", after=("C.App.exe",)),
    )


def test_graph_holds_no_path_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "debug.yaml").write_text(MANIFEST.replace("/s/", f"{tmp_path}/"))
    names = [command.name for command in read_graph(tmp_path)]
    assert names == ["/scratch/A.build/A.swiftmodule.o", "/scratch/sources", "C.A.module", "C.App.exe", "P.App"]


def test_missing_manifest_of_the_engine_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="another build system"):
        read_graph(tmp_path)


JOBS = [
    Job(kind="question", began=0.1, finished=0.2, driver=1),
    Job(kind="target", target="A", began=1.0, finished=4.0, driver=2),
    Job(kind="emit-module", target="A", began=1.5, finished=2.0, driver=2),
    Job(kind="compile", target="A", files=("a.swift", "b.swift"), began=2.0, finished=3.4, driver=2),
    Job(kind="wrap", target="A", began=3.4, finished=3.6, driver=2),
    Job(kind="wrap", target="A", began=4.1, finished=4.3, driver=3),
    Job(kind="link", target="App", began=4.4, finished=5.4, driver=4),
]


def test_costs_of_a_build_are_all_of_it() -> None:
    costs = build_costs(JOBS, 6.0)
    target, wrap, link = costs.commands
    assert (costs.start, costs.end, costs.gap) == about((1.0, 0.6, 0.1))
    assert (target.plan, target.emit, target.wrap, target.rest) == about((0.5, 0.5, 0.2, 0.4))
    assert target.waves == (Wave(("a.swift", "b.swift"), about(1.4)),)
    assert (wrap.kind, wrap.plan, link.kind, link.target) == ("wrap", about(0.2), "link", "App")


def test_build_with_nothing_to_do_has_no_commands() -> None:
    assert build_costs(JOBS[:1], 0.4) == BuildCosts(0.4, 0, 0, ())


def one_target(*waves: Wave, emit: float | None = 0.5, target: str = "A") -> BuildCosts:
    return BuildCosts(
        1, 0.5, 0, (CommandCosts(kind="target", target=target, plan=0.2, emit=emit, waves=waves, wrap=0.1, rest=0.1),)
    )


def test_median_leaves_out_a_build_that_did_something_else() -> None:
    builds = [one_target(Wave(("a",), seconds)) for seconds in (1, 2, 9)]
    other = one_target(Wave(("a", "b"), 100))
    assert median_costs([builds[0], other, *builds[1:]]).commands[0].waves[0].seconds == 2


def test_cost_of_a_process_is_what_separate_files_repeat() -> None:
    whole = one_target(Wave(("a", "b", "c"), 1.0 + 0.5 + 0.3 + 0.2))
    separate = one_target(Wave(("a",), 1.5), Wave(("b",), 1.3), Wave(("c",), 1.2))
    costs = file_costs(whole, separate)
    assert costs.fixed["A"] == about(1.0)
    assert costs.files == about({"a": 0.5, "b": 0.3, "c": 0.2})


def test_cost_of_a_file_is_never_less_than_nothing() -> None:
    costs = file_costs(one_target(Wave(("a", "b"), 0.1)), one_target(Wave(("a",), 1.5), Wave(("b",), 1.0)))
    assert costs.fixed["A"] == about(1.0)
    assert min(costs.files.values()) == about(0)


def test_shared_work_is_what_a_process_took_longer_than_later() -> None:
    cold, warm = one_target(Wave(("a",), 3.0)), one_target(Wave(("a",), 1.0))
    assert shared_work(cold, warm) == (
        SharedWork(target="A", kind="compile", seconds=about(2.0), not_needed_by=("emit-module A",)),
    )
    assert shared_work(warm, warm) == ()
    # As much as times vary.
    assert shared_work(one_target(Wave(("a",), 1.09)), warm) == ()
    assert shared_work(one_target(Wave(("a",), 13.5)), one_target(Wave(("a",), 12.0))) == ()
    # A part of a long process, where a single target has all files.
    (work,) = shared_work(one_target(Wave(("a",), 15.0)), one_target(Wave(("a",), 12.0)))
    assert work.seconds == about(3.0)


def test_products_are_forgotten_and_what_is_shared_stays(tmp_path: Path) -> None:
    for path in ("x/debug/App", "x/debug/A.build/a.o", "x/debug/ModuleCache/m.pcm", "x/debug/index/store/u", "b.db"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "debug").symlink_to("x/debug")
    forget_products(tmp_path)
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if not path.is_dir())
    assert left == ["x/debug/ModuleCache/m.pcm", "x/debug/index/store/u"]
