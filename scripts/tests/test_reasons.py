"""Reading why the driver compiled a file."""

from __future__ import annotations

from pathlib import Path

from buildspeed.reasons import ADDED, EDITED, mangled_names, read_reasons, readable, reasons, remarks

_STORE = """\
1234
{"kind": "began"}
remark: Incremental compilation: Read dependency graph '/a b/debug/StoreFused.build/primary.priors'
remark: Incremental compilation: Scheduling changed input  {compile: Reading.swift.o <= Reading.swift}
remark: Incremental compilation: Scheduling new  {compile: Edit7.swift.o <= Edit7.swift}
remark: Incremental compilation: May skip current input:  {compile: Other.swift.o <= Other.swift}
remark: Incremental compilation: Traced: interface of type '14StoreInterface0A0O@6af3' in Reading.swift -> \
interface of top-level name 'x' -> implementation of source file from Memory Reader.swiftdeps in Memory Reader.swift
remark: Incremental compilation: Traced: interface of top-level name 'edit7' -> implementation of source file from \
Memory Reader.swiftdeps in Memory Reader.swift
remark: something else
"""


def test_reason_is_the_ends_of_the_path_that_was_traced_first() -> None:
    target, found = reasons(remarks(_STORE.encode()))
    assert target == "StoreFused"
    assert found == {
        "Reading.swift": EDITED,
        "Edit7.swift": ADDED,
        "Memory Reader.swift": "interface of type '14StoreInterface0A0O@6af3' → interface of top-level name 'x'",
    }


def test_reason_is_told_once_where_the_file_uses_what_changed_itself() -> None:
    traced = "Traced: interface of type '1AV' in A b.swift -> implementation of source file from B.swiftdeps in B.swift"
    assert reasons([traced])[1] == {"B.swift": "interface of type '1AV'"}


def test_reason_is_told_without_what_differs_from_edit_to_edit() -> None:
    block = "interface of type '14StoreInterface0A0O@6af3'"
    assert mangled_names([block]) == {"$s14StoreInterface0A0O"}
    names = {"$s14StoreInterface0A0O": "StoreInterface.Store"}
    assert readable(block, names) == "interface of type 'StoreInterface.Store' (one block of it)"
    assert readable("interface of top-level name 'edit7'", {}) == "interface of top-level name 'edit'"
    assert readable("interface of source file from A.swiftdeps", {}) == "interface of the file A.swift"
    assert readable("interface of source file from Store", {}) == "interface of the module Store"
    assert mangled_names(["interface of potential members of 'SS'"]) == {"$sSS"}
    assert mangled_names(["interface of top-level name 'SS'"]) == set()
    path = "interface of source file from Store → interface of type '3URLV'"
    assert readable(path, {"$s3URLV": "URL"}) == "interface of the module Store → interface of type 'URL'"
    assert readable(EDITED, {}) == EDITED


def test_files_of_the_same_name_are_told_apart_by_their_target(tmp_path: Path) -> None:
    for number, target in enumerate(("Feed", "Store")):
        changed = "Scheduling changed input  {compile: Code.swift.o <= Code.swift}" if target == "Store" else "x"
        (tmp_path / f"{number}.messages").write_text(
            f"remark: Incremental compilation: Read dependency graph '/debug/{target}.build/primary.priors'\n"
            f"remark: Incremental compilation: {changed}\n"
        )
    files = {Path(f"Sources/{name}/{name}/Code.swift"): Path(f"{name}/Code.swift") for name in ("Feed", "Store")}
    assert read_reasons(tmp_path, files) == {"Store/Code.swift": EDITED}
