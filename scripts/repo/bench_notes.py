"""Times the App with many notes: from a key to the last byte of the frame that shows its result.

`App --serve` has the notes. The App reads them once, and is timed in runs after that.
"""

from __future__ import annotations

import http.client
import json
import statistics
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from swiftmodules.builds.machine import this_machine
from swiftmodules.errors import ToolError
from swiftmodules.measure.tables import Table

from repo.bench import show
from repo.terminal import ProgramInTerminal

COLUMNS, ROWS = 80, 24
USER = "ann"
# Each letter that is typed halves the notes that are found.
QUERY = "zyxwvu"
_WORDS = "the note has some words that are like those of any other note, and lines of a usual length " * 2
# The milliseconds that an operation's median may take.
BARS = {"open the list": 100.0, "search, a letter more": 50.0, "search, a letter less": 50.0}
_HOME, _END, _ESCAPE, _BACKSPACE, _CONTROL_C = "\x1b[H", "\x1b[F", "\x1b", "\x7f", "\x03"
_SYNCHRONISING_SECONDS = 600.0
# A user's keys do not come as soon as a frame is there.
_QUIET_SECONDS = 0.2


@dataclass
class NotesTimes:
    """The milliseconds of each operation, and the memory of the App."""

    count: int
    times: dict[str, list[float]] = field(default_factory=dict)
    # Resident bytes of the App with its list open, and of an App without notes.
    bytes: int = 0
    bytes_without: int = 0

    def add(self, operation: str, seconds: float) -> None:
        self.times.setdefault(operation, []).append(seconds * 1000)

    def holds(self, operation: str) -> bool | None:
        """Whether the bar of an operation holds; None where it has none."""
        bar = BARS.get(operation)
        return None if bar is None else statistics.median(self.times[operation]) <= bar

    @property
    def hold(self) -> bool:
        return all(self.holds(operation) is not False for operation in self.times)

    def __str__(self) -> str:
        """The times as a table in Markdown, and the memory."""
        rows = []
        for operation, times in self.times.items():
            bar = f"{BARS[operation]:.0f} ms" if operation in BARS else ""
            word = {True: "yes", False: "NO", None: ""}[self.holds(operation)]
            rows.append([operation, f"{statistics.median(times):.1f} ms", f"{max(times):.1f} ms", bar, word])
        memory, without = (f"{each / 2**20:.0f} MiB" for each in (self.bytes, self.bytes_without))
        return (
            f"{Table(['operation', 'median', 'worst', 'bar', 'holds'], rows, texts=1)}\n\n"
            f"{self.count} notes. Memory: {memory}, and {without} without notes. {this_machine().summary}."
        )


def fill(address: str, count: int) -> None:
    """Saves notes at a server, of which the newest has the number 1. A note contains as many letters of the query as
    its number can be halved."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"))

    def send(method: str, path: str, value: dict[str, str], **headers: str) -> dict[str, str]:
        connection.request(method, path, json.dumps(value), headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise ToolError(f"the server did not save a note: {text.decode()}")
        found: dict[str, str] = json.loads(text)
        return found

    token = send("POST", "/session", {"user": USER, "password": "secret"})["token"]
    headers = {"Authorization": f"Bearer {token}", "If-None-Match": "*"}
    for number in range(count, 0, -1):
        found = QUERY[: (number & -number).bit_length() - 1]
        note = {"title": title(number), "text": f"{found}\n{number} {_WORDS}"}
        send("PUT", f"/notes/{uuid.uuid4()}", note, **headers)
    connection.close()


def title(number: int) -> str:
    """The title of a note, by which it is found on the screen."""
    return f"Note {number:06}"


def measure(program: Path, count: int, rounds: int = 5) -> NotesTimes:
    """Times a built App with so many notes, 64 at least; progress goes to standard error."""
    result = NotesTimes(count)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _server(program, folder / "server") as address:
            show(f"storing {count} notes")
            fill(address, count)
            show("reading them for the first time")
            with _app(program, folder / "data", address) as app:
                _sign_in(app)
                start = time.monotonic()
                app.type(_HOME + "4")
                app.wait_for(title(1))
                # In place of the button, a progress is shown until all notes are there.
                for key, text in (_HOME, "[ Synchronise ]"), (_END, title(count)):
                    while text not in app.text:
                        if time.monotonic() - start > _SYNCHRONISING_SECONDS:
                            raise ToolError(f"the App did not read {count} notes in time. Its screen is:\n{app.text}")
                        app.type(key)
                        app.read_all(_QUIET_SECONDS)
                result.add("read all notes from the server", app.read_at - start)
            for round in range(rounds):
                show(f"round {round + 1} of {rounds}")
                for operation, data in ("start without notes", f"none-{round}"), ("start with all notes", "data"):
                    start = time.monotonic()
                    with _app(program, folder / data, address) as app:
                        app.wait_for("You are not signed in.")
                        result.add(operation, app.read_at - start)
                        _sign_in(app)
                        if data != "data":
                            result.bytes_without = _resident(app)
                            continue
                        _time_list(app, result)
                        result.bytes = _resident(app)
    return result


def _time_list(app: ProgramInTerminal, result: NotesTimes) -> None:
    """Opens the list twice, and searches."""
    for operation in ("open the list for the first time", "open the list"):
        app.type(_HOME)
        result.add(operation, _seconds(app, "4", title(1)))
        if operation != "open the list":
            app.read_all(_QUIET_SECONDS)
            app.type(_ESCAPE)
            app.wait_for("Sign out")
    # From the first choice to the field: "Synchronise" lies between them, unless a progress is in its place.
    app.type(_HOME)
    for _ in range(3):
        if "› Search" not in app.text:
            app.type("\t")
            app.read_all(_QUIET_SECONDS)
    for number, letter in enumerate(QUERY, start=1):
        result.add("search, a letter more", _seconds(app, letter, title(2**number), title(2 ** (number - 1))))
    for number in range(len(QUERY) - 1, -1, -1):
        result.add("search, a letter less", _seconds(app, _BACKSPACE, title(2**number)))


def _seconds(app: ProgramInTerminal, keys: str, text: str, former: str | None = None) -> float:
    """The time from some keys to the frame with a text, and without a former one."""
    app.read_all(_QUIET_SECONDS)
    start = time.monotonic()
    app.type(keys)
    app.wait_until(lambda: text in app.text and (former is None or former not in app.text), f"show '{text}'")
    return app.read_at - start


def _sign_in(app: ProgramInTerminal) -> None:
    app.follow([("You are not signed in.", "\r"), ("User name:", f"{USER}\tsecret\r"), ("Enter choose", "")])


def _resident(app: ProgramInTerminal) -> int:
    return int(psutil.Process(app.process).memory_info().rss)


@contextmanager
def _app(program: Path, data: Path, address: str) -> Iterator[ProgramInTerminal]:
    """The App on a terminal; it is ended as a user would end it."""
    arguments = [str(program), "--data", str(data), "--backend", address]
    app = ProgramInTerminal(arguments, {"TERM": "xterm-256color"}, COLUMNS, ROWS)
    try:
        yield app
        app.type(_CONTROL_C)
        app.end()
    finally:
        if not app.is_closed:
            app.stop()


@contextmanager
def _server(program: Path, data: Path) -> Iterator[str]:
    """The App as a server on a free port, and its address."""
    command = [str(program), "--serve", "0", "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if not line.startswith("Listening on "):
                raise ToolError("App --serve did not start; its message is above.")
            yield line.split()[-1]
        finally:
            server.terminate()
