"""The backend: what it keeps, how it refuses files and options, and how it fails on request.

What it answers is tested together with the backend inside the App, in Tests/HTTPClientTests.
"""

from __future__ import annotations

import http.client
import json
import sqlite3
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from repo_checkout import REPOSITORY

from repo.backend.__main__ import main
from repo.backend.api import Backend, Request
from repo.backend.server import Network, Outcome, Server
from repo.backend.store import SCHEMA_VERSION, Note, Store, UnusableFileError

NOTE = "/notes/C56A4180-65AA-42EC-A945-5FD21DEC0538"
DRAFT = {"title": "A", "text": "a"}
NEW = {"If-None-Match": "*"}


@dataclass
class Client:
    """Sends each request over a connection of its own; without an answer, the status is 0."""

    port: int
    token: str

    def send(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers["Authorization"] = f"Bearer {self.token}"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None, dict(answer.getheaders())
        except ConnectionError:
            return 0, None, {}
        finally:
            connection.close()


def signed_in(backend: Backend) -> str:
    """A token of ann."""
    answer = backend.answer(Request("POST", ["session"], body=b'{"user":"ann","password":"secret"}'))
    assert answer.value
    return str(answer.value["token"])


@contextmanager
def running(file: Path | None = None, network: Network | None = None) -> Iterator[Client]:
    """A server at which ann is signed in."""
    backend = Backend(Store(file))
    with Server(0, backend, network or Network()) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Client(server.server_port, signed_in(backend))
        finally:
            server.shutdown()
            thread.join()
    backend.store.connection.close()


def test_restart_keeps_profiles_notes_and_the_identifier_but_no_sessions(tmp_path: Path) -> None:
    file = tmp_path / "backend.db"
    with running(file) as first:
        assert first.send("PUT", "/users/ann", {"displayName": "Anna"})[0] == 200
        note = first.send("PUT", NOTE, DRAFT, **NEW)[1]
    with running(file) as second:
        assert second.send("GET", "/users/bob")[1]["displayName"] == "Bob Builder"
        assert second.send("GET", "/users/ann")[1]["displayName"] == "Anna"
        assert second.send("GET", "/notes")[1]["notes"] == [note]
        second.token = first.token
        assert second.send("GET", "/notes")[0] == 401
    assert b"secret" not in file.read_bytes() and first.token.encode() not in file.read_bytes()
    # A deleted note is kept without its text, and leaves the list of deleted ones when it is saved again.
    with running(file) as third:
        assert third.send("DELETE", NOTE, **{"If-Match": f'"{note["version"]}"'})[0] == 204
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT version, title, text FROM notes").fetchall() == [(2, "", "")]
    with running(file) as fourth:
        assert fourth.send("GET", "/notes")[1]["deleted"] == [NOTE.removeprefix("/notes/")]
        assert fourth.send("PUT", NOTE, DRAFT, **NEW)[1]["version"] == "3"
        assert fourth.send("GET", "/notes")[1]["deleted"] == []
    found = []
    for file in [tmp_path / "a.db", tmp_path / "a.db", tmp_path / "b.db", None, None]:
        with running(file) as client:
            found.append(str(UUID(client.send("GET", "/notes")[1]["server"])))
    assert found[0] == found[1] and len(set(found)) == 4


def test_database_of_the_first_schema_opens_and_gets_an_identifier(tmp_path: Path) -> None:
    file = tmp_path / "backend.db"
    with sqlite3.connect(file) as connection:
        connection.executescript("""
            CREATE TABLE users (id TEXT PRIMARY KEY, display_name TEXT NOT NULL);
            INSERT INTO users VALUES ('ann', 'Anna'), ('bob', 'Bob Builder');
            CREATE TABLE notes (
                version INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, id TEXT NOT NULL COLLATE NOCASE,
                title TEXT NOT NULL, text TEXT NOT NULL, changed TEXT NOT NULL, UNIQUE (user, id)
            );
            CREATE INDEX notes_by_version ON notes (user, version);
            INSERT INTO notes VALUES (7, 'ann', 'C56A4180-65AA-42EC-A945-5FD21DEC0538', 'A', 'a', '2026-01-01');
            PRAGMA user_version = 1
        """)
    connection.close()
    with running(file) as client:
        assert client.send("GET", "/users/ann")[1]["displayName"] == "Anna"
        page = client.send("GET", "/notes")[1]
        assert [(each["title"], each["version"]) for each in page["notes"]] == [("A", "7")] and page["deleted"] == []
        assert client.send("DELETE", NOTE, **{"If-Match": '"7"'})[0] == 204
        assert client.send("PUT", NOTE, DRAFT, **NEW)[1]["version"] == "9"
    with running(file) as again:
        assert again.send("GET", "/notes")[1]["server"] == page["server"]


def test_etag_is_the_version_and_is_sent_with_each_note() -> None:
    with running() as client:
        status, note, headers = client.send("PUT", NOTE, DRAFT, **NEW)
        assert (status, headers["ETag"]) == (201, f'"{note["version"]}"')
        assert client.send("GET", NOTE)[2]["ETag"] == headers["ETag"]
        status, conflict, present = client.send("PUT", NOTE, {**DRAFT, "text": "b"}, **NEW)
        assert (status, conflict["note"], present["ETag"]) == (412, note, headers["ETag"])
        # Without its quotes it is no ETag.
        assert client.send("DELETE", NOTE, **{"If-Match": note["version"]})[0] == 412
        assert client.send("DELETE", NOTE, **{"If-Match": headers["ETag"]})[0] == 204


@pytest.mark.parametrize("servers", [1, 2])
def test_one_of_two_saves_of_a_version_succeeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, servers: int) -> None:
    backends = [Backend(Store(tmp_path / "backend.db")) for _ in range(servers)]
    users = [Request("", [], headers={"authorization": f"Bearer {signed_in(each)}"}) for each in backends]
    path = NOTE.removeprefix("/").split("/")

    def save(number: int, text: str, **headers: str) -> HTTPStatus:
        user = users[number % servers]
        body = json.dumps({"title": "A", "text": text}).encode()
        request = replace(user, method="PUT", path=path, headers={**user.headers, **headers}, body=body)
        return backends[number % servers].answer(request).status

    assert save(0, "first", **{"if-none-match": "*"}) is HTTPStatus.CREATED
    both_have_read = threading.Barrier(2)
    read = Store.note

    def read_together(store: Store, user: str, id: str) -> Note | None:
        note = read(store, user, id)
        with suppress(threading.BrokenBarrierError):
            both_have_read.wait(0.5)  # Times out where the other one has to wait for this save.
        return note

    monkeypatch.setattr(Store, "note", read_together)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda number: save(number, str(number), **{"if-match": '"1"'}), range(2)))
    assert sorted(found) == [HTTPStatus.OK, HTTPStatus.PRECONDITION_FAILED]


