"""Serves the sample's API on this computer: sessions and users, as HTTPClientEmbedded does inside the App.

Nothing is stored: every start begins with the users 'ann' and 'bob', whose password is 'secret'.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import secrets
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from typing import NoReturn
from urllib.parse import unquote

PASSWORD = "secret"
NAME_LIMIT = 40  # Unicode scalars
BODY_LIMIT = 64 * 1024  # bytes
IDLE_LIMIT = 30  # seconds that a connection may be silent
# Unicode's White_Space, which str.strip() does not follow to the letter.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


@dataclass
class Link:
    """Where a user can go from a profile: a title, and a route as the App spells it."""

    title: str
    link: str


@dataclass
class User:
    """A user as it is kept and sent."""

    id: str
    displayName: str  # noqa: N815  as the API spells it
    links: list[Link]


@dataclass
class RefusalError(Exception):
    """Why a request is not fulfilled."""

    status: HTTPStatus
    message: str


def digest(token: str) -> bytes:
    """What is kept of a token: looking it up takes the same time however much of a guess is right."""
    return hashlib.sha256(token.encode()).digest()


@dataclass
class Backend:
    """The users and who is signed in; every method may be called from any thread."""

    users: dict[str, User] = field(
        default_factory=lambda: {
            "ann": User(
                "ann",
                "Ann Example",
                [
                    Link("Profile of bob", 'profile.overview|{"user":"bob"}'),
                    Link("Edit the profile of ann", 'profile.editor|{"user":"ann"}'),
                ],
            ),
            "bob": User("bob", "Bob Builder", [Link("Profile of ann", 'profile.overview|{"user":"ann"}')]),
        }
    )
    sessions: dict[bytes, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, path: list[str], token: str, body: bytes) -> dict[str, object] | None:
        """Fulfils a request and returns the body of the answer, or raises RefusalError."""
        with self.lock:
            match path, method:
                case ["session"], "POST":
                    return self.sign_in(body)
                case ["session"], "DELETE":
                    self.sign_out(token)
                    return None
                case ["users", id], "GET" if id:
                    return self.show(id, token)
                case ["users", id], "PUT" if id:
                    return self.rename(id, token, body)
        if allowed(path):
            raise RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, f"This address does not take {method}.")
        raise RefusalError(HTTPStatus.NOT_FOUND, "There is nothing at this address.")

    def sign_in(self, body: bytes) -> dict[str, object]:
        user, password = texts(body, "user", "password", needs="the texts 'user' and 'password'")
        is_right = hmac.compare_digest(password.encode(), PASSWORD.encode())
        if not is_right or user not in self.users:
            raise RefusalError(HTTPStatus.UNAUTHORIZED, "The user name or the password is wrong.")
        token = secrets.token_urlsafe(32)
        self.sessions[digest(token)] = user
        return {"user": user, "token": token}

    def sign_out(self, token: str) -> None:
        self.signed_in(token)
        del self.sessions[digest(token)]

    def show(self, id: str, token: str) -> dict[str, object]:
        self.signed_in(token)
        return asdict(self.user(id))

    def rename(self, id: str, token: str, body: bytes) -> dict[str, object]:
        person = self.signed_in(token)
        user = self.user(id)
        if person != id:
            raise RefusalError(HTTPStatus.FORBIDDEN, "You can change only your own profile.")
        (name,) = texts(body, "displayName", needs="the text 'displayName'")
        name = name.strip(WHITE_SPACE)
        if not name:
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, "The display name must not be empty.")
        if len(name) > NAME_LIMIT:
            message = f"The display name must have at most {NAME_LIMIT} characters."
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, message)
        user.displayName = name
        return asdict(user)

    def signed_in(self, token: str) -> str:
        user = self.sessions.get(digest(token))
        if user is None:
            raise RefusalError(HTTPStatus.UNAUTHORIZED, "Sign in first.")
        return user

    def user(self, id: str) -> User:
        if id not in self.users:
            raise RefusalError(HTTPStatus.NOT_FOUND, f"There is no user '{id}'.")
        return self.users[id]


def allowed(path: list[str]) -> str:
    """The methods that a path takes, as the header Allow lists them; empty for an unknown path."""
    match path:
        case ["session"]:
            return "POST, DELETE"
        case ["users", id] if id:
            return "GET, PUT"
    return ""


def texts(body: bytes, *names: str, needs: str) -> list[str]:
    """The values of some keys of a JSON object, all of which must be strings."""
    try:
        value = json.loads(body.decode(), parse_constant=refuse_constant)
        found = [value[name] for name in names]
        if isinstance(value, dict) and all(isinstance(text, str) for text in found):
            "".join(found).encode()  # Half of a surrogate pair is not text and could not be sent back.
            return found
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise RefusalError(HTTPStatus.BAD_REQUEST, f"The body must be a JSON object with {needs}.")


def refuse_constant(name: str) -> NoReturn:
    """Python's parser takes NaN and Infinity, which are not JSON."""
    raise ValueError(name)


