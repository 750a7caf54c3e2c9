"""The archive in which a package travels to the machines, and what must be equal there."""

from __future__ import annotations

import hashlib
import platform
import zlib
from pathlib import Path

import msgspec
from msgspec import Struct

import swiftmodules
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.copy import files_below
from swiftmodules.swiftpm.toolchain import Toolchain


class _File(Struct, array_like=True):
    path: str
    mode: int
    content: bytes
    # Where a link leads.
    link: str | None = None


class Archive(Struct, frozen=True):
    """The files of a folder. `name` is the SHA-256 of `data`."""

    name: str
    data: bytes

    @classmethod
    def of(cls, folder: Path) -> Archive:
        """Packs a folder; the same files give the same archive."""
        files = []
        for path in sorted(files_below(folder, folder)):
            file = folder / path
            link = str(file.readlink()) if file.is_symlink() else None
            content = b"" if link is not None else file.read_bytes()
            files.append(_File(path.as_posix(), 0 if link is not None else file.stat().st_mode & 0o777, content, link))
        data = zlib.compress(msgspec.msgpack.encode(files))
        return cls(hashlib.sha256(data).hexdigest(), data)

    def unpack(self, folder: Path) -> None:
        """Writes the files to a folder. Raises `ToolError` where the archive is not the one of its name."""
        if hashlib.sha256(self.data).hexdigest() != self.name:
            raise ToolError("the package did not arrive as it was sent. Run the command again.")
        for file in msgspec.msgpack.decode(zlib.decompress(self.data), type=list[_File]):
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if file.link is not None:
                path.symlink_to(file.link)
            else:
                path.write_bytes(file.content)
                path.chmod(file.mode)


class Facts(Struct, frozen=True):
    """What is equal on all machines of a run: results of others are not compared."""

    toolchain: str
    platform: str
    program: str

    @classmethod
    def of(cls, toolchain: Toolchain) -> Facts:
        """Those of this machine."""
        try:
            system = platform.freedesktop_os_release()["PRETTY_NAME"]
        except OSError:
            system = platform.mac_ver()[0]
        folder = Path(swiftmodules.__file__).parent
        digest = hashlib.sha256()
        for path in sorted(files_below(folder, folder, ["__pycache__"])):
            digest.update(f"{path} ".encode() + (folder / path).read_bytes())
        return cls(toolchain.version, f"{platform.system()} {platform.machine()} {system}", digest.hexdigest()[:12])

    def require_equal(self, machine: str, here: Facts) -> None:
        """Raises `ToolError`, with both versions, where a machine is not like that of the command."""
        words = {"toolchain": "toolchain", "platform": "platform", "program": "version of swiftmodules"}
        for name, what in words.items():
            wanted, found = getattr(self, name), getattr(here, name)
            if wanted != found:
                raise ToolError(
                    f"the machine {machine} has another {what}: {found}, and the command runs with {wanted}. Give all "
                    "machines the same, or leave this one out."
                )
