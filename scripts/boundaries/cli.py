"""The command line of `scripts/check`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from boundaries.configuration import Configuration, read_configuration
from boundaries.exemptions import without_exempt
from boundaries.findings import Finding
from boundaries.gates import applies, run_gate
from boundaries.output import ANNOTATIONS, json_text, text
from boundaries.rules import RULES
from boundaries.subject import Subject, read_subject, require_package
from buildspeed.command_line import REPOSITORY, Parser, run
from buildspeed.failures import UsageError
from buildspeed.toolchain import find_toolchain
from buildspeed.wording import amount

CONFIGURATION = REPOSITORY / "scripts" / "check.toml"

_DESCRIPTION = """\
Finds what breaks the dependency rule, or keeps a module from being understood, tested and replaced."""

_EPILOG = """\
how it works:
  Targets and their dependencies are what 'swift package describe' says. Sources are read by the compiler's own
  parser, also the code in all branches of '#if'. Nothing of the package is run or changed by the rules. Gates are
  commands that find problems by themselves; they run in the package's folder, and 'swift build' writes into
  its .build.

other packages:
  --config names a TOML file that says which targets are interfaces, implementations, fakes, tests and composition
  roots, by patterns of their names, what each of them may import, and which one file of a composition root may import
  implementations. scripts/check.toml is the one of this repository, and explains each entry. What a file leaves out
  ([routes], [modules], [documents], gates) is not checked. [[exemptions]] name files that may break a rule for a
  while; one that excuses nothing is found as well.

documents:
  Links must lead to a file, heading or line that exists. Between backquotes: a path must exist if its first part
  does; a script or 'swift run' must exist and know its long options (these in shell blocks, too); a member of a type
  that the package declares must be one; a function with labels must have them; and a word of several words
  (FakeSessions, confirmLeaving) must occur in code. All else may mean anything and is left alone. Names of other
  people's code, and of examples, are listed as 'foreign'.

output:
  path:line: error: what is wrong [rule], and below it what to do.

exit codes:
  0 nothing was found; 1 something was, or the package could not be read; 64 a wrong option, name or configuration;
  69 Swift or Python is missing; 130, 143 interrupted.

examples:
  scripts/check
  scripts/check --no-build
  scripts/check --rule import --rule edge
  scripts/check --package ../Shop --config ../Shop/check.toml --annotations github
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    return run(lambda: _check(_parser().parse_args(arguments)))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/check", _DESCRIPTION, _EPILOG)
    parser.add_argument(
        "--package", type=Path, default=REPOSITORY, metavar="DIR", help="the package (default: this repository)"
    )
    parser.add_argument(
        "--config", type=Path, default=CONFIGURATION, metavar="FILE", help="its rules (default: scripts/check.toml)"
    )
    parser.add_argument(
        "--rule", action="append", default=[], metavar="NAME", help="only this rule or gate; may be given again"
    )
    parser.add_argument("--no-build", action="store_true", help="leave out the gates that build the package")
    parser.add_argument("--no-format", action="store_true", help="leave out the gates for formatting and style")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print one JSON object")
    output.add_argument(
        "--annotations",
        choices=sorted(ANNOTATIONS),
        help="print what this CI system shows on the lines: workflow commands, or a code quality report",
    )
    output.add_argument("--list-rules", action="store_true", help="list the rules and gates, and check nothing")
    return parser


def _check(options: argparse.Namespace) -> int:
    configuration = read_configuration(options.config)
    known = {rule.name: rule.summary for rule in RULES} | {gate.rule: gate.summary for gate in configuration.gates}
    if options.list_rules:
        width = max(map(len, known))
        print("\n".join(f"{name:<{width}}  {summary}" for name, summary in known.items()))
        return os.EX_OK
    chosen = _chosen(options, configuration, known)
    subject = read_subject(require_package(options.package), configuration, find_toolchain())
    found = [finding for rule in RULES if rule.name in chosen for finding in rule.check(subject)]
    found += _gate_findings(subject, chosen)
    file = options.config.resolve()
    file = file.relative_to(subject.folder) if file.is_relative_to(subject.folder) else file
    findings = sorted(without_exempt(found, configuration.exemptions, chosen, file, options.config))
    _print(findings, options, subject, [name for name in known if name in chosen])
    return 1 if findings else os.EX_OK


def _chosen(options: argparse.Namespace, configuration: Configuration, known: dict[str, str]) -> set[str]:
    for name in [*options.rule, *(each.rule for each in configuration.exemptions)]:
        if name not in known:
            raise UsageError(f"no rule is called '{name}'. Choose from: {', '.join(known)}.")
    left_out = {"build"} if options.no_build else set()
    left_out |= {"format"} if options.no_format else set()
    skipped = {gate.rule for gate in configuration.gates if gate.stage in left_out}
    return set(options.rule or known) - skipped


def _gate_findings(subject: Subject, chosen: set[str]) -> list[Finding]:
    found: list[Finding] = []
    for gate in subject.configuration.gates:
        if gate.rule in chosen and applies(gate, subject):
            if gate.stage == "build":
                # The one that takes its time.
                print(f"{' '.join(gate.command)} ...", file=sys.stderr)
            found += run_gate(gate, subject)
    return found


def _print(findings: Sequence[Finding], options: argparse.Namespace, subject: Subject, rules: Sequence[str]) -> None:
    if options.json:
        print(json_text(findings, subject.package.name, rules))
    elif options.annotations:
        shown = ANNOTATIONS[options.annotations](findings)
        if shown:
            print(shown)
    elif findings:
        print(text(findings))
        broken = len({each.rule for each in findings})
        print(f"\n{amount(len(findings), 'finding')}, of {amount(broken, 'rule')}", file=sys.stderr)
    else:
        count = len(subject.package.targets)
        print(f"{len(rules)} rules, {count} targets, {len(subject.sources)} files: nothing found")