class Handler(BaseHTTPRequestHandler):
    """Turns HTTP into calls of the backend."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # Head and body leave in one piece.
    timeout = IDLE_LIMIT
    server: Server

    def serve(self) -> None:
        """Answers one request of any method."""
        time.sleep(self.server.delay)
        path: list[str] = []
        try:
            body = self.read_body()
            path = self.components()
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            self.send_json(HTTPStatus.OK, self.server.backend.answer(self.command, path, token, body))
        except RefusalError as refusal:
            self.send_json(refusal.status, {"error": refusal.message}, allow=allowed(path))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve  # noqa: N815  as http.server calls them

    def read_body(self) -> bytes:
        """Reads the body. A connection whose body stays unread cannot serve another request."""
        if "Transfer-Encoding" in self.headers:
            self.close_connection = True
            raise RefusalError(HTTPStatus.LENGTH_REQUIRED, "The body must come with a Content-Length.")
        text = self.headers.get("Content-Length", "0")
        if not (text.isascii() and text.isdigit()):
            self.close_connection = True
            raise RefusalError(HTTPStatus.BAD_REQUEST, "The Content-Length must be a number.")
        if len(text) > 9 or int(text) > BODY_LIMIT:
            self.close_connection = True
            message = f"The body must have at most {BODY_LIMIT} bytes."
            raise RefusalError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        return self.rfile.read(int(text))

    def components(self) -> list[str]:
        """The path's components, decoded after they are told apart, so that %2F is a part of one."""
        path = self.path.partition("?")[0]
        try:
            return [unquote(part, errors="strict") for part in path.removeprefix("/").split("/")]
        except UnicodeDecodeError:
            return []

    def send_json(self, status: HTTPStatus, value: dict[str, object] | None, allow: str = "") -> None:
        """Sends an answer; one without a value has no body and the status 204."""
        body = b"" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
        self.send_response(HTTPStatus.NO_CONTENT if value is None else status)
        if value is not None:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", allow)
        if status == HTTPStatus.UNAUTHORIZED:
            self.send_header("WWW-Authenticate", "Bearer")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers what is not HTTP, or of an unknown method, in the form of all other errors."""
        self.close_connection = True
        self.send_json(HTTPStatus(code), {"error": f"{message or HTTPStatus(code).phrase}."})

    def log_message(self, format: str, *arguments: object) -> None:
        """Writes method, path and status to standard error, if asked to; headers and bodies never."""
        if self.server.is_logging:
            line = (format % arguments).encode("unicode_escape").decode()
            print(line, file=sys.stderr, flush=True)


class Server(ThreadingHTTPServer):
    """Listens on the loopback address only."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, delay: float, is_logging: bool) -> None:
        self.backend = Backend()
        self.delay = delay
        self.is_logging = is_logging
        super().__init__(("127.0.0.1", port), Handler)

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Keeps silent about clients that hang up, and reports everything else."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class Parser(argparse.ArgumentParser):
    """Ends with 64 (EX_USAGE of sysexits.h), as the App does, where argparse has 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(64, f"{self.prog}: {message}\n{self.format_usage()}")


def port_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:6]) <= 65535):
        raise argparse.ArgumentTypeError(f"'{text}' is not a port from 0 to 65535")
    return int(text)


def delay_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds from 0 to 3600")
    return seconds


def end(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def main() -> int:
    parser = Parser(prog="scripts/backend", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--port", type=port_number, default=8080, help="port to listen on; 0 picks a free one (8080)")
    parser.add_argument("--delay", type=delay_seconds, default=0, metavar="SECONDS", help="wait before each answer (0)")
    parser.add_argument("--log", action="store_true", help="write each request's first line to standard error")
    arguments = parser.parse_args()
    try:
        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        # A program that starts this one from a thread which blocks signals hands the block on.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})
        with Server(arguments.port, arguments.delay, arguments.log) as server:
            print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
            server.serve_forever(poll_interval=0.1)
    except OSError as error:
        print(f"scripts/backend: cannot listen on port {arguments.port}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
