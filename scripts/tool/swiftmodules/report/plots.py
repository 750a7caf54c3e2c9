"""The SVG plots of a record of `scale` that stand beside its report: small plots, one for each edit, in one picture.

Text is in the colour of the page, dark on a light one and light on a dark one, as far as the viewer reports that.
"""

from __future__ import annotations

import hashlib

from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.records.files import record_bytes
from swiftmodules.records.kinds import ScaleRecord
from swiftmodules.report.charts import growth_curves
from swiftmodules.report.markdown import environment

# Distinct on white and on black, also for readers who see few colours; their marks differ besides.
_STYLES = {
    "interface": ("#3b82d6", "circle"),
    "fused": ("#d97706", "square"),
    "monolith": ("#8b6fd1", "triangle"),
    "packages": ("#17966f", "diamond"),
    "live": ("#d6336c", "diamond"),
}


def plots(analysis: ScaleAnalysis) -> dict[str, str]:
    """Every plot by the name of its file, which lies beside the report."""
    return {f"{quantity}.svg": plot(analysis, quantity) for quantity in ("seconds", "files")}


def fingerprint(record: ScaleRecord) -> str:
    """Returns the text in a picture that shows whether it is that of a record."""
    return f"record {hashlib.sha256(record_bytes(record)).hexdigest()}"


def plot(analysis: ScaleAnalysis, quantity: str) -> str:
    """The picture of `seconds` or `files`; the same record gives the same bytes."""
    return (
        environment()
        .get_template("plots.svg")
        .render(
            fingerprint=fingerprint(analysis.record),
            quantity=analysis.clock if quantity == "seconds" else "compiled files",
            plots=[
                (curves, next(chart for chart in curves.charts if chart.unit == quantity))
                for curves in growth_curves(analysis)
            ],
            styles={
                layout: _STYLES.get(layout, ("currentColor", "circle")) for layout in analysis.record.options.layouts
            },
        )
    )
