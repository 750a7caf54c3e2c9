"""Reads a package, looks at it with the rules, and prints what they find."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.check import code, document_names, documents, implementations, imports, interfaces, modules, targets
from swiftmodules.check.findings import ANNOTATIONS, Annotations, Finding, json_text, text
from swiftmodules.check.gates import applies, run_gate
from swiftmodules.check.subject import Rule, Subject
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.config import Config, Exemption, config_file, read_config
from swiftmodules.swiftpm.package import package_folder, read_package
from swiftmodules.swiftpm.syntax import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

RULES: tuple[Rule, ...] = tuple(
    each
    for module in (code, targets, imports, interfaces, implementations, modules, documents, document_names)
    for each in vars(module).values()
    if isinstance(each, Rule)
)


@dataclass(frozen=True)
class Options:
    """The options of a check: what to look at, and how to print the findings."""

    package: Path = Path()
    # Without one, `swiftmodules.toml` or `scripts/swiftmodules.toml` in the package, if there is one.
    config: Path | None = None
    # Only these rules and gates; all where there are none.
    rules: tuple[str, ...] = ()
    no_build: bool = False
    no_format: bool = False
    json: bool = False
    annotations: Annotations | None = None
    list_rules: bool = False
    no_cache: bool = False


def run(options: Options) -> int:
    """Runs the check, and returns the exit code: 0 where nothing is found, otherwise 1."""
    folder = package_folder(options.package)
    file = options.config or config_file(folder)
    config = read_config(file)
    known = {rule.name: rule.summary for rule in RULES} | {gate.rule: gate.summary for gate in config.gates}
    if options.list_rules:
        width = max(map(len, known))
        print("\n".join(f"{name:<{width}}  {summary}" for name, summary in known.items()))
        return 0
    chosen = _chosen(options, config, known)
    cache = None if options.no_cache else cache_folder()
    subject = read_subject(folder, config, Toolchain.find(), cache)
    found = [*find(subject, chosen), *_gate_findings(subject, chosen, cache)]
    wrong = {each for each in found if not any(_is_for(exemption, each) for exemption in config.exemptions)}
    if file is not None:
        name = file.resolve().relative_to(folder) if file.resolve().is_relative_to(folder) else file.resolve()
        lines = file.read_text(encoding="utf-8").splitlines()
        wrong |= set(_bad_exemptions(config.exemptions, found, chosen, name, lines))
    findings = sorted(wrong)
    _print(findings, options, subject, [name for name in known if name in chosen])
    return 1 if findings else 0


def read_subject(folder: Path, config: Config, toolchain: Toolchain, cache: Path | None = None) -> Subject:
    """Reads a package without writing into its folder."""
    package = read_package(folder, toolchain, cache=cache)
    return Subject(folder, config, package, read_sources(folder, package, toolchain, cache=cache), toolchain)


def find(subject: Subject, chosen: Iterable[str]) -> list[Finding]:
    """Returns the findings of the chosen rules."""
    return [finding for rule in RULES if rule.name in chosen for finding in rule.findings(subject)]


def _is_for(exemption: Exemption, finding: Finding) -> bool:
    return (exemption.rule, Path(exemption.path)) == (finding.rule, finding.path)


def _bad_exemptions(
    exemptions: Iterable[Exemption], found: Sequence[Finding], checked: set[str], file: Path, lines: Sequence[str]
) -> Iterator[Finding]:
    """The exemptions that excuse nothing, or give no reason, each on the line of the configuration with its path."""
    for each in exemptions:
        line = next((number for number, text in enumerate(lines, start=1) if f'"{each.path}"' in text), 1)
        if each.rule in checked and not any(_is_for(each, finding) for finding in found):
            message = f"nothing in {each.path} breaks the rule '{each.rule}' any more."
            yield Finding(file, line, "exemption", message, "Remove the exemption.")
        elif not each.reason.strip():
            message = f"the exemption of {each.path} from the rule '{each.rule}' gives no reason."
            yield Finding(file, line, "exemption", message, "Say why the file may break the rule, and until when.")


def _chosen(options: Options, config: Config, known: Mapping[str, str]) -> set[str]:
    for name in [*options.rules, *config.rules, *(each.rule for each in config.exemptions)]:
        if name not in known:
            raise UsageError(f"No rule is called '{name}'. Choose from: {', '.join(known)}.")
    left_out = {"build"} if options.no_build else set()
    left_out |= {"format"} if options.no_format else set()
    skipped = {gate.rule for gate in config.gates if gate.stage in left_out}
    skipped |= {rule.name for rule in RULES if rule.needs_build and options.no_build}
    switched_off = {name for name, is_on in config.rules.items() if not is_on}
    return (set(options.rules) or set(known) - switched_off) - skipped


def _gate_findings(subject: Subject, chosen: set[str], cache: Path | None) -> Iterator[Finding]:
    for gate in subject.config.gates:
        if gate.rule in chosen and applies(gate, subject):
            if gate.stage == "build":
                # The one that takes its time.
                print(f"{' '.join(gate.command)} ...", file=sys.stderr)
            yield from run_gate(gate, subject, cache)


def _print(findings: Sequence[Finding], options: Options, subject: Subject, rules: Sequence[str]) -> None:
    if options.json:
        print(json_text(findings, subject.package.name, rules))
    elif options.annotations:
        shown = ANNOTATIONS[options.annotations](findings)
        if shown:
            print(shown)
    elif findings:
        print(text(findings))
        broken = len({each.rule for each in findings})
        print(f"\n{_amount(len(findings), 'finding')}, of {_amount(broken, 'rule')}", file=sys.stderr)
    else:
        count = len(subject.package.targets)
        print(f"{len(rules)} rules, {count} targets, {len(subject.sources)} files: nothing found")


def _amount(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
