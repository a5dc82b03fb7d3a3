"""The package as it stood after a chapter: in memory, behind the finder, and as files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import chapters as tool
from minijax.course import chapters, publish as publish_module
from minijax.course.chapters import PACKAGE, layers, refused, sections, upto
from minijax.course.publish import publish, with_typed
from minijax.course.statements import one_name_each, statements

FACE = '''"""A face."""
import os
# ---- chapter 1: types
from .layer1_a.one import one
# ---- chapter 2: loops
from .layer2_b.two import two, pair
# ---- chapter 1: more types
late = 1
'''


def test_a_face_is_cut_at_the_first_heading_of_a_later_chapter():
    assert upto(FACE, 2) == FACE
    assert upto(FACE, 1).endswith("import one\n")
    assert upto(FACE, 0) == '"""A face."""\nimport os\n'


def test_the_sections_of_a_face_are_its_whole_text():
    assert [chapter for chapter, _ in sections(FACE)] == [1, 2, 1]
    assert "".join(text for _, text in sections(FACE)) == FACE


def test_the_names_of_later_sections_are_known_with_their_chapters():
    assert refused(FACE, 1) == {"two": 2, "pair": 2}
    assert refused(FACE, 2) == {}


def test_a_statement_is_known_by_what_it_binds():
    source = "x: int = 1\na, b = 1, 2\nc = d = 3\n@f\ndef g(): h = 1\nfor i in x: j = [k for k in i]\nprint(1)"
    found = {s.key: s.names for s in statements(source)}
    assert found == {
        "x": {"x"}, "(a, b)": {"a", "b"}, "c, d": {"c", "d"}, "g": {"g"}, "print(1)": set(),
        "for i in x:\n    j = [k for k in i]": {"i", "j"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("match x:\n    case [a, *b] | {'k': a, **b}: pass", {"a", "b"}),
        ("async def f(): g = 1", {"f"}),
        ("[y := i for i in z]", {"y"}),
        ("import os.path, sys as s", {"os", "s"}),
    ],
)
def test_the_names_that_a_statement_binds_are_known(source, names):
    assert [s.names for s in statements(source)] == [names]


def test_a_line_ends_where_python_ends_it():
    found = statements("a = 'form\ffeed'\r\nb = 2\n# end")
    assert [(s.text, s.first) for s in found] == [("a = 'form\ffeed'", 1), ("b = 2", 2)]


def test_statements_that_share_a_line_are_one():
    found = statements("a = '''1\n'''; b = 2\nc = 3")
    assert [(s.key, s.text, s.names) for s in found] == [
        ("a; b", "a = '''1\n'''; b = 2", {"a", "b"}),
        ("c", "c = 3", {"c"}),
    ]


def test_an_import_of_several_names_is_as_many_imports():
    (statement,) = statements("from ..a import (b, c as d)")
    assert [(s.text, s.names) for s in one_name_each(statement)] == [
        ("from ..a import b", {"b"}),
        ("from ..a import c as d", {"d"}),
    ]


def test_typed_statements_take_their_places_in_a_file():
    typed = statements("def b(): return 2\n\n\nnew = 3\n\na = 10")
    assert with_typed("a = 1\n\n\ndef b():\n    return 1\n\n\nc = 3\n", typed) == (
        "a = 10\n\n\ndef b(): return 2\n\n\nc = 3\n\n\nnew = 3\n"
    )


def test_a_new_statement_stands_above_the_first_that_mentions_it():
    typed = statements("def helper(f): return f\n@helper\ndef b(): return 2\nfrom __future__ import annotations")
    assert with_typed("a = 1\n\n\ndef b():\n    return 1\n", typed) == (
        "from __future__ import annotations\n\n\na = 1\n\n\ndef helper(f): return f\n\n\n@helper\ndef b(): return 2\n"
    )


@pytest.mark.parametrize("chapter", layers())
def test_the_package_after_a_chapter_is_the_folders_up_to_it(tmp_path: Path, chapter: int):
    target = publish(tmp_path, chapter)
    theirs = {path.relative_to(target).as_posix() for path in target.rglob("*.py")}
    assert {f.split("/")[0] for f in theirs if f.startswith("layer")} == {
        n for k, n in layers().items() if k <= chapter
    }
    assert not any(f.startswith("course/") for f in theirs)
    assert all((target / f).read_text() == (PACKAGE / f).read_text() for f in theirs if f.startswith("layer"))


# ---- a package of two chapters, small enough to see through


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with a package `minijax` of two layers, and the course's own tools beside them."""
    package = tmp_path / "minijax"
    shutil.copytree(PACKAGE / "course", package / "course", ignore=shutil.ignore_patterns("__pycache__"))
    files = {
        "__init__.py": FACE,
        "layer1_a/__init__.py": "",
        "layer1_a/one.py": "def one():\n    return 1\n",
        "layer1_a/README.md": "## Core definitions\n| 1.1 | `one.py` | `one` |\n",
        "layer2_b/__init__.py": "",
        "layer2_b/two.py": "from ..layer1_a.one import one\ndef two():\n    return one() + 1\n\npair = one(), two()\n",
        "layer2_b/README.md": "## Core definitions\n| 2.1 | `two.py` | `two` |\n",
        "other.py": "# ---- chapter 2: all of it\nx = 1\n",
    }
    for file, text in files.items():
        (package / file).parent.mkdir(parents=True, exist_ok=True)
        (package / file).write_text(text)
    return tmp_path


