"""The package stands up: what `make check` runs in a second or two."""

from pathlib import Path

import numpy as np
from building import begun, step_of, text_of
from IPython.core.interactiveshell import InteractiveShell

import minijax as jax
import minijax.numpy as jnp
from minijax.course import magics

CASES = Path(__file__).parent / "conformance" / "cases"


def relu(x):
    return jnp.maximum(x * 2.0 + 1.0, 0.0)


def test_the_jaxpr_of_relu_is_printed_as_jax_prints_it():
    printed = str(jax.make_jaxpr(relu)(jnp.float32(3.0)))
    assert printed.split() == (CASES / "core" / "relu.out").read_text().split()


def test_a_jitted_function_computes_what_the_function_computes():
    x = jnp.array([-2.0, 0.0, 3.0])
    np.testing.assert_array_equal(np.asarray(jax.jit(relu)(x)), [0.0, 1.0, 7.0])
    np.testing.assert_array_equal(np.asarray(jax.jit(relu)(x)), np.asarray(relu(x)))


def test_jit_traces_once_for_each_type_of_its_argument():
    traced = []
    count = jax.jit(lambda x: (traced.append(x.shape), x)[1])
    for shape in [(2,), (2,), (3,), (2,)]:
        count(jnp.zeros(shape))
    assert traced == [(2,), (3,)]


def test_a_branch_on_a_traced_value_is_refused():
    try:
        jax.jit(lambda x: 1 if x > 0 else 0)(1.0)
    except jax.errors.TracerBoolConversionError as error:
        assert "Attempted boolean conversion of traced array" in str(error)
    else:
        raise AssertionError("a tracer was taken for a bool")


def test_a_pytree_comes_back_in_its_own_form():
    tree = {"b": (1.0, [2.0, None]), "a": 3.0}
    doubled = jax.jit(lambda t: jax.tree.map(lambda leaf: leaf * 2, t))(tree)
    assert jax.tree.structure(doubled) == jax.tree.structure(tree)
    assert [float(leaf) for leaf in jax.tree.leaves(doubled)] == [6.0, 2.0, 4.0]


def test_a_chapter_begins_and_its_first_layer_cell_builds_a_part_of_the_package(capsys):
    with begun(1):
        shell, step = InteractiveShell(colors="nocolor"), step_of("canonicalize_shape")
        magics.load(shell)
        shell.run_cell("%chapter 1")
        shell.run_cell(f"%%layer {step.file} (step {step.id})\n{text_of('canonicalize_shape')}")
        assert shell.user_ns["canonicalize_shape"]([2]) == (2,)
    assert "In layer1_core/aval.py: canonicalize_shape." in capsys.readouterr().out
