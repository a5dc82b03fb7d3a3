"""The text of jaxprs: layout, names, hoisting."""

import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.pretty import Break, Group, Nest, join, layout, letters


@pytest.mark.parametrize(("n", "name"), [(0, "a"), (25, "z"), (26, "ba"), (51, "bz"), (52, "ca"), (676, "baa")])
def test_letters_count_in_base_26(n: int, name: str) -> None:
    assert letters(n) == name


def test_a_group_breaks_everywhere_or_nowhere() -> None:
    doc = Group(["f(", Nest(2, [Break(""), *join([",", Break()], ["first", "second", "third"])]), Break(""), ")"])
    assert layout(doc, width=30) == "f(first, second, third)"
    assert layout(doc, width=15) == "f(\n  first,\n  second,\n  third\n)"


def test_what_follows_a_group_does_not_count_for_whether_it_fits() -> None:
    doc = [Group(["[", Break(""), "12345678", Break(""), "]"]), " tail"]
    assert layout(doc, width=9) == "[\n12345678\n] tail"
    assert layout(doc, width=10) == "[12345678] tail"


def test_layout_takes_time_in_proportion_to_the_text() -> None:
    def f(x):
        for _ in range(2000):
            x = lax.sin(x)
        return x

    assert str(jax.make_jaxpr(f)(1.0)).count("sin") == 2000


def test_ten_equations_stay_inside_and_eleven_are_hoisted() -> None:
    def chain(n):
        def body(x):
            for _ in range(n):
                x = lax.sin(x)
            return x

        return str(jax.make_jaxpr(jax.jit(body))(1.0))

    assert not chain(10).startswith("let body")
    assert chain(11).startswith("let body = { lambda ;")


def test_hoisted_programs_of_one_name_are_numbered() -> None:
    f, g = jax.jit(lambda x: lax.sin(x)), jax.jit(lambda x: lax.cos(x))
    text = str(jax.make_jaxpr(lambda x: g(g(f(f(x)))))(1.0))
    assert "let lambda = " in text
    assert "let lambda1 = " in text


def test_scalar_constants_print_as_the_numbers_they_are() -> None:
    assert "1e-07:f32[]" in str(jax.make_jaxpr(lambda x: lax.mul(x, 1e-7))(1.0))
    text = str(jax.make_jaxpr(lambda x: x + 0.1)(jnp.float16(1)))
    assert "0.0999755859375:f16[]" in text


def test_printing_names_nothing_twice() -> None:
    inner = jax.jit(lambda x, y: (x, y, lax.add(x, y)))
    jaxpr = jax.make_jaxpr(lambda x: inner(x, x))(1.0)
    (eqn,) = jaxpr.eqns
    assert str(jaxpr).count("jaxpr={ lambda ; a:f32[] ") == 1
    assert len(eqn.params["jaxpr"].invars) == 2
