"""The facts of a package that no reader can find out, from its `swiftmodules.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from swiftmodules.errors import UsageError

NAMES = (Path("swiftmodules.toml"), Path("scripts/swiftmodules.toml"))

PartKind = Literal["interface", "implementation", "testing", "tests"]
PART_KINDS: tuple[PartKind, ...] = get_args(PartKind)


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; entries that it does not know are errors."""


class TargetRule(_Section, frozen=True):
    """The targets of some names. A target belongs to the first entry that one of its names matches.

    In names, `{module}` stands for the name of a module, which the entries for interfaces give it, and `*` for any
    text.
    """

    kind: PartKind
    names: tuple[str, ...]


# Where a configuration does not name interfaces. Implementations of a second interface have other endings.
USUAL_NAMES = (
    TargetRule("testing", ("{module}Testing", "{module}Fakes", "{module}Mocks")),
    TargetRule("tests", ("{module}Tests",)),
    TargetRule("implementation", ("{module}Implementation",)),
    TargetRule("interface", ("{module}Interface",)),
    TargetRule("implementation", ("{module}*",)),
)


class Setting(_Section, frozen=True, omit_defaults=True):
    """A way to build that may be faster, which `measure --settings` compares with others.

    `source` is the address of a text that recommends it.
    """

    # Without spaces and commas, which separate names.
    name: Annotated[str, Meta(pattern=r"^[\w.+-]+$")]
    meaning: str
    # Of `swift build`, and of the compiler.
    options: tuple[str, ...] = ()
    compiler: tuple[str, ...] = ()
    source: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The options that it adds to the command line of a build."""
        return (*self.options, *(word for each in self.compiler for word in ("-Xswiftc", each)))


class ProgramRun(_Section, frozen=True, omit_defaults=True):
    """One run of the program whose behaviour is compared, with what is typed into it."""

    arguments: tuple[str, ...] = ()
    input: str = ""


class Measure(_Section, frozen=True):
    """Defaults of measurements: the modules that are edited, the one that is copied to make a larger package, the runs
    of the program that verify it, which share a folder that is empty in the beginning, and further settings."""

    modules: tuple[str, ...] = ()
    scale_module: str | None = None
    session: tuple[ProgramRun, ...] = (ProgramRun(),)
    settings: tuple[Setting, ...] = ()


class Patterns(_Section, frozen=True):
    """What a changed file of no target reaches: nothing, or some tests that read it; without an entry, it reaches
    everything. Patterns are relative to the package, and may begin with `../`; `*` stands for any name, `**/` for any
    folders, and a pattern that ends with `/` for all that is below a folder."""

    no_effect: tuple[str, ...] = ()
    tests: dict[str, tuple[str, ...]] = {}


class Live(_Section, frozen=True):
    """How a module reaches a running program: the protocol of module entries, each of which has `init()`, the target
    that declares the protocol, and the modules that a running program keeps."""

    protocol: str
    interface: str
    restart: tuple[str, ...] = ()


class Config(_Section, frozen=True):
    targets: tuple[TargetRule, ...] = ()
    changes: Patterns = Patterns()
    measure: Measure = Measure()
    live: Live | None = None

    @property
    def names(self) -> tuple[TargetRule, ...]:
        """The entries for targets, and the usual ones where they name no interfaces."""
        has_interfaces = any(rule.kind == "interface" for rule in self.targets)
        return self.targets if has_interfaces else (*self.targets, *USUAL_NAMES)


def config_of(package: Path) -> Config:
    """The configuration in the folder of a package, or an empty one."""
    found = next((package / name for name in NAMES if (package / name).is_file()), None)
    return read_config(found) if found else Config()


def read_config(path: Path) -> Config:
    """Raises `UsageError` where the file cannot be used."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The configuration {path} cannot be read: {error}") from error
    try:
        return msgspec.toml.decode(text, type=Config)
    except msgspec.ValidationError as error:
        raise UsageError(f"The configuration {path} does not fit: {error}.") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"The configuration {path} is not TOML: {error}") from error
