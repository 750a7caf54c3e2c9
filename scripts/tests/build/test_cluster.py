"""Runs on the workers of a cluster on this machine, with real builds: the same answers, and what happens when parts of
the cluster go away."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import dask
import pytest
from clusters import LocalCluster, local_cluster, wait_until
from rich.console import Console
from runs import CHOICES, FIXTURES, HAS_MOUNTS, measured
from swiftmodules.errors import DiskFullError, InterruptedRunError, ToolError, UsageError
from swiftmodules.measure.answers import Call
from swiftmodules.measure.cluster import Cluster
from swiftmodules.measure.plan import step_of
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import SOUND, Record, Variant
from swiftmodules.measure.store import read_record
from swiftmodules.options import MeasureChoices
from swiftmodules.swiftpm.toolchain import Toolchain

SMALL = replace(CHOICES, layouts=("interface",), edits=("noop",))
COUNTS = MeasureChoices(rounds=0, layouts=("interface",), edits=("noop", "body"))


class Watched(ProgressView):
    """Calls something with everything that is shown."""

    def __init__(self, seen: Callable[[str], None]) -> None:
        super().__init__(Console(width=200, force_terminal=False))
        self._seen = seen

    def note(self, text: str) -> None:
        super().note(text)
        self._seen(text)

    def begins(self, name: str) -> None:
        self._seen(name)


@contextmanager
def joined(cluster: LocalCluster, seen: Callable[[str], None] = lambda text: None) -> Iterator[dict[str, Any]]:
    """The fields of a task whose work is done by a cluster."""
    view = Watched(seen)
    with Cluster(cluster.address, Toolchain.find(), {}, view) as machines:
        yield {"cluster": machines, "view": view}


def package(folder: Path, name: str = "Smallest") -> Path:
    return shutil.copytree(FIXTURES / name, folder / name)


def samples_are_whole(record: Record) -> None:
    """Asserts that each round was taken once, as a whole, on one machine."""
    rounds = record.rounds
    per_round = 2 * len(record.values("edit"))
    assert [each.round for each in record.samples] == [n for n in range(1, rounds + 1) for _ in range(per_round)]
    assert [each.position for each in record.samples] == [*range(1, per_round + 1)] * rounds
    assert {each.machine for each in record.samples} == record.machines.keys()
    assert record.incomplete is None


def test_two_workers_share_the_work(tmp_path: Path) -> None:
    with local_cluster(tmp_path / "cluster") as cluster, joined(cluster) as more:
        found = measured(package(tmp_path), COUNTS, **more)
        # Each had something to do.
        folders = [file.parent for file in (tmp_path / "cluster" / "workers").rglob("errors")]
        assert len(set(folders)) == 2
    noop, body = found.samples
    assert noop.compiled == {} and isinstance(body.compiled, dict) and [*body.compiled.values()] == ["edited"]


@pytest.mark.slow
def test_round_of_a_killed_worker_is_rerun_and_a_run_without_its_scheduler_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = package(tmp_path)
    with local_cluster(tmp_path / "cluster") as cluster:
        killer = threading.Thread(target=cluster.kill_the_one_that_takes_times)

        def fail(text: str) -> None:
            if text.startswith("[2/"):
                cluster.scheduler.kill()

        with joined(cluster, fail) as more:
            ask = more["cluster"].ask

            def asked(call: Call) -> object:
                if call.method == "round" and not killer.ident:
                    killer.start()
                return ask(call)

            monkeypatch.setattr(more["cluster"], "ask", asked)
            with pytest.raises(ToolError, match=r"the scheduler at .* has gone away"):
                measured(small, replace(SMALL, rounds=2), **more)
        killer.join()
        assert sum(worker.poll() is not None for worker in cluster.workers) == 1
        wait_until(lambda: not cluster.builds(), seconds=10)
    kept = read_record(tmp_path / "output")
    assert len(kept.samples) == 2 and "has gone away" in (kept.incomplete or "")
    with local_cluster(tmp_path / "another", workers=0) as cluster:

        def begin(text: str) -> None:
            # A worker may come at any time.
            if text.startswith("Sending"):
                threading.Thread(target=cluster.add).start()

        with joined(cluster, begin) as more:
            record = measured(small, replace(SMALL, rounds=2), resume=True, **more)
    samples_are_whole(record)
    assert record.samples[: len(kept.samples)] == kept.samples


@pytest.mark.slow
def test_worker_whose_disk_is_full_reports_it_with_its_machine(tmp_path: Path) -> None:
    if not HAS_MOUNTS:
        pytest.skip("this system does not let users mount file systems")
    workers = tmp_path / "cluster" / "workers"
    with local_cluster(tmp_path / "cluster", workers=0) as cluster:
        workers.mkdir()
        cluster.add(mount=f"mount -t tmpfs -o size=2m tmpfs '{workers}'")
        with joined(cluster) as more, pytest.raises(DiskFullError, match=r"on .*: the disk of .* is full"):
            measured(package(tmp_path), SMALL, **more)


@pytest.mark.slow
def test_cancelled_run_ends_its_builds_on_the_workers_within_ten_seconds(tmp_path: Path) -> None:
    with local_cluster(tmp_path / "cluster") as cluster:

        def cancel() -> None:
            wait_until(lambda: len({words[words.index("--package-path") + 1] for words in cluster.builds()}) == 2)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=cancel).start()
        with pytest.raises(InterruptedRunError), joined(cluster) as more:
            measured(package(tmp_path, "Tiny"), COUNTS, **more)
        wait_until(lambda: "measure.answers" not in str(cluster.processes()), seconds=10)
        assert cluster.builds() == []
        # The workers go on.
        assert [worker.poll() for worker in cluster.workers] == [None, None]
        assert not list((tmp_path / "cluster" / "workers").rglob("work"))


@pytest.mark.slow
def test_worker_with_another_toolchain_is_refused_with_both_versions(tmp_path: Path) -> None:
    toolchain = Toolchain.find()
    target = subprocess.run([toolchain.swiftc, "-print-target-info"], capture_output=True, check=True).stdout
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "target.json").write_bytes(target.replace(toolchain.version.encode(), b"Swift 1.2"))
    other = tmp_path / "bin" / "swiftc"
    other.write_text(f"#!/bin/sh\ncat {tmp_path}/bin/target.json\n")
    other.chmod(0o755)
    variables = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    said = rf"another toolchain: Swift 1\.2, and the command runs with {re.escape(toolchain.version)}"
    with local_cluster(tmp_path / "cluster", workers=1) as cluster:
        with joined(cluster) as more:
            more["cluster"].offer(package(tmp_path), tmp_path)
            late = cluster.add(variables)
            # It goes away, and leaves the run as it is.
            wait_until(lambda: late.poll() is not None)
            assert re.search(said, cluster.printed("worker-1"))
            assert cluster.workers[0].poll() is None
        cluster.add(variables)
        with joined(cluster) as more, pytest.raises(ToolError, match=said):
            more["cluster"].offer(tmp_path / "Smallest", tmp_path)
        # The others stay.
        assert cluster.workers[0].poll() is None


@pytest.mark.slow
def test_certificates_are_passed_through_and_required(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(name: str) -> tuple[Path, Path]:
        certificate, key = tmp_path / f"{name}.pem", tmp_path / f"{name}-key.pem"
        words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"]
        subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        return certificate, key

    (certificate, key), (other, other_key) = made("ours"), made("another")
    tls = {"CA_FILE": certificate}
    tls |= {
        f"{side}__{name}": file
        for side in ("SCHEDULER", "WORKER")
        for name, file in (("CERT", certificate), ("KEY", key))
    }
    variables = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(file) for name, file in tls.items()}
    view = Watched(lambda text: None)

    def known(certificate: Path, key: Path) -> dask.config.set:
        files = {"ca-file": tls["CA_FILE"], "client.cert": certificate, "client.key": key}
        return dask.config.set({f"distributed.comm.tls.{name}": str(file) for name, file in files.items()})

    with local_cluster(tmp_path / "cluster", workers=1, scheme="tls", variables=variables) as cluster:
        with known(certificate, key), Cluster(cluster.address, Toolchain.find(), {}, view) as machines:
            machines.offer(package(tmp_path), tmp_path)
            (worker,) = machines.client.scheduler_info()["workers"]
            assert worker.startswith("tls://127.0.0.1:")
        monkeypatch.setattr("swiftmodules.measure.cluster._CONNECT_SECONDS", 2)
        with pytest.raises(UsageError, match=r"Set distributed\.comm\.tls"):
            Cluster(cluster.address, Toolchain.find(), {}, view)
        with known(other, other_key), pytest.raises(ToolError, match="No scheduler answers at tls://"):
            Cluster(cluster.address, Toolchain.find(), {}, view)


@pytest.mark.slow
def test_sizes_are_measured_together_and_verified_and_two_workers_find_the_same_as_none(tmp_path: Path) -> None:
    records = []
    for name in ("alone", "shared"):
        (tmp_path / name).mkdir()
        tiny = package(tmp_path / name, "Tiny")
        shutil.copy(FIXTURES / "Listed.swift", tiny / "App/Support.swift")
        (tiny / "swiftmodules.toml").write_text('[measure]\nscale_module = "Store"\nmodules = ["Feed"]\n')
        with ExitStack() as entered:
            more: dict[str, Any] = {}
            if name == "shared":
                cluster = entered.enter_context(local_cluster(tmp_path / "cluster"))
                more = entered.enter_context(joined(cluster))
            choices = replace(SMALL, copies=(1, 2), edits=("body",), verify=True)
            records.append(measured(tiny, choices, **more))
    one, other = records
    assert one.control == (Variant(layout="interface", copies=1),)
    assert (one.values("module"), one.copied) == (("Feed", "Store"), "Store")
    assert len(one.samples) == 2 * 3
    assert {each.files for each in one.samples} == {1}
    # The smallest size is verified.
    assert one.verification is not None
    assert {(each.cell.copies, each.result) for each in one.verification.verdicts} == {(1, SOUND)}

    def known(record: Record) -> list[object]:
        return [(step_of(each), each.round, each.position, each.compiled, each.linked) for each in record.samples]

    assert known(other) == known(one)
    assert (other.contents, other.placements, other.verification) == (one.contents, one.placements, one.verification)
    assert one.machines == {} and {each.machine for each in other.samples} == other.machines.keys()