def test_file_of_a_newer_version_or_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "backend.db"
    Store(file).connection.close()
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(UnusableFileError, match=f"newer version wrote it .schema {SCHEMA_VERSION + 1}; "):
        Store(file)
    assert file.read_bytes() == before
    file = tmp_path / "photos.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE photos (id)")
    with pytest.raises(UnusableFileError, match="another program"):
        Store(file)


def test_database_that_fails_later_is_a_503_and_the_server_keeps_running(tmp_path: Path) -> None:
    file = tmp_path / "backend.db"
    with running(file) as client:
        other = sqlite3.connect(file)
        other.execute("DROP TABLE notes")
        other.close()
        status, body, _ = client.send("GET", "/notes")
        assert (status, body) == (503, {"error": "The database does not answer: no such table: notes."})
        assert client.send("GET", "/users/ann")[0] == 200


def test_failures_and_latency_are_as_asked_for_and_the_same_with_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcomes(seed: int, failures: float = 0.3) -> list[Outcome]:
        network = Network(failures=failures, seed=seed)
        return list(islice(iter(network.pass_on, None), 600))

    first = outcomes(7)
    assert first == outcomes(7) and first != outcomes(8)
    assert {each: round(first.count(each) / 60) for each in Outcome} == {
        Outcome.ANSWERED: 7,
        Outcome.UNAVAILABLE: 1,
        Outcome.LOST: 1,
        Outcome.FULFILLED: 1,
    }
    assert set(outcomes(7, 0)) == {Outcome.ANSWERED} and Outcome.ANSWERED not in outcomes(7, 1)
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    network = Network(latency=(0.5, 2))
    for _ in range(50):
        network.pass_on()
    assert 0.5 <= min(pauses) < 0.7 and 1.8 < max(pauses) <= 2


