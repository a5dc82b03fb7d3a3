"""The key tree shows the keys that a function makes, by their words, and what uses each of them up."""

from xml.etree import ElementTree

import numpy as np
import pytest
from processes import run

import minijax as jax
import minijax.numpy as jnp
from minijax import lax, random
from minijax.course.figures import COLUMNS
from minijax.course.widgets import key_tree
from minijax.course.widgets.key_pressing import DRAWN, FOLDED, SPLIT_IN_TWO
from minijax.course.widgets.key_recording import CLONE, DRAW, FIRST, FOLD, MOST, SEED, SPLIT
from minijax.course.widgets.key_running import LIMIT
from minijax.course.widgets.key_view import Controls


def several(key):
    a, b = random.split(key)
    x = random.normal(a, (3,))
    return x, random.categorical(b, jnp.zeros(4)), random.permutation(random.fold_in(key, 7), 5)


def twice(key):
    a, b = random.split(key)
    x = random.normal(a)
    return x + random.uniform(a), random.bits(b)


def looping(seed):
    def step(key, i):
        key, sub = random.split(key)
        return key, random.normal(sub)

    key, xs = lax.scan(step, random.key(seed), jnp.arange(3))
    x = lax.cond(xs[0] > 5.0, lambda k: random.uniform(k), lambda k: random.exponential(k), key)
    return lax.while_loop(lambda c: c[1] < 2, lambda c: (random.fold_in(c[0], c[1]), c[1] + 1), (key, 0))[1] + x


def batched(key):
    return jax.vmap(jax.vmap(lambda k: random.uniform(k)))(random.split(key, (2, 2)))


def inside(key):
    f = jax.jit(lambda k: random.normal(k) + random.uniform(random.split(k)[1]))
    return f(key)


def of_old():
    key = random.PRNGKey(3)
    a, b = random.split(key)
    return random.normal(a) + random.normal(b)


def none():
    return jnp.arange(3)


CALLS = [
    (several, random.key(0)), (twice, random.key(1)), (looping, 4), (batched, random.key(2)), (inside, random.key(5)),
    (of_old,), (none,),
]  # fmt: skip


def words(key):
    return tuple(map(int, np.asarray(random.key_data(key)).ravel()))


def steps(figure):
    return [(s.kind, s.code) for s in figure.found.steps]


def key_with(figure, how, parent=None):
    (key,) = [k for k in figure.found.keys if any((o.how, o.parent) == (how, parent) for o in k.origins)]
    return key


# ---- the keys are the package's


def test_the_words_of_children_are_those_that_the_package_makes():
    key = random.key(0)
    figure = key_tree(several, key)
    assert key_with(figure, "given").words == words(key)
    for i, made in enumerate(random.split(key)):
        assert key_with(figure, f"split(2)[{i}]", 0).words == words(made)
    assert key_with(figure, "fold_in(7)", 0).words == words(random.fold_in(key, 7))
    assert len(figure.found.keys) == 4


def test_each_operation_is_a_step_with_the_text_of_its_call():
    assert steps(key_tree(several, random.key(0))) == [
        (SPLIT, "random.split(key)"),
        (DRAW, "random.normal(a, (3,))"),
        (DRAW, "random.categorical(b, jnp.zeros(4))"),
        (FOLD, "random.fold_in(key, 7)"),
        (DRAW, "random.permutation(random.fold_in(key, 7), 5)"),
    ]


def test_the_rounds_of_a_loop_are_steps_of_their_own():
    figure = key_tree(looping, 4)
    kinds = [s.kind for s in figure.found.steps]
    assert kinds == [SEED, *[SPLIT, DRAW] * 3, DRAW, FOLD, FOLD]
    places = [s.place.partition(", ")[2] for s in figure.found.steps]
    assert places == ["", *["round 0"] * 2, *["round 1"] * 2, *["round 2"] * 2, "branch 0", "round 0", "round 1"]
    key = random.key(4)
    for _ in range(3):
        key, _ = random.split(key)
    last = [k for k in figure.found.keys if k.words == words(key)]
    assert [figure.found.steps[s - 1].code for s in last[0].uses] == ["random.exponential(k)"]


def test_keys_of_an_array_are_followed_one_by_one():
    figure = key_tree(batched, random.key(2))
    made = random.split(random.key(2), (2, 2))
    for i in range(2):
        for j in range(2):
            assert key_with(figure, f"split(2, 2)[{i}, {j}]", 0).words == words(made[i, j])
    assert [len(s.used) for s in figure.found.steps] == [1, 4]


def test_a_key_that_is_closed_over_is_one_of_the_tree():
    key = random.key(9)
    figure = key_tree(lambda: jax.jit(lambda: random.normal(key))())
    assert [k.words for k in figure.found.keys] == [words(key)]
    assert [s.kind for s in figure.found.steps] == [DRAW]


