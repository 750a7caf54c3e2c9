"""Makes records of what edits compile, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from buildspeed.matrix import Matrix, MatrixCell

TARGETS = {
    "App": "App",
    "MInterface": "M/Interface",
    "MImplementation": "M/Implementation",
    "NInterface": "N/Interface",
    "NImplementation": "N",
}


def matrix(
    *cells: MatrixCell,
    missing: Mapping[str, str] | None = None,
    placements: Mapping[str, str] | None = None,
    package: str = "P",
) -> Matrix:
    """A record with the edits, layouts and modules of its cells."""
    return Matrix(
        package=package,
        command="scripts/measure matrix",
        toolchain="Swift 6",
        layouts=tuple(dict.fromkeys(cell.layout for cell in cells)),
        edits=tuple(dict.fromkeys([*(cell.edit for cell in cells), *(each.split()[0] for each in missing or ())])),
        modules=tuple(dict.fromkeys(cell.module for cell in cells if cell.module)),
        targets=TARGETS,
        placements=placements or {},
        missing=missing or {},
        cells=cells,
    )


def cell(
    *files: str,
    edit: str = "body",
    module: str | None = "M",
    layout: str = "interface",
    linked: Sequence[str] = ("App",),
    smallest: Sequence[str] = ("A.swift",),
    reasons: Mapping[str, str] | None = None,
) -> MatrixCell:
    """A build after an edit; the files without a reason were edited."""
    compiled = dict.fromkeys(files, "edited") | dict(reasons or {})
    return MatrixCell(edit, module, layout, compiled, tuple(smallest), 1, tuple(linked))
