"""The examples in docstrings print what they say."""

import doctest
import importlib
import pkgutil

import pytest

import minijax

MODULES = sorted(m.name for m in pkgutil.walk_packages(minijax.__path__, "minijax."))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0