def test_words_of_old_are_keys_too():
    figure = key_tree(of_old)
    assert [s.kind for s in figure.found.steps] == [SEED, SPLIT, DRAW, DRAW]
    assert key_with(figure, "key(3)").words == (0, 3)


# ---- use


def used_twice(figure):
    return [k.words for k in figure.found.keys if k.reused(len(figure.found.steps))]


def test_a_key_that_is_used_twice_is_told_with_both_places():
    key = random.key(1)
    figure = key_tree(twice, key)
    assert used_twice(figure) == [words(random.split(key)[0])]
    told = f"is used twice: by `random.normal(a)` (line {first_line(twice) + 2}) and by `random.uniform(a)`"
    assert told in figure.text()
    assert "has been used before, by `random.normal(a)`" in sentence(figure.page_at(3))
    assert "used before" not in sentence(figure.page_at(2))


def first_line(f):
    return f.__code__.co_firstlineno


@pytest.mark.parametrize("call", [call for call in CALLS if call[0] not in (twice, inside)])
def test_nothing_is_said_to_be_used_twice_where_the_package_finds_nothing(call):
    fun, *args = call
    fresh = [random.wrap_key_data(random.key_data(x)) if hasattr(x, "dtype") else x for x in args]
    with jax.debug_key_reuse(True):
        fun(*fresh)
    assert used_twice(key_tree(fun, *args)) == []


@pytest.mark.parametrize("call", [(twice, 1), (inside, 5)])
def test_what_the_package_refuses_is_shown_also_where_its_check_is_on(call):
    fun, seed = call
    with jax.debug_key_reuse(True):
        with pytest.raises(jax.errors.KeyReuseError):
            fun(random.key(seed))
        figure = key_tree(fun, random.key(seed))
    assert figure.found.problem == ""
    assert len(used_twice(figure)) == 1


def test_fold_in_uses_nothing_up_and_a_clone_may_be_used_once_more():
    def f(key):
        xs = [random.normal(random.fold_in(key, i)) for i in range(2)]
        return xs, random.normal(key), random.normal(random.clone(key))

    figure = key_tree(f, random.key(0))
    assert used_twice(figure) == []
    assert CLONE in [s.kind for s in figure.found.steps]
    assert used_twice(key_tree(lambda k: (f(k), random.bits(k)), random.key(0))) == [(0, 0)]


def test_the_same_words_are_the_same_key_however_they_are_made():
    figure = key_tree(lambda k: (random.split(k), random.fold_in(k, 1)), random.key(0))
    assert len(figure.found.keys) == 3
    assert [o.how for o in figure.found.keys[2].origins] == ["split(2)[1]", "fold_in(1)"]
    assert "is one that there was: `split(2)[1]`" in figure.page_at(2).replace("</code>", "`").replace(
        next(t for t in figure.page_at(2).split("<") if t.startswith("code style")).partition(">")[0], "C"
    ).replace("<C>", "`")


# ---- what is refused, in words


def test_what_is_no_function_and_no_key_is_refused():
    with pytest.raises(TypeError, match="key_tree shows a function with its arguments, or one key, or a seed"):
        key_tree(jnp.ones(3))
    with pytest.raises(TypeError, match="key_tree shows"):
        key_tree(random.split(random.key(0)))


def test_an_error_of_the_function_is_told():
    figure = key_tree(lambda k: random.normal(k) + undefined, random.key(0))  # noqa: F821
    assert "cannot be followed to its end. NameError" in figure.text()
    figure = key_tree(lambda k: random.normal(k) if random.normal(k) > 0 else 0.0, random.key(0))
    assert "TracerBoolConversionError" in figure.found.problem
    assert figure.svg() and figure.live() and figure.page_at(0)


def test_a_function_that_does_not_end_is_stopped():
    figure = key_tree(lambda k: lax.while_loop(lambda k: True, lambda k: random.split(k)[0], k), random.key(0))
    assert f"more than {LIMIT} operations on keys" in figure.text()
    assert len(figure.found.steps) == LIMIT
    assert len(figure.found.rows(LIMIT)) == MOST + 1


def test_of_many_keys_the_first_are_shown_and_those_that_matter():
    def f(key):
        keys = random.split(key, 100)
        return jax.vmap(random.bits)(keys), random.bits(keys[50])

    figure = key_tree(f, random.key(0))
    shown = [figure.found.keys[k].origins[0].how for _, k, _ in figure.found.rows(3) if k is not None]
    assert shown == ["given", *[f"split(100)[{i}]" for i in range(FIRST)], "split(100)[50]"]
    assert f"and {100 - FIRST - 1} keys more" in figure.text()


# ---- a tree that grows by buttons


