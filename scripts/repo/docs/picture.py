"""The picture in README: an edit that has just come into the running App.

    scripts/docs --picture

The program writes to a pseudo-terminal, and `pyte` keeps the screen that a user would see. Each column of the screen is
drawn at its own position and with its own width, so that no font tears the columns.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from html import escape
from itertools import groupby
from pathlib import Path

import pyte
from swiftmodules.files import write_atomically
from swiftmodules.swiftpm.copy import copy_package

from repo.terminal import ProgramInTerminal

PICTURE = Path("docs/live.svg")

# The text that a user waits for, and what they type then. The focus ends on the first choice, wherever it was when the
# profile was loaded.
SESSION = (("3 Sign in", "2"), ("User name:", "ann\tsecret\r"), ("[ Reload ]", "\x1b[H"))
EDITED = Path("Modules/Profile/Implementation/OverviewContent.swift")
BEFORE, AFTER = '.text("@\\(user.id)")', '.text("@\\(user.id), live")'
COLUMNS, ROWS = 120, 14
_BUILD_SECONDS = 600.0
# After the last frame.
_QUIET_SECONDS = 0.5


def picture(repository: Path) -> str:
    """An edit, and the App in which it has just replaced a module, as an SVG image.

    Raises ToolError where the App shows something else.
    """
    package = repository / ".build/picture"
    shutil.rmtree(package, ignore_errors=True)
    copy_package(repository, package)
    command = [sys.executable, "-m", "swiftmodules", "live", "--package", str(package), "--", "--ephemeral"]
    variables = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(repository / "scripts/tool")}
    session = ProgramInTerminal(command, variables, COLUMNS, ROWS)
    try:
        session.wait_for(SESSION[0][0], _BUILD_SECONDS)
        session.follow(SESSION)
        text, notice = (package / EDITED).read_text(encoding="utf-8"), "Profile replaced in "
        # The first edit of a session takes longer.
        (package / EDITED).write_text(text + "\n", encoding="utf-8")
        session.wait_for(notice)
        session.wait_until(lambda: notice not in session.text, "remove its notice")
        before = _rows(session.screen)
        (package / EDITED).write_text(text.replace(BEFORE, AFTER), encoding="utf-8")
        session.wait_for(notice)
        measured = re.search(rf"{notice}([\d.]+) s", session.text)
        session.read_all(_QUIET_SECONDS)
        # Before the session is ended, which shows the path of its log.
        after = _rows(session.screen)
    finally:
        session.stop()
    seconds = float(measured[1]) if measured else 0.0
    return _image(_edit(before, after, seconds))


def write_picture(repository: Path) -> int:
    write_atomically(repository / PICTURE, picture(repository))
    print(f"wrote {PICTURE}")
    return 0


# The size of a cell.
_WIDTH, _HEIGHT = 8.4, 18.0
_TOP, _MARGIN = 34.0, 12.0
_BACKGROUND, _TEXT = "#1e1e1e", "#d4d4d4"
_COLORS = {
    "black": "#1e1e1e",
    "red": "#f14c4c",
    "green": "#23d18b",
    "brown": "#e5c07b",
    "blue": "#3b8eea",
    "white": "#e5e5e5",
    "brightwhite": "#ffffff",
}
# Above the running App, the edit and a line.
_EDIT_ROWS = 4
# The animation: the seconds until typing begins, of typing, until the text is saved, and of the result.
_PAUSE, _TYPING, _SAVING, _RESULT = 1.0, 2.0, 0.5, 4.0


def _image(content: str) -> str:
    width, height = COLUMNS * _WIDTH + 2 * _MARGIN, (_EDIT_ROWS + ROWS) * _HEIGHT + _TOP + _MARGIN
    dots = "".join(
        f'<circle cx="{18 + 18 * number}" cy="17" r="5" fill="{color}"/>'
        for number, color in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}">\n'
        "<style>text { font: 14px ui-monospace, Menlo, Consolas, monospace; } .bold { font-weight: bold; } "
        ".faint { opacity: 0.6; }</style>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{_BACKGROUND}"/>{dots}\n'
        f'<text x="{width / 2:.1f}" y="22" fill="{_TEXT}" text-anchor="middle">scripts/live</text>\n{content}</svg>\n'
    )


def _rows(screen: pyte.Screen) -> str:
    """The cells of a screen below the edit, each run of one style from its own column on."""
    elements = []
    for row in range(_EDIT_ROWS, _EDIT_ROWS + screen.lines):
        cells = [(column, screen.buffer[row - _EDIT_ROWS][column]) for column in range(screen.columns)]
        for (color, background, bold, faint, reverse), group in groupby(
            cells, lambda each: (each[1].fg, each[1].bg, each[1].bold, each[1].blink, each[1].reverse)
        ):
            run = list(group)
            start, text = run[0][0], "".join(cell.data for _, cell in run)
            fill, behind = _COLORS.get(color, _TEXT), _COLORS.get(background)
            if reverse:
                fill, behind = behind or _BACKGROUND, fill
            if behind:
                place = f'x="{_x(start):.1f}" y="{_y(row):.1f}" width="{len(run) * _WIDTH:.1f}"'
                elements.append(f'<rect {place} height="{_HEIGHT}" fill="{behind}"/>')
            kinds = " ".join(name for name, is_so in (("bold", bold), ("faint", faint)) if is_so)
            elements += [_edge(start + edge.start(), row, edge[0], fill, kinds) for edge in _EDGES.finditer(text)]
            for words in re.finditer(r"\S+(?: \S+)*", _EDGES.sub(lambda edge: " " * len(edge[0]), text)):
                elements.append(_run(start + words.start(), row, words[0], fill, kinds))
    return "\n".join(elements) + "\n"


# The characters of frames, which fonts draw with gaps.
_EDGES = re.compile("[┌└]?─+[┐┘]?|[┌┐└┘│]")


def _edge(column: int, row: int, text: str, color: str, kinds: str) -> str:
    """The lines of a frame: horizontal ones with their corners, or a vertical one."""
    top, bottom, middle = _y(row), _y(row + 1), _y(row) + _HEIGHT / 2
    start, end = _x(column) + _WIDTH / 2, _x(column + len(text)) - _WIDTH / 2
    down = {"┌": bottom, "┐": bottom, "└": top, "┘": top}
    if text == "│":
        path = f"M{start:.1f} {top:.1f} V{bottom:.1f}"
    else:
        begin = (
            f"M{start:.1f} {down[text[0]]:.1f} V{middle:.1f}" if text[0] in down else f"M{_x(column):.1f} {middle:.1f}"
        )
        finish = f"H{end:.1f} V{down[text[-1]]:.1f}" if text[-1] in down else f"H{_x(column + len(text)):.1f}"
        path = f"{begin} {finish}"
    return f'<path d="{path}" fill="none" stroke="{color}" class="{kinds}"/>'


def _run(column: int, row: int, text: str, fill: str = _TEXT, kinds: str = "") -> str:
    place = f'x="{_x(column):.1f}" y="{_y(row) + 13.5:.1f}" textLength="{len(text) * _WIDTH:.1f}"'
    marks = f' class="{kinds}"' if kinds else ""
    return f'<text {place} lengthAdjust="spacingAndGlyphs" fill="{fill}"{marks}>{escape(text, quote=False)}</text>'


def _edit(before: str, after: str, seconds: float) -> str:
    """An edit that is typed and saved, and the App, which shows it after some seconds.

    Without animation, the picture shows the end.
    """
    saved = _PAUSE + _TYPING + _SAVING
    whole = saved + seconds + _RESULT
    typed, save, shown = (100 * moment / whole for moment in (_PAUSE + _TYPING, saved, saved + seconds))
    start = 100 * _PAUSE / whole
    width = len(AFTER) * _WIDTH
    style = f"""<style>
