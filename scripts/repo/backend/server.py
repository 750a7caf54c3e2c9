"""Serves the API over HTTP, with simulated delays and failures."""

from __future__ import annotations

import enum
import random
import sqlite3
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from urllib.parse import parse_qsl, unquote

from repo.backend.api import Answer, Backend, RefusalError, Request

BODY_LIMIT = 64 * 1024  # bytes
IDLE_LIMIT = 30  # seconds that a connection may be silent


class Outcome(enum.Enum):
    """The outcome of a request on the simulated network."""

    ANSWERED = "answered"
    UNAVAILABLE = "answered with 503"
    LOST = "closed before it was fulfilled"
    FULFILLED = "closed after it was fulfilled"


class Network:
    """Delays and loses requests; the same seed does the same to the same sequence of requests."""

    def __init__(self, latency: tuple[float, float] = (0, 0), failures: float = 0, seed: int = 0) -> None:
        self.latency = latency
        self.failures = failures
        self.random = random.Random(seed)
        self.lock = threading.Lock()

    def pass_on(self) -> Outcome:
        """Waits as long as a request takes, and returns its outcome."""
        with self.lock:
            # Only these are the same in all versions of Python.
            length, luck, kind = (self.random.random() for _ in range(3))
        least, most = self.latency
        time.sleep(least + length * (most - least))
        failures = (Outcome.UNAVAILABLE, Outcome.LOST, Outcome.FULFILLED)
        return failures[int(kind * len(failures))] if luck < self.failures else Outcome.ANSWERED


class Handler(BaseHTTPRequestHandler):
    """Turns HTTP into calls of the backend."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # Head and body are sent in one piece.
    timeout = IDLE_LIMIT
    server: Server

    def serve(self) -> None:
        """Answers one request of any method."""
        outcome = self.server.network.pass_on()
        try:
            body = self.read_body()
        except RefusalError as refusal:
            return self.send_answer(refusal.answer)
        if outcome is Outcome.UNAVAILABLE:
            return self.send_answer(unavailable("The server is not available. Try again later."))
        answer = None if outcome is Outcome.LOST else self.answer(body)
        if answer and outcome is Outcome.ANSWERED:
            return self.send_answer(answer)
        self.log_message('"%s" %s', self.requestline, outcome.value)
        self.close_connection = True
        return None

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve  # noqa: N815  as http.server calls them

    def answer(self, body: bytes) -> Answer:
        query = dict(parse_qsl(self.path.partition("?")[2], keep_blank_values=True))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            return self.server.backend.answer(Request(self.command, self.components(), query, headers, body))
        except sqlite3.Error as error:
            return unavailable(f"The database does not answer: {error}.")

    def read_body(self) -> bytes:
        """Reads the body. A connection whose body stays unread cannot serve another request."""
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers:
            refusal = RefusalError(HTTPStatus.LENGTH_REQUIRED, "The body must come with a Content-Length.")
        elif not (length.isascii() and length.isdigit()):
            refusal = RefusalError(HTTPStatus.BAD_REQUEST, "The Content-Length must be a number.")
        elif len(length) > 9 or int(length) > BODY_LIMIT:
            message = f"The body must have at most {BODY_LIMIT} bytes."
            refusal = RefusalError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        else:
            return self.rfile.read(int(length))
        self.close_connection = True
        raise refusal

    def components(self) -> list[str]:
        """The path's components, decoded after they are separated, so that %2F is a part of one."""
        path = self.path.partition("?")[0]
        try:
            return [unquote(part, errors="strict") for part in path.removeprefix("/").split("/")]
        except UnicodeDecodeError:
            return []

    def send_answer(self, answer: Answer) -> None:
        body = answer.body
        has_no_status = body is None and answer.status is HTTPStatus.OK
        described = {"Content-Type": "application/json", "Content-Length": str(len(body))} if body is not None else {}
        self.send_response(HTTPStatus.NO_CONTENT if has_no_status else answer.status)
        ending = {"Connection": "close"} if self.close_connection else {}
        for name, text in {**described, **answer.headers, **ending}.items():
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD" and body is not None:
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers malformed requests and unknown methods in the form of all other errors."""
        self.close_connection = True
        self.send_answer(Answer({"error": f"{message or HTTPStatus(code).phrase}."}, HTTPStatus(code)))

    def log_message(self, format: str, *arguments: object) -> None:
        """Writes method, path and status to standard error, if asked to; headers and bodies never."""
        if self.server.is_logging:
            line = (format % arguments).encode("unicode_escape").decode()
            print(line, file=sys.stderr, flush=True)


def unavailable(message: str) -> Answer:
    return Answer({"error": message}, HTTPStatus.SERVICE_UNAVAILABLE)


class Server(ThreadingHTTPServer):
    """Listens on the loopback address only."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, backend: Backend, network: Network, is_logging: bool = False) -> None:
        self.backend = backend
        self.network = network
        self.is_logging = is_logging
        super().__init__(("127.0.0.1", port), Handler)

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Keeps silent about clients that hang up, and reports everything else."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)
