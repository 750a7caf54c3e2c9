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
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from typing import Any, NoReturn
from urllib.parse import unquote

PASSWORD = "secret"
CHALLENGE = {"WWW-Authenticate": "Bearer"}
NAME_LIMIT = 40  # Unicode scalars
BODY_LIMIT = 64 * 1024  # bytes
IDLE_LIMIT = 30  # seconds that a connection may be silent
# Unicode's White_Space, which str.strip() does not follow to the letter.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def new_users() -> dict[str, dict[str, Any]]:
    """The users at the start, as they are kept and sent; a link is a route as the App spells it."""

    def profile(user: str) -> dict[str, str]:
        return {"title": f"Profile of {user}", "link": f'profile.overview|{{"user":"{user}"}}'}

    editor = {"title": "Edit the profile of ann", "link": 'profile.editor|{"user":"ann"}'}
    return {
        "ann": {"id": "ann", "displayName": "Ann Example", "links": [profile("bob"), editor]},
        "bob": {"id": "bob", "displayName": "Bob Builder", "links": [profile("ann")]},
    }


@dataclass
class RefusalError(Exception):
    """Why a request is not fulfilled; `headers` belong to the answer."""

    status: HTTPStatus
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)


def digest(token: str) -> bytes:
    """What is kept of a token: looking it up takes the same time however much of a guess is right."""
    return hashlib.sha256(token.encode()).digest()


@dataclass
class Backend:
    """The users and who is signed in; every method may be called from any thread."""

    users: dict[str, dict[str, Any]] = field(default_factory=new_users)
    sessions: dict[bytes, str] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, method: str, path: list[str], token: str, body: bytes) -> dict[str, Any] | None:
        """Fulfils a request and returns the body of the answer, or raises RefusalError."""
        methods: dict[str, Callable[[], dict[str, Any] | None]] = {}
        match path:
            case ["session"]:
                methods = {"POST": lambda: self.sign_in(body), "DELETE": lambda: self.sign_out(token)}
            case ["users", id] if id:
                methods = {"GET": lambda: self.show(id, token), "PUT": lambda: self.rename(id, token, body)}
        if not methods:
            raise RefusalError(HTTPStatus.NOT_FOUND, "There is nothing at this address.")
        if method not in methods:
            message = f"This address does not take {method}."
            raise RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, message, {"Allow": ", ".join(methods)})
        with self.lock:
            return methods[method]()

    def sign_in(self, body: bytes) -> dict[str, Any]:
        user, password = texts(body, "user", "password", needs="the texts 'user' and 'password'")
        is_right = hmac.compare_digest(password.encode(), PASSWORD.encode())
        if not is_right or user not in self.users:
            raise RefusalError(HTTPStatus.UNAUTHORIZED, "The user name or the password is wrong.", CHALLENGE)
        token = secrets.token_urlsafe(32)
        self.sessions[digest(token)] = user
        return {"user": user, "token": token}

    def sign_out(self, token: str) -> None:
        self.signed_in(token)
        del self.sessions[digest(token)]

    def show(self, id: str, token: str) -> dict[str, Any]:
        self.signed_in(token)
        return dict(self.user(id))

    def rename(self, id: str, token: str, body: bytes) -> dict[str, Any]:
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
        user["displayName"] = name
        return dict(user)

    def signed_in(self, token: str) -> str:
        user = self.sessions.get(digest(token))
        if user is None:
            raise RefusalError(HTTPStatus.UNAUTHORIZED, "Sign in first.", CHALLENGE)
        return user

    def user(self, id: str) -> dict[str, Any]:
        if id not in self.users:
            raise RefusalError(HTTPStatus.NOT_FOUND, f"There is no user '{id}'.")
        return self.users[id]


def texts(body: bytes, *names: str, needs: str) -> list[str]:
    """The values of some keys of a JSON object, all of which must be strings."""
    try:
        # Python's parser takes NaN and Infinity, which are not JSON; here they are missing keys.
        value = json.loads(body.decode(), parse_constant=dict[str, str]().__getitem__)
        found = [value[name] for name in names]
        if isinstance(value, dict) and all(isinstance(text, str) for text in found):
            "".join(found).encode()  # Half of a surrogate pair is not text and could not be sent back.
            return found
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise RefusalError(HTTPStatus.BAD_REQUEST, f"The body must be a JSON object with {needs}.")


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
        try:
            body = self.read_body()
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            self.send_json(HTTPStatus.OK, self.server.backend.answer(self.command, self.components(), token, body))
        except RefusalError as refusal:
            self.send_json(refusal.status, {"error": refusal.message}, refusal.headers)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve  # noqa: N815  as http.server calls them

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
        """The path's components, decoded after they are told apart, so that %2F is a part of one."""
        path = self.path.partition("?")[0]
        try:
            return [unquote(part, errors="strict") for part in path.removeprefix("/").split("/")]
        except UnicodeDecodeError:
            return []

    def send_json(self, status: HTTPStatus, value: dict[str, Any] | None, headers: Mapping[str, str] = {}) -> None:
        """Sends an answer; one without a value has no body and the status 204."""
        body = b"" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
        described = {} if value is None else {"Content-Type": "application/json", "Content-Length": str(len(body))}
        self.send_response(HTTPStatus.NO_CONTENT if value is None else status)
        ending = {"Connection": "close"} if self.close_connection else {}
        for name, text in {**described, **headers, **ending}.items():
            self.send_header(name, text)
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


def up_to(most: int, kind: Callable[[str], float], what: str) -> Callable[[str], float]:
    """Reads a number from 0 to the given one."""

    def read(text: str) -> float:
        try:
            if 0 <= (value := kind(text)) <= most:
                return value
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"'{text}' is not a {what} from 0 to {most}")

    return read


def main() -> int:
    parser = Parser(prog="scripts/backend", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    port, seconds = up_to(65535, int, "port"), up_to(3600, float, "number of seconds")
    parser.add_argument("--port", type=port, default=8080, help="port to listen on; 0 picks a free one (8080)")
    parser.add_argument("--delay", type=seconds, default=0, metavar="SECONDS", help="wait before each answer (0)")
    parser.add_argument("--log", action="store_true", help="write each request's first line to standard error")
    arguments = parser.parse_args()
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.signal(signal.SIGINT, signal.default_int_handler)
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