.before, .cover {{ visibility: hidden; }}
@media (prefers-reduced-motion: no-preference) {{
  .before, .after, .saved, .cover {{ animation: {whole:.2f}s step-end infinite; }}
  .before {{ animation-name: before; }} .after {{ animation-name: after; }} .saved {{ animation-name: saved; }}
  .cover {{ animation-name: cover; animation-timing-function: steps({len(AFTER)}, end); visibility: visible; }}
  @keyframes before {{ 0% {{ visibility: visible; }} {shown:.2f}%, 100% {{ visibility: hidden; }} }}
  @keyframes after {{ 0% {{ visibility: hidden; }} {shown:.2f}%, 100% {{ visibility: visible; }} }}
  @keyframes saved {{ 0% {{ visibility: hidden; }} {save:.2f}%, 100% {{ visibility: visible; }} }}
  @keyframes cover {{
    0%, {start:.2f}% {{ transform: translateX(0); }} {typed:.2f}%, 100% {{ transform: translateX({width:.1f}px); }}
  }}
}}
</style>
"""
    rule = f'<path d="M0 {_y(3) + 9:.1f} H{COLUMNS * _WIDTH + 2 * _MARGIN:.1f}" stroke="{_TEXT}" opacity="0.4"/>'
    cover = f'<rect class="cover" x="{_x(2):.1f}" y="{_y(2):.1f}" width="{width:.1f}" height="{_HEIGHT}"'
    saved_text = _run(len(str(EDITED)) + 2, 0, f"saved: in the App after {seconds:.2f} s", kinds="faint")
    lines = [
        _run(0, 0, str(EDITED), kinds="bold"),
        _run(0, 1, f"- {BEFORE}", _COLORS["red"]),
        _run(0, 2, f"+ {AFTER}", _COLORS["green"]),
        # The cover is as wide as the typed text, which nothing else follows.
        f'{cover} fill="{_BACKGROUND}"/>',
        f'<g class="saved">{saved_text}</g>',
        rule,
        f'<g class="before">\n{before}</g>',
        f'<g class="after">\n{after}</g>',
    ]
    return style + "\n".join(lines) + "\n"


def _x(column: int) -> float:
    return _MARGIN + column * _WIDTH


def _y(row: int) -> float:
    return _TOP + row * _HEIGHT
