"""The pictures in README: the App after a session in a terminal, and an edit that has just come into the running App.

    scripts/docs --picture

The program writes to a pseudo-terminal, `pyte` keeps the screen that a user would see, and `rich` draws it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from io import StringIO
from itertools import groupby
from pathlib import Path

import pyte
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.text import Text
from swiftmodules.errors import ToolError
from swiftmodules.files import write_atomically
from swiftmodules.swiftpm.copy import copy_package

from repo.terminal import ProgramInTerminal

PICTURE, LIVE_PICTURE = Path("docs/app.svg"), Path("docs/live.svg")
PROGRAM = Path(".build/debug/App")

# The text that a user waits for, and what they type then.
SESSION = (
    ("3 Sign in", "2"),
    ("User name:", "ann\tsecret\r"),
    ("@ann", "t"),
    ("Navigation stack", "2"),
    ("Bob Builder", "1"),
    ("Profile of bob › Profile of ann", ""),
)
# With the focus on the first choice, wherever it was when the profile was loaded.
LIVE_SESSION = (("3 Sign in", "2"), ("User name:", "ann\tsecret\r"), ("[ Reload ]", "\x1b[H"))
EDITED = Path("Modules/Profile/Implementation/OverviewContent.swift")
BEFORE, AFTER = '.text("@\\(user.id)")', '.text("@\\(user.id), live")'
COLUMNS, ROWS, LIVE_ROWS = 96, 22, 14
_BUILD_SECONDS = 600.0
# After the last frame.
_QUIET_SECONDS = 0.5


def picture(repository: Path) -> str:
    """The App at the end of the session, as an SVG image.

    Raises ToolError where the App is not built, or shows something else.
    """
    program = repository / PROGRAM
    if not program.is_file():
        raise ToolError(f"{PROGRAM} is missing. Build it first: swift build")
    app = ProgramInTerminal([str(program), "--ephemeral"], {"TERM": "xterm-256color"}, COLUMNS, ROWS)
    try:
        app.follow(SESSION)
        app.read_all(_QUIET_SECONDS)
    finally:
        app.stop()
    return _drawn(_lines(app.screen), "swift run App", "app")


def live_picture(repository: Path) -> str:
    """An edit, and the App in which it has just replaced a module, as an SVG image.

    Raises ToolError where the App shows something else.
    """
    package = repository / ".build/picture"
    shutil.rmtree(package, ignore_errors=True)
    copy_package(repository, package)
    command = [sys.executable, "-m", "swiftmodules", "live", "--package", str(package), "--", "--ephemeral"]
    variables = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(repository / "scripts/tool")}
    session = ProgramInTerminal(command, variables, COLUMNS, LIVE_ROWS)
    try:
        session.wait_for(LIVE_SESSION[0][0], _BUILD_SECONDS)
        session.follow(LIVE_SESSION)
        text, notice = (package / EDITED).read_text(encoding="utf-8"), "Profile replaced in "
        # The first edit of a target compiles all its files.
        for edited in (text + "\n", text.replace(BEFORE, AFTER)):
            session.wait_until(lambda: notice not in session.text, "remove its notice")
            (package / EDITED).write_text(edited, encoding="utf-8")
            session.wait_for(notice)
        session.read_all(_QUIET_SECONDS)
        # Before the session is ended, which shows the path of its log.
        shown = _lines(session.screen)
    finally:
        session.stop()
    edit = [Text(str(EDITED)), Text(f"- {BEFORE}", "red"), Text(f"+ {AFTER}", "green"), Text("─" * COLUMNS)]
    return _drawn([*edit, *shown], "scripts/live", "live")


def write_pictures(repository: Path) -> int:
    """Writes the pictures, and returns 0."""
    for path, draw in ((PICTURE, picture), (LIVE_PICTURE, live_picture)):
        write_atomically(repository / path, draw(repository))
        print(f"wrote {path}")
    return 0


def _drawn(lines: Sequence[Text], title: str, name: str) -> str:
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor")
    for text in lines:
        console.print(text, soft_wrap=True, highlight=False)
    svg = console.export_svg(title=title, unique_id=name)
    # The font would be loaded from elsewhere.
    return re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)


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
