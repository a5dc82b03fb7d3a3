"""The progress file survives bad content, two writers and a folder that refuses it."""

import json
import multiprocessing
import os
from dataclasses import asdict, replace

import pytest

from minijax.course import logbook as tools
from minijax.course.logbook import FILE, Entry, Progress, progress_here


@pytest.fixture
def store(tmp_path):
    return Progress(tmp_path / FILE)


def test_what_is_written_is_read_by_another_kernel(store):
    store.change("1.1", lambda entry: replace(entry, tries=2, passed=True))
    store.set("1.2", hints=1)
    assert Progress(store.path).entries() == {"1.1": Entry(tries=2, passed=True), "1.2": Entry(hints=1)}


def test_a_good_entry_is_read(store):
    store.path.write_bytes(file_with(tries=3))
    assert store["1.1"] == Entry(tries=3)


def test_what_is_forgotten_is_not_there(store):
    store.set("1.1", hints=1)
    store.set("1.2", hints=2)
    store.forget(["1.1", "9.9"])
    assert store.entries() == {"1.2": Entry(hints=2)}


def file_with(**values):
    """A progress file whose one entry has these values in place of good ones."""
    return json.dumps({"exercises": {"1.1": asdict(Entry()) | values}}).encode()


BAD = [
    b"", b"{", b"[]", b"null", b"3", b"{}", b'{"exercises": 3}', b'{"exercises": [1]}', b'{"exercises": {"1.1": 7}}',
    b'{"exercises": {"1.1": {"tries": 1}}}', file_with(tries="x"), file_with(tries=-1), file_with(tries=True),
    file_with(passed=1), file_with(nothing=1), b"\xff\xfe", b"[" * 100_000, b" " * (2 << 20),
]  # fmt: skip


@pytest.mark.parametrize("content", BAD, ids=range(len(BAD)))
def test_a_file_that_is_no_progress_is_set_aside_with_a_word(content, store, capsys):
    store.path.write_bytes(content)
    assert store.entries() == {}
    said = "progress.json could not be read. It is kept as progress.json.broken, and progress is counted anew.\n"
    assert capsys.readouterr().out == said
    assert store.path.with_name("progress.json.broken").read_bytes() == content
    store.set("1.1", hints=1)
    assert store.entries() == {"1.1": Entry(hints=1)}


def test_a_file_that_was_cut_off_at_any_place_is_set_aside(store, capsys):
    store.set("1.1", hints=1)
    whole = store.path.read_bytes()
    for length in range(0, len(whole) - 2, 7):
        store.path.write_bytes(whole[:length])
        assert store.entries() == {}


def add_hints(path, count):
    store = Progress(path)
    for _ in range(count):
        store.change("1.1", lambda entry: replace(entry, hints=entry.hints + 1))


def test_two_kernels_at_once_lose_nothing(store):
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=add_hints, args=(store.path, 50)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    assert store["1.1"].hints == 150
    assert json.loads(store.path.read_text())


def test_a_writer_that_keeps_the_lock_is_not_waited_for_for_ever(store, monkeypatch):
    monkeypatch.setattr(tools, "_PATIENCE", 0.1)
    with tools._alone(store.path):
        store.set("1.1", hints=1)
    assert store["1.1"].hints == 1


def test_a_folder_that_cannot_be_written_is_told(tmp_path, capsys):
    Progress(tmp_path / "missing" / FILE).set("1.1", hints=1)
    assert "progress.json could not be written (No such file or directory)" in capsys.readouterr().out


def test_a_folder_in_place_of_the_file_is_told(store, capsys):
    store.path.mkdir()
    store.set("1.1", hints=1)
    assert "could not be written" in capsys.readouterr().out


def test_only_a_kernel_that_works_in_work_or_below_writes_the_file(tmp_path, monkeypatch):
    work = tmp_path / "work"
    (work / "deeper").mkdir(parents=True)
    (tmp_path / "work2").mkdir()
    monkeypatch.setattr(tools, "WORK", work)
    paths = {}
    for folder in (tmp_path, work, work / "deeper", tmp_path / "work2"):
        os.chdir(folder)
        paths[folder.name] = progress_here().path
    assert paths == {tmp_path.name: None, "work": work / FILE, "deeper": work / FILE, "work2": None}


@pytest.fixture(autouse=True)
def _the_folder_stays():
    here = os.getcwd()
    yield
    os.chdir(here)
