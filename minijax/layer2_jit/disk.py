"""Machine code kept in files, so that another process need not compile it again.

A file is named by all that its content depends on: the text of the kernel, its types and constants, the sources of
the compiler, the versions of Python, Numba and llvmlite, and the processor. It holds a mark, a checksum and an object
file. The folder belongs to the user alone, since whoever can write to it decides what runs. Files are written beside
and moved into place, so processes do not meet half a file; one that is damaged is as good as none.
"""

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
import zlib
from functools import cache
from importlib.metadata import version
from pathlib import Path

from ..layer1_core import config
from . import machine

_MARK = b"minijax kernel 1\n"
_PREFIX = "kernel-"  # of the files that are this cache's own: a user may name a folder that holds others
_MOST = 256 << 20  # bytes in the folder
_SOURCES = (
    "native.py",
    "instructions.py",
    "integers.py",
    "bits.py",
    "blocks.py",
    "rounds.py",
    "complexes.py",
    "blas.py",
    "emitting.py",
    "entry.py",
    "maths.py",
    "rounded.py",
    "maths64.py",
    "digits64.py",
    "gamma_slopes.py",
    "quarter_turns.py",
    "tables.py",
    "machine.py",
    "operations.py",
)


def folder() -> Path | None:
    """Where the files are: made if need be. None where the cache is switched off, or the folder cannot be trusted."""
    if not config.enable_compilation_cache.value:
        return None
    named = config.compilation_cache_dir.value
    try:
        path = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "minijax"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = path.stat()
    except (OSError, RuntimeError):
        return None
    alone = about.st_uid == os.getuid() and not stat.S_IMODE(about.st_mode) & 0o022
    return path if alone else None


@cache
def _surroundings() -> bytes:
    """What all kernels depend on."""
    sources = b"".join((Path(__file__).parent / name).read_bytes() for name in _SOURCES)
    versions = f"{sys.version_info[:3]} {version('numba')} {version('llvmlite')} {machine.description()}"
    return hashlib.sha256(sources + versions.encode()).digest()


def name_of(*parts: object) -> str:
    """The name of the file for a kernel with these parts."""
    return _PREFIX + hashlib.sha256(_surroundings() + repr(parts).encode()).hexdigest()


def read(name: str) -> bytes | None:
    """The object file of this name; None where there is none, or a damaged one."""
    path = folder()
    if path is None:
        return None
    try:
        file = path / name
        content = file.read_bytes() if file.is_file() else b""
    except OSError:
        return None
    mark, checksum, code = content[: len(_MARK)], content[len(_MARK) : len(_MARK) + 4], content[len(_MARK) + 4 :]
    return code if mark == _MARK and zlib.crc32(code).to_bytes(4, "little") == checksum else None


def write(name: str, code: bytes) -> None:
    """Keep an object file under this name, where that is possible."""
    path = folder()
    if path is None:
        return
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=path, prefix=_PREFIX, delete=False) as file:
        try:
            file.write(_MARK + zlib.crc32(code).to_bytes(4, "little") + code)
            file.close()
            os.replace(file.name, path / name)
        except OSError:
            os.unlink(file.name)
            raise
        if name.endswith("00"):  # one name of 256: to look at all files takes long where there are many
            _shrink(path)


def _shrink(path: Path) -> None:
    """Remove the oldest files where there is too much."""
    own = [entry for entry in os.scandir(path) if entry.name.startswith(_PREFIX)]
    files = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in own)
    total = sum(size for _, size, _ in files)
    for _, size, name in files:
        if total <= _MOST:
            return
        total -= size
        with contextlib.suppress(OSError):
            os.unlink(name)


def clear() -> None:
    """Remove all files."""
    path = folder()
    for entry in os.scandir(path) if path else ():
        if entry.name.startswith(_PREFIX):
            with contextlib.suppress(OSError):
                os.unlink(entry.path)
