"""Keeps users and notes in SQLite."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

# AUTOINCREMENT never gives a version twice, and REPLACE gives each save a new one: it orders notes, too.
FIRST_SCHEMA = """
CREATE TABLE users (id TEXT PRIMARY KEY, display_name TEXT NOT NULL);
INSERT INTO users VALUES ('ann', 'Ann Example'), ('bob', 'Bob Builder');
CREATE TABLE notes (
    version INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    id TEXT NOT NULL COLLATE NOCASE,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    changed TEXT NOT NULL,
    UNIQUE (user, id)
);
CREATE INDEX notes_by_version ON notes (user, version)
"""
# A deletion takes the place of its note, without the title and the text.
DELETIONS = """
CREATE TABLE server (id TEXT NOT NULL);
INSERT INTO server VALUES (new_uuid());
ALTER TABLE notes ADD COLUMN is_deleted INTEGER NOT NULL DEFAULT 0
"""
# Each brings a database of the version before up to its own.
SCHEMAS = (FIRST_SCHEMA, DELETIONS)
SCHEMA_VERSION = len(SCHEMAS)


class UnusableFileError(Exception):
    """A file that cannot serve as the database, with the reason."""


@dataclass(frozen=True)
class Note:
    """A note as it was saved last, or its deletion."""

    version: int
    id: str
    title: str
    text: str
    changed: str
    is_deleted: bool


class Store:
    """The database; for one thread at a time."""

    def __init__(self, file: Path | None = None) -> None:
        """Opens a database, and creates it if it does not exist; without a file it is in memory."""
        try:
            self.connection = sqlite3.connect(file or ":memory:", isolation_level=None, check_same_thread=False)
            self.connection.create_function("new_uuid", 0, lambda: str(uuid.uuid4()))
            with self.transaction():
                ((version,),) = self.connection.execute("PRAGMA user_version")
                ((tables,),) = self.connection.execute("SELECT count(*) FROM sqlite_master")
                if version > 0 or tables == 0:
                    for schema in SCHEMAS[version:]:
                        for statement in schema.split(";"):
                            self.connection.execute(statement)
                    if version < SCHEMA_VERSION:
                        self.connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        except sqlite3.Error as error:
            raise UnusableFileError(str(error)) from error
        if version > SCHEMA_VERSION:
            raise UnusableFileError(f"a newer version wrote it (schema {version}; this one reads {SCHEMA_VERSION})")
        if version == 0 and tables > 0:
            raise UnusableFileError("it is the database of another program")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Writes all that is done within, or nothing where an error is raised."""
        self.connection.execute("BEGIN IMMEDIATE")
        with self.connection:
            yield

    @property
    def server(self) -> str:
        """The identifier of the server, which is as old as its data."""
        ((id,),) = self.connection.execute("SELECT id FROM server")
        return str(id)

    def display_name(self, user: str) -> str | None:
        row = self.connection.execute("SELECT display_name FROM users WHERE id = ?", (user,)).fetchone()
        return row and str(row[0])

    def rename(self, user: str, name: str) -> None:
        self.connection.execute("UPDATE users SET display_name = ? WHERE id = ?", (name, user))

    def note(self, user: str, id: str) -> Note | None:
        return next(self.read("user = ? AND id = ? AND NOT is_deleted", user, id), None)

    def changes(self, user: str, before: int) -> Iterator[Note]:
        """A user's notes and deletions with smaller versions than the given one, newest first."""
        return self.read("user = ? AND version < ? ORDER BY version DESC", user, before)

    def read(self, condition: str, *values: str | int) -> Iterator[Note]:
        query = f"SELECT version, id, title, text, changed, is_deleted FROM notes WHERE {condition}"
        return (Note(*row) for row in self.connection.execute(query, values))

    def save(self, user: str, id: str, title: str, text: str, is_deleted: bool = False) -> None:
        changed = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        query = "REPLACE INTO notes (user, id, title, text, changed, is_deleted) VALUES (?, ?, ?, ?, ?, ?)"
        self.connection.execute(query, (user, id, title, text, changed, is_deleted))
