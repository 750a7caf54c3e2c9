"""The picture of the App in README: a session in a terminal, and what is on the screen in the end.

    scripts/docs --picture

The App writes to a pseudo-terminal, `pyte` keeps the screen that a user would see, and `rich` draws it.
"""

from __future__ import annotations

import os
import re
import signal
from io import StringIO
from itertools import groupby
from pathlib import Path

import pyte
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text
from swiftmodules.build.terminal import ProgramInTerminal
from swiftmodules.errors import ToolError
from swiftmodules.records.files import write_atomically

PICTURE = Path("docs/app.svg")
PROGRAM = Path(".build/debug/App")

# What a user waits for, and what they type then.
SESSION = (
    ("You are not signed in.", "\r"),
    ("User name:", "ann\tsecret\r"),
    ("@ann", "t"),
    ("Navigation stack", "2"),
    ("Bob Builder", "1"),
    ("Profile of bob › Profile of ann", ""),
)
COLUMNS, ROWS = 96, 22


def picture(repository: Path) -> str:
    """The App at the end of the session, as an SVG image.

    Raises ToolError where the App is not built, or shows something else.
    """
    program = repository / PROGRAM
    if not program.is_file():
        raise ToolError(f"{PROGRAM} is missing. Build it first: swift build")
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor")
    for text in _lines(_screen(program)):
        console.print(text, soft_wrap=True, highlight=False)
    svg = console.export_svg(title="swift run App", unique_id="app")
    # The font would be loaded from elsewhere.
    return re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)


def write_picture(repository: Path) -> int:
    """Writes the picture, and returns 0."""
    write_atomically(repository / PICTURE, picture(repository))
    print(f"wrote {PICTURE}")
    return 0


def _screen(program: Path) -> pyte.Screen:
    """The screen after the session."""
    app = ProgramInTerminal([str(program), "--ephemeral"], {"TERM": "xterm-256color"}, COLUMNS, ROWS)
    try:
        app.follow(SESSION)
        # The rest of the last frame.
        while app.read(0.5):
            pass
    finally:
        os.kill(app.process, signal.SIGKILL)
        app.end()
    return app.screen


def _lines(screen: pyte.Screen) -> list[Text]:
    """The lines of a screen with their colours."""
    lines = []
    for row in range(screen.lines):
        cells = [screen.buffer[row][column] for column in range(screen.columns)]
        text = Text()
        for (foreground, background, bold, reverse), run in groupby(
            cells, lambda cell: (cell.fg, cell.bg, cell.bold, cell.reverse)
        ):
            style = Style(color=_color(foreground), bgcolor=_color(background), bold=bold, reverse=reverse)
            text.append("".join(cell.data for cell in run), style)
        lines.append(text)
    return lines


def _color(name: str) -> Color | None:
    if name == "default":
        return None
    return Color.parse(f"#{name}" if re.fullmatch("[0-9a-f]{6}", name) else name.replace("brown", "yellow"))