def sentence(page):
    body = ElementTree.fromstring(f"<all>{page.partition('</style>')[2]}</all>")
    parts = next(e for e in body.iter("p") if e.get("role") == "status")
    return "".join([parts.text or "", *(f"`{c.text}`{c.tail or ''}" for c in parts)])


def press(controls, *names):
    for name in names:
        next(b for b in controls.actions if b.description == name).click()


def test_buttons_make_the_tree_grow_with_the_keys_of_the_package():
    controls = Controls(key_tree(random.key(8)))
    press(controls, SPLIT_IN_TWO, FOLDED, FOLDED, FOLDED)
    made = [*random.split(random.key(8)), random.fold_in(random.key(8), 2)]
    assert [k.words for k in controls.figure.found.keys] == [(0, 8), *map(words, made)]
    controls.mover.go(2)
    assert made[1] is not None
    assert "is chosen" in sentence(controls.picture.value)
    press(controls, DRAWN)
    drawn = float(random.uniform(made[1]))
    assert f"`uniform(key) = {drawn:.6f}` uses up" in sentence(controls.picture.value)
    assert controls.mover.slider.value == 2
    press(controls, DRAWN)
    assert "has been used before" in sentence(controls.picture.value)
    assert used_twice(controls.figure) == [words(made[1])]
    press(controls, "Start again")
    assert len(controls.figure.found.keys) == 1
    assert controls.mover.slider.max == 0


def test_a_seed_is_the_tree_of_its_key_and_no_argument_that_of_zero():
    assert key_tree(random.PRNGKey(4)).found.keys[0].words == key_tree(4).found.keys[0].words == (0, 4)
    assert key_tree().found.keys[0].words == (0, 0)


# ---- the forms


@pytest.mark.parametrize("call", CALLS)
def test_every_page_and_the_drawing_are_well_formed_and_fit(call):
    figure = key_tree(*call)
    assert figure.found.problem == ""
    tree = ElementTree.fromstring(figure.svg())
    assert tree.get("aria-label") == figure.heading()
    assert tree.findtext("{*}desc") == figure.text()
    width, height = float(tree.get("width")), float(tree.get("height"))
    for box in [r for r in tree.iter("{http://www.w3.org/2000/svg}rect") if r.get("x")]:
        assert float(box.get("x")) + float(box.get("width")) <= width <= 640
        assert float(box.get("y")) + float(box.get("height")) <= height
    for text in [t for t in tree.iter("{http://www.w3.org/2000/svg}text") if not t.get("text-anchor")]:
        assert float(text.get("x")) + 8.54 * len("".join(text.itertext())) <= width
    for place in range(len(figure.found.steps) + 1):
        assert (f"Step {place} of {len(figure.found.steps)}." in sentence(figure.page_at(place))) == (place > 0)


@pytest.mark.parametrize("call", CALLS)
def test_the_text_has_short_lines_and_a_line_for_each_key(call):
    figure = key_tree(*call)
    assert max(map(len, repr(figure).split("\n"))) <= COLUMNS
    lines = [line.strip() for line in figure.text().split("\n")]
    assert all(any(line.startswith(f"{key.short}, ") for line in lines) for key in figure.found.keys)


def test_keys_that_come_later_are_not_yet_there():
    figure = key_tree(several, random.key(0))
    assert [len(figure.found.there(step)) for step in range(6)] == [3, 3, 3, 3, 4, 4]


# ---- the package under construction

REPLACED = """
import sys
from minijax import random
from minijax.course.widgets import key_tree
from minijax.course.widgets.key_view import Controls
def f(seed):
    k = random.key(seed)
    return random.normal(k)
before, live = key_tree(f, 3).text(), Controls(key_tree(random.key(3)))
for name in [n for n in sys.modules if n.split(".")[0] == "minijax" and not n.startswith("minijax.course")]:
    del sys.modules[name]
from minijax import random
print(key_tree(f, 3).text() == before)
live.actions[0].click()
print(len(live.figure.found.keys), live.figure.found.problem)
"""


def test_the_tree_follows_a_package_that_is_dropped_and_imported_again():
    assert run(REPLACED) == "True\n3 \n"


EARLIER = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "minijax.course")
shell.run_line_magic("chapter", "5")
from minijax.course.widgets import key_tree
tree = key_tree(42)
tree.live(), tree.svg()
print("TOLD", tree.found.problem)
def f(seed):
    import minijax.random
    return minijax.random.key(seed)
tree = key_tree(f, 3)
tree.live(), tree.svg()
print("TOLD", tree.found.problem)
"""


def test_before_the_chapter_the_tree_names_it():
    told = [line for line in run(EARLIER).split("\n") if line.startswith("TOLD")]
    assert told[0] == "TOLD The package refuses. A step is missing: chapter 6 brings it"
    assert "chapter 6 brings" in told[1]
