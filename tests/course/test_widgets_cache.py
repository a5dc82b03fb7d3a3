"""The cache inspector says of each trace what was called, why it was traced again, and what it captured."""

from functools import partial
from xml.etree import ElementTree

import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.course.figures import COLUMNS
from minijax.course.widgets import cache_inspector
from minijax.course.widgets.cache_drawing import HEADS

big, small = jnp.arange(2000.0), jnp.ones(3)


@pytest.fixture
def f():
    """A function with a static argument and two captured arrays, called in five kinds."""

    @partial(jax.jit, static_argnames="k")
    def f(x, k=1):
        return x["a"] * k + big.sum() + small.sum()

    for x, k in ((jnp.ones(3), 1), (jnp.ones(4), 1), (jnp.ones(4), 2), (jnp.ones(4), 2.0)):
        f({"a": x}, k=k)
    f({"a": jnp.ones(4), "b": 0.0}, k=2.0)
    return f


def test_the_rows_are_the_traces_in_order(f):
    rows = cache_inspector(f).found.rows
    assert len(rows) == f._cache_size() == 5
    assert [row.called for row in rows[:2]] == [
        ("x['a']: f32[3]", "k = 1 (static)"),
        ("x['a']: f32[4]", "k = 1 (static)"),
    ]
    assert [len(miss.traced.jaxpr.eqns) for miss in f._misses()] == [row.equations for row in rows]


def test_a_reason_is_a_sentence(f):
    figure = cache_inspector(f)
    assert "It is the first trace." in figure.about(figure.found, 0)
    assert "x['a'] is f32[4], and was f32[3]." in figure.about(figure.found, 1)
    assert "The static argument k is 2, and was 1." in figure.about(figure.found, 2)
    assert "The static argument k is 2.0, and was 2." in figure.about(figure.found, 3)
    assert "The tree of the arguments is another one: at input path" in figure.about(figure.found, 4)


def test_what_was_captured_is_named_and_what_is_large_is_marked(f):
    figure = cache_inspector(f)
    assert "Captured: big: f32[2000] (large) and small: f32[3]." in figure.about(figure.found, 0)
    assert "Captured: nothing." in cache_inspector(called(lambda x: x, 1.0)).text()


def called(fun, *args):
    jitted = jax.jit(fun)
    jitted(*args)
    return jitted


def test_a_flag_that_made_a_trace_is_named():
    g = called(lambda x: x * 2, 1.0)
    with jax.numpy_dtype_promotion("strict"):
        g(1.0)
    assert "the flag jax_numpy_dtype_promotion is strict, and was standard" in cache_inspector(g).text().lower()


def test_the_option_of_another_wrapper_is_named():
    fun = lambda x: x + 1  # two wrappers share the traces of one function
    called(fun, 1.0)
    other = jax.jit(fun, donate_argnums=0)
    other(jnp.float32(1.0))
    assert "option of jit donate_argnums is" in cache_inspector(other).text()


def test_static_values_that_look_alike_are_said_to_differ():
    class Config:
        def __repr__(self):
            return "<Config object at 0x7f00>"

    g = jax.jit(lambda x, c: x, static_argnums=1)
    g(1.0, Config()), g(1.0, Config())
    text = cache_inspector(g).text()
    assert "c is <Config object>, and was <Config object> (it looks the same, but is not equal)" in text
    assert "0x" not in text


def test_a_shape_that_keeps_changing_is_advised_about():
    g = jax.jit(lambda x: x)
    for n in range(4):
        g(jnp.ones(n))
    assert "padded" not in cache_inspector(g).text()
    g(jnp.ones(4))
    assert "The shape of x was another one in each of the last 5 traces." in cache_inspector(g).text()


# ---- a call that is asked about

ASKED = [
    (lambda: (({"a": jnp.ones(4)},), {"k": 2}), "runs the program of trace 3. It is not traced again."),
    (lambda: (({"a": jnp.zeros(4)},), {"k": 2}), "runs the program of trace 3. It is not traced again."),
    (lambda: (({"a": jnp.ones(4)},), {"k": True}), "would be traced again: the static argument k is True, and was 2"),
    (lambda: (({"a": jnp.ones(5)},), {"k": 2}), "would be traced again: x['a'] is f32[5], and was f32[4]"),
    (lambda: (({"b": jnp.ones(4)},), {"k": 2}), "would be traced again: the tree of the arguments is another one"),
    (lambda: (({"a": 1.0},), {"k": 2}), "x['a']: f32[] (weak); k = 2 (static) would be traced again"),
]


@pytest.mark.parametrize("make, words", ASKED)
def test_what_a_call_would_do_is_what_it_does(f, make, words):
    args, kwargs = make()
    text = cache_inspector(f, *args, **kwargs).text()
    before = f._cache_size()
    assert words in text
    assert ("traced again:" in text) == ("not traced again" not in text)
    f.lower(*args, **kwargs) if "b" not in args[0] else None
    if "b" not in args[0]:
        assert f._cache_size() - before == ("not traced again" not in text)


