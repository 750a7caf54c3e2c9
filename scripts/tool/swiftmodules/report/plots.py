"""The SVG plots that stand beside the report of a record.

Text is in the colour of the page, dark on a light one and light on a dark one, as far as the viewer reports that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from swiftmodules.analysis.compare import AnyAnalysis
from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.run import RunAnalysis
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.records.files import record_bytes
from swiftmodules.records.kinds import AnyRecord
from swiftmodules.report.charts import growth_curves, range_chart
from swiftmodules.report.markdown import environment

# Distinct on white and on black, also for readers who see few colours; their marks differ besides.
_STYLES = {
    "interface": ("#3b82d6", "circle"),
    "fused": ("#d97706", "square"),
    "monolith": ("#8b6fd1", "triangle"),
    "packages": ("#17966f", "diamond"),
    "live": ("#d6336c", "diamond"),
}


def plots(analysis: AnyAnalysis) -> dict[str, str]:
    """Every plot by the name of its file, which lies beside the report. The same record gives the same bytes."""
    match analysis:
        case ScaleAnalysis():
            return {f"{quantity}.svg": _growth(analysis, quantity) for quantity in ("seconds", "files")}
        case RunAnalysis() | MatrixAnalysis() | FloorAnalysis() if chart := range_chart(analysis):
            values = {"chart": chart, "styles": _styles(chart.layouts)}
            return {f"{chart.quantity}.svg": _drawn("ranges.svg", analysis.record, values)}
    return {}


def fingerprint(record: AnyRecord) -> str:
    """Returns the text in a picture that shows whether it is that of a record."""
    return f"record {hashlib.sha256(record_bytes(record)).hexdigest()}"


def _growth(analysis: ScaleAnalysis, quantity: str) -> str:
    """Small plots of `seconds` or `files`, one for each edit, in one picture."""
    curves = growth_curves(analysis)
    drawn = [(each, next(chart for chart in each.charts if chart.unit == quantity)) for each in curves]
    values = {
        "quantity": analysis.clock if quantity == "seconds" else "compiled files",
        "plots": drawn,
        "styles": _styles(analysis.record.options.layouts),
    }
    return _drawn("growth.svg", analysis.record, values)


def _styles(layouts: Iterable[str]) -> dict[str, tuple[str, str]]:
    return {layout: _STYLES.get(layout, ("currentColor", "circle")) for layout in layouts}


def _drawn(template: str, record: AnyRecord, values: Mapping[str, object]) -> str:
    return environment().get_template(template).render(fingerprint=fingerprint(record), **values)
