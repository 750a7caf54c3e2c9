"""All that SwiftPM prints of a package, so that two states of it can be compared field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

# What is described of a target although it follows from its files, and from the fields of others.
_DERIVED = {"sources", "resources", "product_memberships", "target_dependencies", "product_dependencies"}
# Where the package is, and what is kept apart.
_NO_FIELDS = {"targets", "products", "dependencies", "path", "packageKind"}
# SwiftPM prints them in another order each time.
_UNORDERED = {"traits", "enabledTraits"}


class Library(msgspec.Struct, frozen=True):
    """A library product: its name, its kind (`automatic`, `static`, `dynamic`), and its targets."""

    name: str
    kind: str
    targets: tuple[str, ...]


class Facts(msgspec.Struct, frozen=True):
    """What SwiftPM prints of a package and its targets, products and dependencies, by their names and with the names of
    its fields; what follows from other fields, or from the files that are there, is left out."""

    fields: dict[str, Any] = {}
    targets: dict[str, Any] = {}
    products: dict[str, Any] = {}
    # Other packages, by their identities.
    dependencies: dict[str, Any] = {}

    @classmethod
    def of(cls, dump: Mapping[str, Any], description: Mapping[str, Any], root: Path) -> Facts:
        """What `swift package dump-package` and `… describe --type json` print of a package below a folder, which is
        left out of all paths."""
        dump, description = _without(root, dump), _without(root, description)
        described = {
            each["name"]: {name: value for name, value in each.items() if name not in _DERIVED}
            for each in description["targets"]
        }
        dumped = {each["name"]: each for each in dump["targets"]}
        return cls(
            {name: value for name, value in {**description, **dump}.items() if name not in _NO_FIELDS},
            {name: {**described.get(name, {}), **dumped.get(name, {})} for name in described.keys() | dumped.keys()},
            {each["name"]: each for each in (*description.get("products", ()), *dump.get("products", ()))},
            {values["identity"]: each for each in dump["dependencies"] for ((values,),) in [each.values()]},
        )

    def target(self, name: str) -> Mapping[str, Any]:
        """What SwiftPM prints of a target; nothing for a name that no target has."""
        found: Mapping[str, Any] = self.targets.get(name, {})
        return found

    @property
    def libraries(self) -> list[Library]:
        return [
            Library(name, each["type"]["library"][0], tuple(each["targets"]))
            for name, each in self.products.items()
            if "library" in each["type"]
        ]


def local_paths(dependency: Mapping[str, Any]) -> Iterator[Path]:
    """The folder of a local package that a manifest depends on."""
    yield from (Path(each["path"]) for each in dependency.get("fileSystem", ()))


def _without(root: Path, value: Any) -> Any:  # noqa: ANN401
    """What SwiftPM prints without the folder in which a package was written, and with traits in order."""
    match value:
        case str():
            return value if root == Path("/") else value.replace(f"{root}/", "/")
        case list():
            return [_without(root, each) for each in value]
        case dict():
            found = {name: _without(root, each) for name, each in value.items()}
            for name in _UNORDERED & found.keys():
                found[name] = sorted(found[name] or [], key=msgspec.json.encode)
            return found
    return value