def python(folder: Path, program: str) -> str:
    """What a program prints in a new process that sees the package in this folder."""
    env = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_in_chapter_2_the_package_is_as_it_stood_after_chapter_1_and_then_grows(small):
    said = python(
        small,
        "from minijax.course.construction import Construction\n"
        "c = Construction(2)\n"
        "import minijax\n"
        "print(minijax.one(), type(minijax.layer1_a.one).__name__)\n"
        "for name in ('two', 'pair', 'late'):\n"
        "    try: print(getattr(minijax, name))\n"
        "    except AttributeError as error: print(error)\n"
        "c.write('layer2_b/two.py', 'def two():\\n    return 22')\n"
        "print(minijax.two(), minijax.pair)\n",
    )
    no = "module 'minijax' has no attribute"
    assert said.splitlines() == [
        "1 module",
        f"{no} 'two' yet: chapter 2 brings it, in step 2.1 (layer2_b/two.py: two)",
        f"{no} 'pair' yet: chapter 2 brings it; it waits for step 2.1 (layer2_b/two.py: two)",
        "1",
        "22 (1, 22)",
    ]


def test_in_chapter_1_layers_and_faces_of_chapter_2_are_refused_by_name(small):
    said = python(
        small,
        "from minijax.course.construction import Construction\n"
        "Construction(1)\n"
        "import minijax\n"
        "for module in ('minijax.layer2_b', 'minijax.layer2_b.two', 'minijax.other'):\n"
        "    try: __import__(module)\n"
        "    except ModuleNotFoundError as error: print(error)\n"
        "try: minijax.two\n"
        "except AttributeError as error: print(error)\n",
    )
    assert said.splitlines() == [
        "No module named 'minijax.layer2_b' yet: chapter 2 brings it",
        "No module named 'minijax.layer2_b' yet: chapter 2 brings it",
        "No module named 'minijax.other' yet: chapter 2 brings it",
        "module 'minijax' has no attribute 'two' yet: chapter 2 brings it",
    ]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("layer1_a/one.py", "from ..layer2_b.two import two\n\n\ndef one():\n    return 1\n"),
        ("__init__.py", "# ---- chapter 1: types\nfrom .layer2_b.two import two\n"),
    ],
)
def test_an_early_layer_that_needs_a_later_one_is_told(small, monkeypatch, capfd, file, text):
    (small / "minijax" / file).write_text(text)
    for module in (chapters, publish_module):
        monkeypatch.setattr(module, "PACKAGE", small / "minijax")
    assert not tool.stands(1)
    told = capfd.readouterr()
    assert "No module named 'minijax.layer2_b'" in told.err
    assert "The layers up to 1 need something that a later chapter brings" in told.out


def test_a_package_that_was_written_refuses_what_comes_later_in_the_same_words(small, monkeypatch, tmp_path):
    monkeypatch.setattr(chapters, "PACKAGE", small / "minijax")
    monkeypatch.setattr("minijax.course.publish.PACKAGE", small / "minijax")
    folder = tmp_path / "written"
    publish(folder, 1)
    said = python(
        folder,
        "import minijax\n"
        "print(minijax.one())\n"
        "for name in ('two', 'nonsense'):\n"
        "    try: print(getattr(minijax, name))\n"
        "    except AttributeError as error: print(error)\n",
    )
    assert said.splitlines() == [
        "1",
        "module 'minijax' has no attribute 'two' yet: chapter 2 brings it",
        "module 'minijax' has no attribute 'nonsense'",
    ]
