"""Edits of whole files: a new one, and the manifest."""

from __future__ import annotations

from buildspeed.edits.implementation import edited_file
from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import FileAddition, ManifestTouch, Placement
from buildspeed.edits.site import Site


def _new_file(site: Site) -> Placement:
    file = edited_file(site)
    text = "/// Edit {n}.\nstruct Edit{n} {\n    let number = {n}\n}\n"
    description = f"a file with an internal struct beside {file.path}"
    return Placement("new-file", site.module_name, description, FileAddition(file.path, text))


def _manifest_touch(site: Site) -> Placement:
    return Placement("manifest-touch", None, "the time of Package.swift", ManifestTouch())


NEW_FILE = Mutator("new-file", "a new file with an internal type in the implementation", _new_file)
MANIFEST_TOUCH = Mutator(
    "manifest-touch", "only the modification time of Package.swift", _manifest_touch, is_per_module=False
)
