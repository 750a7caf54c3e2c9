"""A headless Chromium, driven by the DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import io
import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image  # type: ignore[import-not-found,unused-ignore]

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

_SECONDS = 60
_OPTIONS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    # Its sandbox cannot be had as root, nor in many containers; the pages are our own.
    "--no-sandbox",
)


class Browser:
    """One tab."""

    def __init__(self, commands: int, messages: int) -> None:
        self._commands, self._messages = commands, messages
        self._numbers = itertools.count(1)
        self._received = b""
        self._session: str | None = None
        self.requested: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.send(f"{domain}.enable")

    def open(self, page: Path, width: int, dark: bool = False, scripts: bool = True) -> None:
        """Shows a file as a phone or a computer with a screen of that width would."""
        self.requested.clear()
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 500
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media="", features=[scheme])
        self.send("Page.navigate", url=page.resolve().as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def value(self, expression: str) -> Any:  # noqa: ANN401  what JavaScript gives
        """Evaluates JavaScript in the page."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(result["exceptionDetails"])
        return result["result"].get("value")

    def screenshot(self, whole: bool = False) -> Image.Image:
        """The part of the page that the screen shows, or all of it."""
        data = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        return Image.open(io.BytesIO(base64.b64decode(data)))

    def printed(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.send("Page.printToPDF", printBackground=False)["data"])

    def send(self, method: str, **parameters: object) -> Mapping[str, Any]:
        """Sends a command and waits for its answer."""
        number = next(self._numbers)
        message: dict[str, object] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._commands, data) :]
        while (answer := self._next()).get("id") != number:
            pass
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        result: Mapping[str, Any] = answer["result"]
        return result

    def _next(self) -> Mapping[str, Any]:
        """The next message of the browser."""
        deadline = time.monotonic() + _SECONDS
        while b"\0" not in self._received:
            if not select.select([self._messages], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"Chromium was silent for {_SECONDS} seconds")
            received = os.read(self._messages, 1 << 20)
            if not received:
                raise AssertionError("Chromium has ended")
            self._received += received
        first, _, self._received = self._received.partition(b"\0")
        message: Mapping[str, Any] = json.loads(first)
        if message.get("method") == "Network.requestWillBeSent":
            self.requested.append(message["params"]["request"]["url"])
        return message


@contextmanager
def running(folder: Path) -> Iterator[Browser]:
    """Starts the browser with a profile in that folder, and ends it with all of its processes."""
    assert PROGRAM
    to_browser, commands = os.pipe()
    messages, from_browser = os.pipe()
    # Its pipes have to be the file descriptors 3 and 4.
    script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
    with (folder / "chromium.log").open("wb") as log:
        process = subprocess.Popen(
            ["bash", "-c", script, "bash", PROGRAM, *_OPTIONS, f"--user-data-dir={folder / 'profile'}"],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, "HOME": str(folder)},
            start_new_session=True,
        )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Browser(commands, messages)
    finally:
        # Its processes are a session of their own, but for those that report crashes, which end when it has.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(commands)
        os.close(messages)
