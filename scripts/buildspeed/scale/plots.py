"""Draws how compiled files and seconds grow with the size: a picture of small plots, one for each edit."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from buildspeed.plan import Cell
from buildspeed.record_file import json_text
from buildspeed.scale.growth import Growth, growths, rows_of
from buildspeed.scale.record import ScaleRecord
from buildspeed.summary import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Quantity = Literal["seconds", "files"]
QUANTITIES: tuple[Quantity, ...] = ("seconds", "files")

_TITLES = {"seconds": "seconds of `swift build`", "files": "compiled files"}
_COLUMNS = 3
# Told apart on white and on black, also by people who see few colours; by their marks besides.
_STYLES = {
    "interface": ("#3b82d6", "o"),
    "fused": ("#d97706", "s"),
    "monolith": ("#8b6fd1", "^"),
    "packages": ("#17966f", "D"),
}
# Stands for the colour of the page's text until the picture is finished.
_TEXT = "#010203"
_STYLE_SHEET = "<style>svg { color: #1f2328 } @media (prefers-color-scheme: dark) { svg { color: #e6edf3 } }</style>"


def fingerprint(record: ScaleRecord) -> str:
    """What tells whether a picture is that of a record; it stands in the picture."""
    return f"<!-- record {hashlib.sha256(json_text(record.as_json()).encode()).hexdigest()} -->"


def plot(record: ScaleRecord, shape: str, quantity: Quantity) -> str:
    """An SVG picture without a background, whose text is dark on a light page and light on a dark one."""
    # Takes a second to load, and memory that would count as that of what a measurement starts.
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    rows, found = rows_of(record), growths(record, shape)
    # Fixed identifiers and no date, so that the same record gives the same bytes; text as text, which can be searched.
    settings = {"svg.hashsalt": "buildspeed", "svg.fonttype": "none", "font.size": 9, "text.parse_math": False}
    with matplotlib.rc_context({**settings, **_colours()}):
        count = -(-len(rows) // _COLUMNS)
        figure = Figure(figsize=(9, 0.7 + 2.1 * count), layout="constrained")
        FigureCanvasSVG(figure)
        axes = list(figure.subplots(count, _COLUMNS, squeeze=False).flat)
        for row, each in zip(rows, axes, strict=False):
            _draw(each, row, found, record.options.layouts, quantity)
        for unused in axes[len(rows) :]:
            unused.set_axis_off()
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
        figure.supxlabel(f"copies of the module, in the shape '{shape}'")
        figure.supylabel(_TITLES[quantity].replace("`", ""))
        output = io.StringIO()
        figure.savefig(output, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _with_page_colours(output.getvalue(), fingerprint(record))


def _draw(axes: Axes, row: Row, found: Mapping[Cell, Growth], layouts: Sequence[str], quantity: Quantity) -> None:
    axes.set_title(" ".join(filter(None, row)), fontsize=9)
    for layout in layouts:
        growth = found.get(Cell(layout, *row))
        if growth is None:
            continue
        colour, mark = _STYLES.get(layout, (_TEXT, "x"))
        sizes = [point.size for point in growth.points]
        values = [getattr(point, quantity) for point in growth.points]
        axes.plot(sizes, values, mark, color=colour, markersize=4, label=layout, alpha=0.9)
        line = growth.seconds if quantity == "seconds" else growth.files
        if line is not None:
            ends = [sizes[0], sizes[-1]]
            axes.plot(ends, [line.intercept + line.slope * size for size in ends], color=colour, linewidth=1)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)


def _colours() -> dict[str, str]:
    keys = ("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor", "xtick.color", "ytick.color")
    return dict.fromkeys(keys, _TEXT)


def _with_page_colours(svg: str, comment: str) -> str:
    svg = svg[svg.index("<svg") :].replace(_TEXT, "currentColor")
    end_of_tag = svg.index(">") + 1
    return f"{comment}\n{svg[:end_of_tag]}\n {_STYLE_SHEET}{svg[end_of_tag:]}"