@dataclass
class Planned(Network):
    """Does to each request what is planned."""

    plan: list[Outcome]

    def pass_on(self) -> Outcome:
        return self.plan.pop(0)


def test_save_that_is_retried_after_a_lost_answer_is_done_once() -> None:
    outcomes = [Outcome.LOST, Outcome.UNAVAILABLE, Outcome.ANSWERED, Outcome.FULFILLED, *[Outcome.ANSWERED] * 2]
    with running(network=Planned(outcomes)) as client:
        assert client.send("PUT", NOTE, DRAFT, **NEW)[0] == 0
        unavailable = {"error": "The server is not available. Try again later."}
        assert client.send("PUT", NOTE, DRAFT, **NEW)[:2] == (503, unavailable)
        assert client.send("GET", "/notes")[1]["notes"] == []
        assert client.send("PUT", NOTE, DRAFT, **NEW)[0] == 0
        assert client.send("GET", "/notes")[1]["notes"][0]["version"] == "1"
        status, note, _ = client.send("PUT", NOTE, DRAFT, **NEW)
        assert (status, note["version"]) == (200, "1")


def test_configuration_is_the_file_as_it_is_now(tmp_path: Path) -> None:
    file = tmp_path / "configuration.json"
    file.write_text('{"flags": {"a": true}}')
    backend = Backend(Store(), file)
    first = backend.answer(Request("GET", ["configuration"]))
    assert (first.status, first.body) == (HTTPStatus.OK, b'{"flags": {"a": true}}')
    known = {"if-none-match": first.headers["ETag"]}
    same = backend.answer(Request("GET", ["configuration"], headers=known))
    assert (same.status, same.body) == (HTTPStatus.NOT_MODIFIED, None)
    file.write_text("no JSON")
    other = backend.answer(Request("GET", ["configuration"], headers=known))
    assert (other.status, other.body) == (HTTPStatus.OK, b"no JSON")
    assert other.headers["ETag"] != first.headers["ETag"]
    file.unlink()
    gone = backend.answer(Request("GET", ["configuration"]))
    assert gone.status == HTTPStatus.SERVICE_UNAVAILABLE


BAD_OPTIONS = {
    "--configuration /no/file": (1, "there is no file '/no/file'"),
    "--failures 1.5": (64, "argument --failures: '1.5' is not a share from 0 to 1"),
    "--failures nan": (64, "argument --failures: 'nan' is not a share from 0 to 1"),
    "--latency fast": (64, "argument --latency: 'fast' is not a number of seconds from 0 to 3600"),
    "--latency 2..1": (64, "argument --latency: '2..1' starts with the larger number"),
    "--database README.md": (1, "cannot use the database 'README.md': file is not a database"),
    "--database /no/file": (1, "cannot use the database '/no/file': unable to open database file"),
}


def test_bad_options_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setattr("repo.backend.__main__.Server", lambda *_: pytest.fail("serves"))
    for options, (status, message) in BAD_OPTIONS.items():
        monkeypatch.setattr("sys.argv", ["backend", *options.split()])
        with pytest.raises(SystemExit) as ended:
            sys.exit(main())
        printed = capsys.readouterr()
        assert (ended.value.code, printed.out) == (status, "")
        assert printed.err.startswith(f"scripts/backend: {message}\n")
