"""Machine code on disk: another process finds it, and whatever is wrong with a file is no harm."""

import ast
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.layer2_jit import disk, maths

ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import sys, numpy as np
import minijax as jax, minijax.numpy as jnp
print(jax.jit(lambda x: jnp.tanh(x).sum() * 2)(jnp.arange(4.0)), "numba" in sys.modules)
"""


def run(folder, **env):
    """What the program prints in a new process that keeps machine code in this folder."""
    env = {**os.environ, "JAX_COMPILATION_CACHE_DIR": str(folder), **env}
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def sizes(folder):
    return {path.name: path.stat().st_size for path in folder.iterdir()}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "cache"
    with disk.config.compilation_cache_dir(str(path)):
        yield path


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """What the first process said, and the folder that it filled."""
    folder = tmp_path_factory.mktemp("first") / "cache"
    return run(folder), folder


def test_the_second_process_needs_no_compiler(first):
    said, folder = first
    assert said[1] == "True"
    assert run(folder) == [said[0], "False"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda b: b[:-1],
        lambda b: b[:5],
        lambda b: b"",
        lambda b: b + b"x",
        lambda b: b[:40] + bytes([b[40] ^ 1]) + b[41:],
        lambda b: b"\x80" * 99,
    ],
)
def test_a_damaged_file_is_compiled_again(first, tmp_path, damage):
    said, whole = first
    cache = shutil.copytree(whole, tmp_path / "cache")
    for path in cache.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    assert run(cache) == said
    assert sizes(cache) == sizes(whole)


def test_a_folder_that_others_can_write_to_is_not_trusted(folder):
    folder.mkdir()
    folder.chmod(0o777)
    assert disk.folder() is None
    folder.chmod(0o700)
    assert disk.folder() == folder


def test_files_are_the_users_alone(folder):
    disk.write(disk.name_of("text"), b"code")
    assert disk.read(disk.name_of("text")) == b"code"
    assert (folder / disk.name_of("text")).stat().st_mode & 0o077 == 0 and folder.stat().st_mode & 0o077 == 0


def test_it_can_be_switched_off_and_cleared(folder):
    disk.write(disk.name_of("text"), b"code")
    with disk.config.enable_compilation_cache(False):
        assert disk.read(disk.name_of("text")) is None
    disk.clear()
    assert disk.read(disk.name_of("text")) is None


def test_the_folder_does_not_grow_for_ever(folder, monkeypatch):
    monkeypatch.setattr(disk, "_MOST", 1000)
    names = [disk.name_of(k) for k in range(1000)]
    for k, name in enumerate(names):
        disk.write(name, bytes(100))
        os.utime(folder / name, (k, k))
    last = max(k for k, name in enumerate(names) if name.endswith("00"))  # then it was looked at
    left = {path.name for path in folder.iterdir()}
    assert sum((folder / name).stat().st_size for name in left & {*names[: last + 1]}) <= 1000
    assert names[last] in left and names[0] not in left


def test_a_name_depends_on_all_that_the_code_depends_on():
    assert len({disk.name_of("text", ()), disk.name_of("text", (1,)), disk.name_of("text2", ())}) == 3
    assert disk.name_of("text", ()) == disk.name_of("text", ())


def test_processes_that_write_at_once_leave_whole_files(tmp_path):
    env = {**os.environ, "JAX_COMPILATION_CACHE_DIR": str(tmp_path / "cache")}
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], cwd=ROOT, env=env, stdout=subprocess.PIPE) for _ in range(3)
    ]
    assert len({p.communicate()[0].split()[0] for p in running}) == 1
    assert run(tmp_path / "cache")[1] == "False"


def test_a_function_that_was_written_anew_is_compiled_anew():
    f = lambda x: jnp.exp(x)
    assert float(jax.jit(f)(0.0)) == 1

    def exp_float32(x):
        return x + ONE  # noqa: F821 - a number of maths.py

    with instead_of_exp(exp_float32):
        assert float(jax.jit(lambda x: jnp.exp(x))(1.0)) == 2
        assert float(jax.jit(lambda x: jax.nn.sigmoid(x))(1.0)) == 1  # which calls it: 1 / (1 + exp(-1))
    assert float(jax.jit(lambda x: jnp.exp(x))(0.0)) == 1


@contextmanager
def instead_of_exp(fun):
    before = maths.exp_float32.__code__
    maths.exp_float32.__code__ = fun.__code__
    try:
        yield
    finally:
        maths.exp_float32.__code__ = before


ROUNDS = ["4", "1, 4", "4, 1", "0, 9, 2", "0, 8, 2", "9, 0, -1", "9, 0, -4", "0, 9, -1", "9, 0, 1"]


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_function_that_was_written_anew_may_count_in_any_way(rounds):
    found: dict[str, Any] = {}
    exec(f"def exp_float32(x):\n  for k in range({rounds}):\n    x = x + x + k\n  return x", found)
    with instead_of_exp(found["exp_float32"]):
        assert float(jax.jit(lambda x: jnp.exp(x))(1.0)) == maths.exp_float32(np.float32(1.0))


@pytest.mark.parametrize("rounds", ["4", "1, 4", "9, 0, -2"])
def test_in_a_function_that_was_written_anew_a_range_may_be_begun_again(rounds):
    found: dict[str, Any] = {}
    text = (
        f"def exp_float32(x):\n  r = range({rounds})\n  for j in r:\n    for k in r:\n      x = x + j * k\n  return x"
    )
    exec(text, found)
    with instead_of_exp(found["exp_float32"]):
        assert float(jax.jit(lambda x: jnp.exp(x))(1.0)) == maths.exp_float32(np.float32(1.0))


def test_what_is_not_the_caches_own_stays_in_its_folder(folder, monkeypatch):
    monkeypatch.setattr(disk, "_MOST", 10)
    assert disk.folder() == folder
    other = folder / "notes.txt"
    other.write_text("mine")
    disk.write(disk.name_of("text"), bytes(100))
    disk.clear()
    assert other.read_text() == "mine" and [*folder.iterdir()] == [other]


def test_the_name_of_a_kernel_depends_on_all_modules_that_write_machine_code():
    """native.py, what it imports, and what that imports. (The code of functions is a part of the name by itself.)"""
    folder, found, pending = Path(disk.__file__).parent, set(), ["native"]
    while pending:
        name = pending.pop()
        if name not in found and name != "functions":
            found.add(name)
            tree = ast.parse((folder / f"{name}.py").read_text("utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.level == 1:
                    pending += [node.module] if node.module else [x.name for x in node.names]
    assert {f"{name}.py" for name in found} <= {*disk._SOURCES}
