"""The rule for budgets: a target that many others depend on stays small."""

from __future__ import annotations

from collections.abc import Iterator

from swiftmodules.check.subject import BUDGETS, Problem, Subject, rule
from swiftmodules.errors import UsageError


@rule("interface-budget", "no target has more lines of code than its budget in the configuration", BUDGETS)
def keeps_its_budget(subject: Subject) -> Iterator[Problem]:
    """Counts lines that are neither blank nor comments. What an edit rebuilds includes the target itself."""
    package = subject.package
    known = {target.name: target for target in package.targets}
    for name, budget in subject.config.budgets.items():
        if name not in known:
            raise UsageError(f"[budgets]: no target in Swift is called '{name}'. Choose from: {', '.join(known)}.")
        lines = sum(bool(line.strip()) for file in subject.files(known[name]) for line in file.code.splitlines())
        if lines > budget:
            rebuilt = package.above([name])
            files = sum(len(target.sources) for target in rebuilt)
            message = (
                f"{name} has {lines:,} lines of code, and its budget is {budget:,}. After an edit in it, a cache of "
                f"targets rebuilds {len(rebuilt):,} targets with {files:,} files."
            )
            fix = "Move what few of them need into another target, or raise the budget in the configuration."
            yield subject.in_manifest(name, None, message, fix)
