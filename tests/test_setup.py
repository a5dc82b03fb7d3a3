"""The set-up files say the same thing, hold on every machine, and the README leads to them."""

import functools
import re
import subprocess
import tomllib
import warnings
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from traitlets.config.loader import PyFileConfigLoader

import doctor
import pins

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PINS = pins.read_pins()


def names(requirements):
    """The canonical package names of requirements such as `numpy>=2.3` and `pyright[nodejs]>=1`."""
    return {pins.canonical(re.match(r"[\w.-]+", requirement)[0]) for requirement in requirements}


def version(text):
    return tuple(int(part) for part in text.split("."))


def environment():
    """The conda packages and the pip lines of environment.yml."""
    *conda, inner = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    return conda, inner["pip"]


LEARNERS = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["course"]
EVERYBODY = LEARNERS + PROJECT["optional-dependencies"]["dev"] + PROJECT["optional-dependencies"]["cluster"]


def test_every_direct_dependency_is_pinned():
    assert names(EVERYBODY) <= set(PINS)


@pytest.mark.parametrize("requirement", EVERYBODY)
def test_a_pin_is_not_below_the_bound_in_pyproject(requirement):
    bound = re.search(r">=([\d.]+)$", requirement)
    pin = PINS[names([requirement]).pop()]
    assert version(bound[1]) <= version(pin)


def test_environment_yml_has_the_direct_dependencies_in_the_pinned_versions():
    _, lines = environment()
    pinned = dict(line.split("==") for line in lines if "==" in line)
    assert {pins.canonical(name): pin for name, pin in pinned.items()} == {n: PINS[n] for n in names(LEARNERS)}


def test_environment_yml_installs_minijax_and_follows_the_constraints():
    _, lines = environment()
    assert [line for line in lines if "==" not in line] == ["--constraint constraints.txt", "--editable ."]


def test_environment_yml_takes_a_python_that_minijax_supports():
    conda, _ = environment()
    oldest, below = re.fullmatch(r">=([\d.]+),<([\d.]+)", PROJECT["requires-python"]).groups()
    python = conda[0].removeprefix("python=")
    assert version(oldest) <= version(python) < version(below)
    assert conda[1:] == ["pip"]


def test_the_set_up_program_asks_for_the_same_pythons_as_pyproject():
    oldest, newest = doctor.OLDEST, doctor.NEWEST
    assert PROJECT["requires-python"] == f">={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"


def is_left_behind(path):
    """Whether a path is something that tools made: an environment, a cache, the learner's work."""
    parts = path.relative_to(ROOT).parts
    hidden = any(part.startswith(".") and part not in {".ci", ".gitignore"} for part in parts)
    return hidden or parts[0] == "work" or "__pycache__" in parts or ".egg-info" in str(path)


@functools.cache
def committed_texts():
    """{path: text} of what is in the repository or about to be, also in a copy without git."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True) if (ROOT / ".git").exists() else None
    if listed and listed.returncode == 0:
        paths = [ROOT / line for line in listed.stdout.splitlines()]
    else:
        paths = [path for path in ROOT.rglob("*") if not is_left_behind(path)]
    return {str(path.relative_to(ROOT)): path.read_text(errors="replace") for path in paths if path.is_file()}


# Written in pieces, so that this file does not contain them.
ADDRESSES = ["pypi" + ".org", "python" + "hosted", "index" + "-url", "find" + "-links", "conda" + ".anaconda"]
ADDRESSES += ["registry." + "npmjs", "deb." + "debian", "mirror" + "s."]
PLACES = [
    "/" + "root/",
    "/" + "home/",
    "/" + "Users/",
    "/" + "opt/",
    "/" + "work/main",
    "/" + "work/shared",
    str(ROOT) + "/",
]


@pytest.mark.parametrize("word", ADDRESSES + PLACES)
def test_no_file_names_a_package_index_or_a_place_on_one_machine(word):
    assert [path for path, text in committed_texts().items() if word in text] == []


def test_the_first_screen_of_the_readme_names_both_commands():
    screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:25])
    assert "make course" in screen
    assert "make test" in screen


def test_every_command_in_the_readme_exists():
    targets = re.findall(r"^([a-z%-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = set(re.findall(r"make ([a-z-]+)", " ".join(re.findall(r"`[^`]*`|^ {4}.*$", readme(), re.MULTILINE))))
    assert [name for name in named if not any(fnmatch(name, target.replace("%", "*")) for target in targets)] == []


def test_every_path_in_the_readme_exists():
    named = re.findall(r"`([\w./-]+/|[\w-]+\.(?:py|md|txt|toml|yml))`", readme())
    assert [path for path in named if not (ROOT / path).exists() and not path.startswith("work/")] == []


def test_jupyterlab_leaves_live_views_out_of_what_it_saves_and_warns_of_nothing(tmp_path):
    config = PyFileConfigLoader("jupyter_config.py", str(ROOT / "tools")).load_config()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        manager = config.ServerApp.contents_manager_class(config=config, root_dir=str(tmp_path))
    view = {"application/vnd.jupyter.widget-view+json": {}}
    outputs = [{"data": {"text/plain": "a drawing"} | view}, {"data": dict(view)}, {"text": "printed"}]
    model = {"type": "notebook", "content": {"cells": [{"outputs": outputs}, {"source": "text"}]}}
    manager.run_pre_save_hooks(model, "a.ipynb")
    assert outputs == [{"data": {"text/plain": "a drawing"}}, {"data": view}, {"text": "printed"}]


def readme():
    return (ROOT / "README.md").read_text()


def test_pip_reads_names_without_regard_to_case_and_dashes():
    assert pins.canonical("ML_Dtypes") == pins.canonical("ml-dtypes") == pins.canonical("ml.dtypes")


def test_the_doctor_says_what_differs_from_the_pins():
    found = {
        "packages": {"numpy": "1.0", "scipy": PINS["scipy"]},
        "direct": ["numba>=0.6", 'jax>=0.10; extra == "bench"'],
    }
    rows = {name: remark for name, _, _, remark in doctor.compare(found, PINS)}
    assert rows == {"numpy": "differs", "scipy": "ok", "numba": "missing"}
