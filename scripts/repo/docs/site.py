"""The documentation of the interfaces as a static site, made by the toolchain's `docc` from comments and articles.

Each module with a catalogue, a folder `NAME.docc` beside its sources, has its pages.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.process import captured
from swiftmodules.swiftpm.toolchain import Toolchain, temporary_folder

CATALOGUES = "Modules/*/*/*.docc"
_OPTIONS = ("--warnings-as-errors", "--transform-for-static-hosting")


def write_site(repository: Path, folder: Path, toolchain: Toolchain) -> int:
    """Writes the site into a folder, which is replaced, and returns 0.

    Raises `ToolError` with the messages of `docc` where a comment or an article is wrong; its warnings are errors.
    """
    if folder.exists() and not (folder / "index.html").exists():
        raise ToolError(f"{folder} exists, and is no site. Name another folder.")

    def run(program: str, *arguments: str | Path) -> str:
        command: list[str | Path] = [toolchain.bin / program, *arguments]
        done = captured(command, toolchain.environment, repository)
        if done.returncode != 0:
            # Some messages of docc are on its standard output.
            raise ToolError(f"'{program}' failed:\n{(done.stdout + done.stderr).decode(errors='replace').strip()}")
        return done.stdout.decode()

    scratch = ("--package-path", repository, "--scratch-path", repository / ".build/docs")
    modules = Path(run("swift", "build", *scratch, "--show-bin-path").strip()) / "Modules"
    target = str(json.loads(run("swiftc", "-print-target-info"))["target"]["triple"])
    with temporary_folder(toolchain.environment) as name:
        archives = []
        for catalogue in sorted(repository.glob(CATALOGUES)):
            module, graphs = catalogue.stem, Path(name, catalogue.stem)
            graphs.mkdir()
            run("swift", "build", *scratch, "--target", module)
            extracted = ("-module-name", module, "-I", modules, "-target", target, "-output-dir", graphs)
            run("swift-symbolgraph-extract", *extracted)
            archives.append(Path(name, f"{module}.doccarchive"))
            made = ("--additional-symbol-graph-dir", graphs, "--fallback-bundle-identifier", module)
            run("docc", "convert", catalogue, *made, *_OPTIONS, "--output-dir", archives[-1])
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        landing = ("--synthesized-landing-page-name", "Modular Swift")
        run("docc", "merge", *archives, "--output-path", folder, *landing)
    print(f"wrote {folder}. Serve it: python3 -m http.server --directory {folder}")
    return 0