def test_asking_traces_nothing_and_runs_nothing():
    traced = []
    g = jax.jit(lambda x: (traced.append(x), x)[1])
    assert "would be traced: it is the first one." in cache_inspector(g, 1.0).text()
    assert cache_inspector(g, 1.0).ask("2.0").endswith("it is the first one.")
    assert traced == []
    assert g._cache_size() == 0


def test_a_call_that_is_typed_is_answered_and_errors_are_told(f):
    figure = cache_inspector(f)
    assert "would be traced again: x['a'] is f32[], and was" in figure.ask("{'a': 1.0}, k=2")
    assert figure.ask("k=").startswith("These arguments are refused. SyntaxError: ")
    assert figure.ask("'text'").startswith("These arguments are refused. TypeError: Error interpreting argument")
    assert figure.ask("1, k=[]").startswith("These arguments are refused. ValueError: Non-hashable static")
    assert figure.ask("1, 2, k=3").startswith("These arguments are refused. TypeError: multiple values")
    assert figure.ask("").startswith("These arguments are refused. TypeError: missing a required argument")


def test_arguments_that_are_refused_are_refused_as_by_the_call(f):
    with pytest.raises(TypeError, match="Error interpreting argument"):
        cache_inspector(f, "text")


def test_a_bound_method_is_asked_about_with_its_self():
    @jax.tree_util.register_pytree_node_class
    class Model:
        def tree_flatten(self):
            return (1.0,), None

        @classmethod
        def tree_unflatten(cls, aux, leaves):
            return cls()

        @jax.jit
        def g(self, x):
            return x

    model = Model()
    model.g(1.0)
    assert "runs the program of trace 1" in cache_inspector(model.g, 2.0).text()


def test_a_function_that_is_not_jitted_is_refused():
    with pytest.raises(TypeError, match=r"shows the traces of a jitted function, and this is .*: give it jax.jit"):
        cache_inspector(lambda x: x)


# ---- what is shown


def test_the_drawing_is_well_formed_and_says_the_same_in_words(f):
    figure = cache_inspector(f, {"a": jnp.ones(3)})
    drawing = ElementTree.fromstring(figure.svg())
    assert drawing.get("role") == "img"
    assert drawing.findtext("{*}desc") == figure.text()
    texts = list(drawing.iter("{http://www.w3.org/2000/svg}text"))
    assert {*HEADS} <= {element.text for element in texts}
    words = " ".join(element.text for element in texts).split()
    assert {word for row in figure.found.rows for text in row.called for word in text.split()} <= {
        word.rstrip(";") for word in words
    }
    assert all(float(e.get("x")) + 6 * len(e.text) <= float(drawing.get("width")) for e in texts)


def test_a_long_static_value_is_cut_and_a_long_word_is_broken():
    g = jax.jit(lambda x, s: x, static_argnums=1)
    g(1.0, "a" * 500)
    figure = cache_inspector(g)
    assert "a" * 81 not in figure.text()
    shown = [e.text for e in ElementTree.fromstring(figure.svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert all(len(text) < 150 for text in shown)


@pytest.mark.parametrize("place", range(6))
def test_the_chosen_trace_is_the_one_that_is_marked_and_its_program_is_shown(f, place):
    figure = cache_inspector(f)
    page = ElementTree.fromstring(f"<all>{figure.page_at(figure.found, place).partition('</style>')[2]}</all>")
    marked = [row.findtext("th") for row in page.iter("tr") if row.get("class") == "now"]
    assert marked == ([f"→ {place}"] if place else [])
    assert len(page.findall(".//*[@class='number']")) == (figure.found.rows[place - 1].equations + 2 if place else 0)


def test_a_text_has_short_lines_and_all_words(f):
    figure = cache_inspector(f)
    assert max(map(len, repr(figure).split("\n"))) <= COLUMNS
    assert repr(figure).split() == figure.text().split()


def test_a_function_without_traces_is_shown_as_such():
    figure = cache_inspector(jax.jit(lambda x: x))
    assert "The traces of the function: none." in figure.text()
    assert "It was not called yet." in figure.page_at(figure.found, 0)
    ElementTree.fromstring(figure.svg())
    figure.live()


def test_the_drawing_is_of_the_moment_when_it_was_made(f):
    figure = cache_inspector(f)
    before = figure.text(), figure.svg()
    f({"a": jnp.ones(9)}, k=3)
    assert (figure.text(), figure.svg()) == before
    assert cache_inspector(f).text() != before[0]
    assert cache_inspector(f).text() == cache_inspector(f).text()
