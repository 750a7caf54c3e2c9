"""The requests that are understood, and their answers."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from repo.backend.store import Note, Store

PASSWORD = "secret"
NO_CONFIGURATION = b'{"flags":{},"rules":[]}'
CHALLENGE = {"WWW-Authenticate": "Bearer"}
# In Unicode scalars. A note fits into the largest body that is accepted, however its characters are escaped.
NAME_LIMIT = 40
TITLE_LIMIT = 200
TEXT_LIMIT = 10_000
PAGE_LIMIT = 100  # notes and deletions
PAGE_TEXT_LIMIT = 100_000  # scalars of titles and texts; the first note beyond it is on the next page
VERSION_LIMIT = 10**15
UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
# Unicode's White_Space, which str.strip() does not follow to the letter.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def profile_link(user: str) -> dict[str, str]:
    return {"title": f"Profile of {user}", "link": f'profile.overview|{{"user":"{user}"}}'}


# Where users can go from a profile; a link is a route as the App spells it.
LINKS = {
    "ann": [
        profile_link("bob"),
        {"title": "Edit the profile of ann", "link": 'profile.editor|{"user":"ann"}'},
        {"title": "Notes", "link": "notes.list|{}"},
    ],
    "bob": [profile_link("ann")],
}


@dataclass(frozen=True)
class Request:
    """A request; the names of headers are in lower case."""

    method: str
    path: list[str]
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def token(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Answer:
    """The answer to a request; with a value or JSON as it is sent; without both it has no body."""

    value: dict[str, Any] | None = None
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)
    encoded: bytes | None = None

    @property
    def body(self) -> bytes | None:
        if self.value is None:
            return self.encoded
        return json.dumps(self.value, ensure_ascii=False, sort_keys=True).encode()


@dataclass
class RefusalError(Exception):
    """The refusal of a request; `headers` belong to the answer, and `note` to its body."""

    status: HTTPStatus
    message: str
    headers: Mapping[str, str] = field(default_factory=dict)
    note: Note | None = None

    @property
    def answer(self) -> Answer:
        if self.note is None:
            return Answer({"error": self.message}, self.status, self.headers)
        return Answer({"error": self.message, "note": described(self.note)}, self.status, tag(self.note))


def digest(token: str) -> bytes:
    """Hashes a token, so that the time of a lookup does not depend on how much of a guess is right."""
    return hashlib.sha256(token.encode()).digest()


class Backend:
    """Answers requests; may be called from any thread."""

    def __init__(self, store: Store | None = None, configuration: Path | None = None) -> None:
        self.store = store or Store()
        self.configuration = configuration
        self.sessions: dict[bytes, str] = {}
        self.lock = threading.Lock()

    def answer(self, request: Request) -> Answer:
        """Carries out a request completely or, where it is refused, not at all."""
        try:
            operation = self.operation(request)
            with self.lock, self.store.transaction():
                return operation(self, request)
        except RefusalError as refusal:
            return refusal.answer

    def operation(self, request: Request) -> Callable[[Backend, Request], Answer]:
        match request.path:
            case [collection, id] if id:
                methods = OPERATIONS.get((collection, "…"))
            case path:
                methods = OPERATIONS.get(tuple(path))
        if methods is None:
            raise RefusalError(HTTPStatus.NOT_FOUND, "There is nothing at this address.")
        if request.method not in methods:
            message = f"This address does not support {request.method}."
            raise RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, message, {"Allow": ", ".join(methods)})
        return methods[request.method]

    def show_configuration(self, request: Request) -> Answer:
        """Sends the file as it is now: what the App does with a mistake in it is for the App to show."""
        try:
            text = self.configuration.read_bytes() if self.configuration else NO_CONFIGURATION
        except OSError as error:
            message = f"The configuration cannot be read: {error.strerror}."
            raise RefusalError(HTTPStatus.SERVICE_UNAVAILABLE, message) from error
        etag = f'"{hashlib.sha256(text).hexdigest()[:16]}"'
        if request.headers.get("if-none-match") == etag:
            return Answer(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag})
        return Answer(headers={"ETag": etag}, encoded=text)

    def sign_in(self, request: Request) -> Answer:
        user, password = texts(request, "user", "password")
        is_right = hmac.compare_digest(password.encode(), PASSWORD.encode())
        if not is_right or self.store.display_name(user) is None:
            raise RefusalError(HTTPStatus.UNAUTHORIZED, "The user name or the password is wrong.", CHALLENGE)
        token = secrets.token_urlsafe(32)
        self.sessions[digest(token)] = user
        return Answer({"user": user, "token": token})

    def sign_out(self, request: Request) -> Answer:
        self.signed_in(request)
        del self.sessions[digest(request.token)]
        return Answer()

    def show_user(self, request: Request) -> Answer:
        self.signed_in(request)
        return Answer(self.user(request.path[1]))

    def rename_user(self, request: Request) -> Answer:
        caller = self.signed_in(request)
        id = self.user(request.path[1])["id"]
        if caller != id:
            raise RefusalError(HTTPStatus.FORBIDDEN, "You can change only your own profile.")
        (name,) = texts(request, "displayName")
        name = name.strip(WHITE_SPACE)
        if not name:
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, "The display name must not be empty.")
        check_length("display name", name, NAME_LIMIT)
        self.store.rename(id, name)
        return Answer(self.user(id))

    def list_notes(self, request: Request) -> Answer:
        user = self.signed_in(request)
        before = number(request, "after", VERSION_LIMIT)
        limit = number(request, "limit", PAGE_LIMIT)
        page: list[Note] = []
        length = 0
        after = {}
        for change in self.store.changes(user, before):
            length += len(change.title) + len(change.text)
            if len(page) == limit or length > PAGE_TEXT_LIMIT:
                after = {"next": str(page[-1].version)}
                break
            page.append(change)
        notes = [described(each) for each in page if not each.is_deleted]
        deleted = [each.id for each in page if each.is_deleted]
        return Answer({"server": self.store.server, "notes": notes, "deleted": deleted, **after})

    def show_note(self, request: Request) -> Answer:
        return with_tag(self.note(self.signed_in(request), request.path[1]))

    def save_note(self, request: Request) -> Answer:
        user, id = self.signed_in(request), request.path[1]
        if not UUID.fullmatch(id):
            raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, "The id of a note must be a UUID.")
        is_new = request.headers.get("if-none-match") == "*"
        if not is_new:
            require_condition(
                request, "A note is saved with 'If-None-Match: *' when it is new, otherwise with 'If-Match'."
            )
        title, text = texts(request, "title", "text")
        check_length("title", title, TITLE_LIMIT)
        check_length("text", text, TEXT_LIMIT)
        present = self.store.note(user, id)
        if present and (present.title, present.text) == (title, text):
            return with_tag(present)  # So a save can be sent again when its answer was lost.
        if present and (is_new or not matches(request, present)):
            raise changed_meanwhile(present)
        if not present and not is_new:
            raise no_note(id)
        self.store.save(user, id, title, text)
        return with_tag(self.note(user, id), HTTPStatus.CREATED if is_new else HTTPStatus.OK)

    def delete_note(self, request: Request) -> Answer:
        user, id = self.signed_in(request), request.path[1]
        require_condition(request, "A note is deleted with 'If-Match'.")
        present = self.store.note(user, id)
        if present and not matches(request, present):
            raise changed_meanwhile(present)
        if present:
            self.store.save(user, present.id, "", "", is_deleted=True)
        return Answer()

    def signed_in(self, request: Request) -> str:
        user = self.sessions.get(digest(request.token))
        if user is None:
            raise RefusalError(HTTPStatus.UNAUTHORIZED, "Sign in first.", CHALLENGE)
        return user

    def user(self, id: str) -> dict[str, Any]:
        name = self.store.display_name(id)
        if name is None:
            raise RefusalError(HTTPStatus.NOT_FOUND, f"There is no user '{id}'.")
        return {"id": id, "displayName": name, "links": LINKS.get(id, [])}

    def note(self, user: str, id: str) -> Note:
        """A note of the user; notes of other users count as missing."""
        note = self.store.note(user, id)
        if note is None:
            raise no_note(id)
        return note


# For each path, '…' for the part that varies, and each method.
OPERATIONS: dict[tuple[str, ...], dict[str, Callable[[Backend, Request], Answer]]] = {
    ("configuration",): {"GET": Backend.show_configuration},
    ("session",): {"POST": Backend.sign_in, "DELETE": Backend.sign_out},
    ("users", "…"): {"GET": Backend.show_user, "PUT": Backend.rename_user},
    ("notes",): {"GET": Backend.list_notes},
    ("notes", "…"): {"GET": Backend.show_note, "PUT": Backend.save_note, "DELETE": Backend.delete_note},
}


def described(note: Note) -> dict[str, str]:
    return {
        "id": note.id,
        "title": note.title,
        "text": note.text,
        "changed": note.changed,
        "version": str(note.version),
    }


def tag(note: Note) -> dict[str, str]:
    return {"ETag": f'"{note.version}"'}


def with_tag(note: Note, status: HTTPStatus = HTTPStatus.OK) -> Answer:
    return Answer(described(note), status, tag(note))


def matches(request: Request, note: Note) -> bool:
    return request.headers["if-match"] == tag(note)["ETag"]


def require_condition(request: Request, message: str) -> None:
    if "if-match" not in request.headers:
        raise RefusalError(HTTPStatus.PRECONDITION_REQUIRED, message)


def no_note(id: str) -> RefusalError:
    return RefusalError(HTTPStatus.NOT_FOUND, f"There is no note '{id}'.")


def changed_meanwhile(present: Note) -> RefusalError:
    return RefusalError(HTTPStatus.PRECONDITION_FAILED, "The note was changed meanwhile.", note=present)


def check_length(what: str, text: str, limit: int) -> None:
    if len(text) > limit:
        raise RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, f"The {what} must have at most {limit} characters.")


def number(request: Request, name: str, most: int) -> int:
    """A parameter of the query; the largest number without it."""
    text = request.query.get(name, str(most))
    if re.fullmatch("[0-9]{1,16}", text) and 1 <= int(text) <= most:
        return int(text)
    raise RefusalError(HTTPStatus.BAD_REQUEST, f"'{name}' must be a number from 1 to {most}.")


def texts(request: Request, *names: str) -> list[str]:
    """The values of some keys of a JSON object, all of which must be strings."""
    try:
        # Python's parser takes NaN and Infinity, which are not JSON; here they are missing keys.
        value = json.loads(request.body.decode(), parse_constant=dict[str, str]().__getitem__)
        found = [value[name] for name in names]
        if isinstance(value, dict) and all(isinstance(text, str) for text in found):
            "".join(found).encode()  # Half of a surrogate pair is not text and could not be sent back.
            return found
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    needs = " and ".join(f"'{name}'" for name in names)
    kind = "text" if len(names) == 1 else "texts"
    raise RefusalError(HTTPStatus.BAD_REQUEST, f"The body must be a JSON object with the {kind} {needs}.")
