"""Reads a package, looks at it with the rules, and prints what they find."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from swiftmodules.check import code, implementations, imports, interfaces, routes, targets
from swiftmodules.check.subject import BOUNDARIES, BUDGETS, Finding, Rule, Subject
from swiftmodules.errors import UsageError
from swiftmodules.options import CheckChoices
from swiftmodules.swiftpm.config import Config, Exemption, config_file, read_config
from swiftmodules.swiftpm.package import package_folder, read_package
from swiftmodules.swiftpm.reader import SourceFile, read_files, read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

_MODULES = (code, targets, imports, interfaces, implementations, routes)
_FOUND = (each for module in _MODULES for each in vars(module).values() if isinstance(each, Rule))
RULES: tuple[Rule, ...] = tuple(sorted(_FOUND, key=lambda rule: rule.group != BOUNDARIES))


def run(package: Path, choices: CheckChoices) -> int:
    """Runs the check, and returns the exit code: 0 where nothing is found, otherwise 1."""
    folder = package_folder(package)
    file = choices.config or config_file(folder)
    config = read_config(file)
    chosen = _chosen(choices, config)
    if choices.list_rules:
        names, groups = (
            max(map(len, words)) for words in ([each.name for each in RULES], [each.group for each in RULES])
        )
        for rule in RULES:
            off = "" if rule in chosen else " (off)"
            print(f"{rule.name:<{names}}  {rule.group:<{groups}}  {rule.summary}{off}")
        return 0
    toolchain = Toolchain.find(variables=choices.variable)
    subject = read_subject(folder, config, toolchain)
    found = find(subject, chosen)
    wrong = {each for each in found if not any(_is_for(exemption, each) for exemption in config.exemptions)}
    if file is not None:
        name = file.resolve().relative_to(folder) if file.resolve().is_relative_to(folder) else file.resolve()
        lines = file.read_text(encoding="utf-8").splitlines()
        wrong |= set(_bad_exemptions(config.exemptions, found, {rule.name for rule in chosen}, name, lines))
    findings = sorted(wrong)
    _print(findings, choices, subject, [rule.name for rule in chosen])
    return 1 if findings else 0


def read_subject(folder: Path, config: Config, toolchain: Toolchain) -> Subject:
    """Reads a package without writing into its folder."""
    package = read_package(folder, toolchain, config.names)
    return Subject(
        folder, config, package, read_sources(folder, package, toolchain), read_also(folder, config, toolchain)
    )


def read_also(folder: Path, config: Config, toolchain: Toolchain) -> dict[Path, SourceFile]:
    """Reads the files beside those of the targets that the configuration names."""
    found = [path.relative_to(folder) for pattern in config.code.also for path in folder.glob(pattern)]
    return read_files(folder, found, toolchain)


def find(subject: Subject, rules: Iterable[Rule]) -> list[Finding]:
    """Returns the findings of some rules."""
    return [finding for rule in rules for finding in rule.findings(subject)]


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
            yield Finding(file, line, message, "Remove the exemption.", "exemption")
        elif not each.reason.strip():
            message = f"the exemption of {each.path} from the rule '{each.rule}' gives no reason."
            yield Finding(file, line, message, "Say why the file may break the rule, and until when.", "exemption")


def _chosen(choices: CheckChoices, config: Config) -> list[Rule]:
    """The rules that are asked for, or else those of the boundaries, that of budgets where the configuration has some,
    and those that it switches on. What it says of a rule counts before what it says of the rule's group."""
    names, groups = [rule.name for rule in RULES], list(dict.fromkeys(rule.group for rule in RULES))
    for name in [*choices.rules, *config.rules, *(each.rule for each in config.exemptions)]:
        if name not in (*names, *groups):
            raise UsageError(f"No rule or group is called '{name}'. Choose from: {', '.join([*groups, *names])}.")

    def is_chosen(rule: Rule) -> bool:
        if choices.rules:
            return rule.name in choices.rules or rule.group in choices.rules
        is_on = bool(config.budgets) if rule.group == BUDGETS else rule.group == BOUNDARIES
        return config.rules.get(rule.name, config.rules.get(rule.group, is_on))

    return [rule for rule in RULES if is_chosen(rule) and not (rule.needs_build and choices.no_build)]


def _print(findings: Sequence[Finding], choices: CheckChoices, subject: Subject, rules: Sequence[str]) -> None:
    if choices.json:
        listed = [asdict(each) | {"path": each.path.as_posix()} for each in findings]
        answer = {"package": subject.package.name, "rules": list(rules), "findings": listed}
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    elif findings:
        for each in findings:
            print(f"{each.path}:{each.line}: error: {each.message} [{each.rule}]\n    {each.fix}")
        broken = len({each.rule for each in findings})
        print(f"\n{_amount(len(findings), 'finding')}, of {_amount(broken, 'rule')}", file=sys.stderr)
    else:
        counts = {"rule": len(rules), "target": len(subject.package.targets), "file": len(subject.sources)}
        print(f"{', '.join(_amount(count, noun) for noun, count in counts.items())}: nothing found")


def _amount(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
