"""What a package is held to, as a TOML file says."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cattrs

from buildspeed.failures import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Kind = Literal["interface", "implementation", "testing", "tests", "composition", "other"]
KINDS: tuple[Kind, ...] = ("interface", "implementation", "testing", "tests", "composition", "other")
Stage = Literal["build", "format", "generated"]


@dataclass(frozen=True)
class TargetRule:
    """What holds for targets of some names. A target belongs to the first rule that one of its names matches.

    In names, `{module}` stands for the name of a module, which the rules for interfaces give it, and `*` for any text.
    """

    kind: Kind
    names: tuple[str, ...]
    # Kinds (`interface`), kinds of the same module (`own interface`), or names of targets.
    may_import: tuple[str, ...] = ()
    # Of a composition root: the only source, relative to its folder, that may import implementations. Without one, each
    # source may.
    composition_file: str | None = None
    # Of interfaces: those whose API stands at top level, for it is the vocabulary of all others.
    vocabulary: tuple[str, ...] = ()
    # Of an implementation: names of its module entry. Without one, there need not be any.
    entry: tuple[str, ...] = ()
    # Of an implementation: names of other types that it may make public.
    public: tuple[str, ...] = ()


@dataclass(frozen=True)
class RouteRule:
    """How routes are told, and what registers a handler for them: `registrar.route(Login.SignIn.self, …)`."""

    protocol: str
    registered_by: tuple[str, ...]


@dataclass(frozen=True)
class ModuleRule:
    """What a module has besides its targets."""

    readme: str = "README.md"


@dataclass(frozen=True)
class DocumentRule:
    """Which documents are read, and which names they may use.

    `files` are patterns of documents, and `code` folders of code, besides the targets, whose names documents may use.
    Neither is looked for in the folders `without`. `foreign` are names of other people's code, and of examples. What
    stands between `<!-- measured: begin -->` and `<!-- measured: end -->`, for the words `records`, tells of an
    earlier state.
    """

    files: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    records: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gate:
    """A command of the package that finds problems by itself.

    Its lines `path:line: message` become findings. In the command, `{python}` stands for the interpreter of the
    scripts, `{swift files}` and `{python files}` for those of the package. It is left out where `needs`, a path or
    pattern, does not exist in the package.
    """

    rule: str
    stage: Stage
    summary: str
    command: tuple[str, ...]
    fix: str
    needs: str = "Package.swift"


@dataclass(frozen=True)
class Exemption:
    """A file that may break a rule, with the reason. One that excuses nothing is found as well."""

    rule: str
    path: str
    reason: str


@dataclass(frozen=True)
class Configuration:
    """All that a package is held to."""

    targets: tuple[TargetRule, ...]
    routes: RouteRule | None = None
    modules: ModuleRule | None = None
    documents: DocumentRule | None = None
    gates: tuple[Gate, ...] = ()
    exemptions: tuple[Exemption, ...] = ()


def read_configuration(path: Path) -> Configuration:
    """Reads a configuration; raises `UsageError` where it is none."""
    try:
        return _CONVERTER.structure(tomllib.loads(path.read_text(encoding="utf-8")), Configuration)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the configuration {path} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the configuration {path} is no TOML: {error}") from error
    except cattrs.BaseValidationError as error:
        problems = "\n".join(f"  {problem}" for problem in cattrs.transform_error(error, path="the file"))
        raise UsageError(f"the configuration {path} does not fit:\n{problems}") from error


def _strings(value: object, _: type) -> tuple[str, ...]:
    # A string is a sequence as well, of letters.
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError("not a list of strings")
    return tuple(value)


def _string(value: object, _: type) -> str:
    if not isinstance(value, str):
        raise TypeError("not a string")
    return value


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(str, _string)
    converter.register_structure_hook_func(lambda each: each == tuple[str, ...], _strings)
    return converter


_CONVERTER = _converter()
