"""Numbers and NumPy arrays that know their type behave as numbers and arrays."""

import copy
import pickle

import numpy as np
import pytest

from minijax.layer1_core.aval import typeof
from minijax.layer1_core.literals import TypedNdArray, with_type


@pytest.mark.parametrize("x", [3, 2.5, 1 + 2j])
def test_a_typed_number_is_the_number_and_has_its_type(x):
    typed = with_type(x)
    assert typed == x and hash(typed) == hash(x) and isinstance(typed, type(x))
    assert typeof(typed) == typeof(x) and typed.dtype == typeof(x).dtype
    assert type(typed + 1) is type(x + 1)


@pytest.mark.parametrize("x", [3, 2.5, 1 + 2j])
def test_a_typed_number_is_copied_and_pickled_whole(x):
    typed = with_type(x)
    for again in (copy.copy(typed), copy.deepcopy(typed), pickle.loads(pickle.dumps(typed))):
        assert type(again) is type(typed) and again == x and again.dtype == typed.dtype


def test_what_is_computed_from_a_typed_array_is_a_plain_one():
    typed = with_type(np.arange(3))
    assert type(typed) is TypedNdArray and typed.dtype == np.int32
    assert type(typed + 1) is np.ndarray and type(typed.sum()) is np.int64 and type(typed[1:]) is TypedNdArray


def test_a_truth_value_and_an_object_stay_as_they_are():
    for x in (True, None, "text"):
        assert with_type(x) is x
