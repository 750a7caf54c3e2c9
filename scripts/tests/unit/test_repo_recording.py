"""`scripts/docs --record`, with a program that writes records without measuring."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import committed, files, programs
from swiftmodules.errors import ToolError

from repo.docs.recording import record_all

MEASURE = """\
echo "$*" >> "$LOG"
output=$4
mkdir -p "$output"
if [ "$FAILS" = "$1 $2" ]; then
    touch "$output/samples.jsonl"
    exit 1
fi
rm -f "$output/samples.jsonl"
echo "{}" > "$output/results.json"
"""


def test_records_are_of_a_commit_and_a_stopped_one_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, log = tmp_path / "repository", tmp_path / "log"
    results = repository / "docs/results"
    programs(repository, {"scripts/measure": MEASURE})
    files(repository, {".gitignore": ".build/\n"})
    files(results, {"records.toml": 'one = "--rounds 1"\ntwo = "--rounds 2"\n'})
    committed(repository)
    monkeypatch.setenv("LOG", str(log))

    monkeypatch.setenv("FAILS", "--rounds 2")
    with pytest.raises(ToolError, match="--record again: what is complete is kept"):
        record_all(repository)
    assert not (results / "one").exists(), "records of two commits do not stand side by side"

    monkeypatch.setenv("FAILS", "")
    assert record_all(repository) == 0
    assert [line.partition(" --output")[0].split("/")[0] for line in log.read_text().splitlines()] == [
        "--rounds 1",
        "--rounds 2",
        "--rounds 2",
    ]
    assert sorted(path.name for path in results.rglob("*.*")) == ["records.toml", "results.json", "results.json"]
