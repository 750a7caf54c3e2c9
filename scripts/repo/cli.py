"""The command lines of `scripts/module`, `scripts/docs` and `scripts/bench`."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from swiftmodules.command_line import run_app
from swiftmodules.errors import UsageError
from swiftmodules.options import Flag, Names, Positive
from swiftmodules.swiftpm.toolchain import Toolchain

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def _app(name: str, help: str) -> App:
    codes = "69 Swift or Python is missing; 130, 143 interrupted."
    return App(name=f"scripts/{name}", help=help.format(codes=codes), version_flags=[], help_format="markdown")


module = _app(
    "module",
    """Adds modules to this repository, and runs one feature alone.

    Exit codes: 0 done; 1 it cannot be done; 64 a wrong option or name; {codes}
    """,
)


@module.command
def new(
    name: Annotated[str, Parameter(help="Its namespace and folder, such as Badges.")],
    /,
    *,
    uses: Annotated[
        Names, Parameter(help="Modules whose interfaces it may import; Display and Home come with a route.")
    ] = (),
    route: Annotated[Flag, Parameter(help="A route, its screen and its URL.")] = False,
    service: Annotated[Flag, Parameter(help="A service, kept in memory, and its fake.")] = False,
) -> int:
    """Adds a module: its interface, implementation, fakes and tests, and its lines in the lists of modules.

    The package builds, and its tests pass, right away. With neither --route nor --service, the module gets a route and
    a screen, in four files. Each screen has an entry on the App's first one. With both, the module has a README, and
    the screen shows the entries of the service. With --service alone it has no screen, and 'App --check' warns that
    nothing needs the service until a module uses it. Nothing is written before everything was checked.

        scripts/module new Badges
        scripts/module new ShoppingCart --uses Login,Badges --route --service
    """
    from repo.scaffold import lists, modules

    route = route or not service
    checkout = lists.Checkout(REPOSITORY, Toolchain.find())
    for path in modules.add(name, uses, route=route, service=service, checkout=checkout):
        print(f"{'edit ' if path in (lists.MANIFEST, lists.COMPOSITION) else 'write'} {path}")
    steps = [*(["scripts/docs"] if service else []), f"swift test --filter {name}Tests"]
    steps += ["swift run App", f"scripts/module run {name}"] if route else []
    print(f"\nNow describe it in Modules/{name}/README.md, and run:" if service else "\nNow run:", *steps, sep="\n  ")
    if not route:
        print(f"\n'swift run App --check' warns until a module needs 'any {name}.Service'.")
    return 0


@module.command(name="run")
def run_feature(
    name: Annotated[str, Parameter(name="MODULE", help="The feature's module, such as Profile.")],
    route: Annotated[str | None, Parameter(name="ROUTE", help="A link or a URL to begin with.")] = None,
    /,
    *,
    live: Annotated[Flag, Parameter(help="Bring each saved edit into the running feature; see scripts/live.")] = False,
) -> int:
    """Builds and runs one feature alone: its own implementation, the terminal, and fakes of the modules that it uses.

    None of their implementations is built. The fakes are those of Modules/NAME/Testing/FakeNAMEModule.swift. They also
    take the place of the feature's own services. Like the App, the feature fills a terminal, and otherwise reads one
    line for each action. Below its first screen is one that lists the routes without parameters, and their results.
    With --live, a change of Package.swift needs a new start.

        scripts/module run Profile app://profile/bob
        scripts/module run Profile --live
        scripts/module run Profile 'profile.editor|{"user":"ann"}'
        printf 'ann\\nsecret\\n' | scripts/module run Login
    """
    from repo.scaffold import features, lists

    arguments = [route] if route else []
    checkout = lists.Checkout(REPOSITORY, Toolchain.find())
    folder = features.write_package(name, checkout)
    if live:
        return features.run_live(name, folder, checkout, arguments)
    program = features.build(name, folder, checkout.toolchain)
    # Python ignores SIGPIPE, and a program would inherit that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return os.execv(program, [str(program), *arguments])


docs = _app(
    "docs",
    """Writes the generated parts of the documents, between their markers.

    These are code of source files, graphs of modules, and numbers of the records in docs/results. CONTRIBUTING.md has
    an example of each. Links are reported that lead to nothing, or to a file without the code that they name.

    Exit codes: 0 done; 1 something in a document leads to nothing, differs with --check, or failed; 64 a wrong option
    or record; {codes}
    """,
)


@docs.default
def write_documents(
    *,
    check: Annotated[Flag, Parameter(help="Write nothing; exit with 1 where a document differs.")] = False,
    picture: Annotated[Flag, Parameter(help="Instead, run a live session, and draw README's picture of it.")] = False,
    site: Annotated[
        Path | None, Parameter(help="Instead, write the documentation of the interfaces to this folder, with docc.")
    ] = None,
    record: Annotated[
        Flag,
        Parameter(
            help="Instead, measure all that docs/results/records.toml names, in a clone of what is committed. Resumes "
            "what was interrupted. Takes hours; do not use the machine meanwhile."
        ),
    ] = False,
) -> int:
    from repo.docs.documents import Documents
    from repo.docs.picture import write_picture
    from repo.docs.recording import record_all
    from repo.docs.site import write_site

    if check + picture + record + (site is not None) > 1:
        raise UsageError("--check, --picture, --site and --record exclude one another: give one of them.")
    if site:
        return write_site(REPOSITORY, site.absolute(), Toolchain.find())
    if record:
        return record_all(REPOSITORY)
    if picture:
        return write_picture(REPOSITORY)
    documents = Documents(REPOSITORY)
    for path in [] if check else documents.update():
        print(f"wrote {path}")
    found = documents.drifted() if check else documents.problems()
    for each in found:
        print(each, file=sys.stderr)
    if check:
        print(f"checked {documents.contents()}")
    return 1 if found else 0


bench = _app(
    "bench",
    """Times RouterService in a release build, and compares its counts of instructions with their bars; 'scale'
    counts those of a router of 10, 50 and 500 modules.

    The program in scripts/repo/benchmarks is built into .build/benchmarks; its README explains the operations. In each
    round every operation is run in a process of its own, and timed in batches of about 20 ms each. For trustworthy
    times do not use the machine meanwhile.

    Counts do not depend on what else the machine does, so they show small changes that times hide, and bars limit them.
    They hold for one processor and toolchain, and do not predict times: an atomic instruction takes as long as dozens
    of others.

    Exit codes: 0 done; 1 a bar does not hold, or something failed; 64 a wrong option; 75 another run takes times on
    this machine; {codes}

        scripts/bench --counts --output docs/results/router/results.json
        scripts/bench --rounds 1 --counts
        scripts/bench scale
    """,
)


@bench.default
def time_router(
    *,
    rounds: Annotated[Positive, Parameter(help="Rounds of 5 batches for each operation.")] = 5,
    counts: Annotated[Flag, Parameter(help="Also count instructions, which bars limit; needs valgrind.")] = False,
    output: Annotated[Path | None, Parameter(help="Write the record, with every batch, to a file.")] = None,
) -> int:
    from swiftmodules.builds.lock import building
    from swiftmodules.files import write_atomically
    from swiftmodules.measure.record import record_bytes

    from repo import bench as benchmark

    command = shlex.join(["scripts/bench", *sys.argv[2:]])
    with building(takes_times=True):
        record = benchmark.measure(REPOSITORY, Toolchain.find(), rounds, command, counts=counts)
    if output:
        write_atomically(output, record_bytes(record))
    print(benchmark.table(record))
    return 0 if all(each.holds for each in benchmark.verdicts(record).values()) or not counts else 1


@bench.command(name="scale")
def count_scale() -> int:
    """Counts the instructions of a router of 10, 50 and 500 modules: to start, to validate, and to open a route.

    The modules are generated and built in release, which takes minutes; valgrind counts. Prints a table. Ends with 1
    where an operation grows more than its bar allows.
    """
    from repo import bench_scale

    scale = bench_scale.measure(REPOSITORY, Toolchain.find())
    print(scale)
    return 0 if scale.hold else 1


APPS = {"module": module, "docs": docs, "bench": bench}


def main(arguments: Sequence[str] | None = None) -> int:
    name, *options = sys.argv[1:] if arguments is None else arguments
    return run_app(APPS[name], options)
