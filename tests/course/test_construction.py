"""The package under construction is what was typed: it grows step by step, and follows each change."""

import contextlib
import importlib
import inspect
import linecache
import pickle
import sys
import traceback
from collections.abc import Iterator

import numpy as np
import pytest
from building import begun, step_of, text_of, upto

from minijax.course import construction
from minijax.course.chapters import PACKAGE, steps, texts
from minijax.course.construction import Construction, NoSuchFile
from minijax.course.growing import growing_of, pending_global
from minijax.course.trial import load_all

LAST = steps(1)[-1].id


@pytest.fixture
def fresh() -> Iterator[Construction]:
    """Chapter 1 at its beginning."""
    with begun(1) as built:
        yield built


@pytest.fixture
def whole() -> Iterator[Construction]:
    """Chapter 1 with every step as in the package."""
    with begun(1, upto(LAST)) as built:
        yield built


def write(built: Construction, key: str, text: str | None = None) -> None:
    """Type one definition: the package's text of it, or another."""
    built.write(step_of(key).file, text_of(key) if text is None else text)


def get(path: str) -> object:
    """What stands at a dotted path of the package: 'layer1_core.aval:typeof'."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(f"minijax.{module}".rstrip(".")), name)


# ---- at the beginning, and on the way


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (":make_jaxpr", r"has no attribute 'make_jaxpr' yet: chapter 1 brings it, in step 1\.\d+"),
        ("numpy:sin", r"has no attribute 'sin' yet: chapter 1 brings it; it waits for step 1\.\d+ \(layer1_core/"),
        (":vmap", "has no attribute 'vmap' yet: chapter 5 brings it"),
        (":nonsense", "module 'jax' has no attribute 'nonsense'"),
    ],
)
def test_at_the_beginning_nothing_is_there_and_the_error_says_what_brings_it(fresh, path, told):
    with pytest.raises(AttributeError, match=told):
        get(path)


def test_typing_each_step_in_its_order_builds_the_whole_package(fresh):
    for step in steps(1):
        fresh.write(step.file, "\n\n".join(s.text for s in texts(step).values()))
    assert fresh.missing() == []
    assert [p.statement.key for module in construction.growing() for p in module.waiting()] == []
    assert repr(get(":jit")(get("numpy:sin"))(0.0)) == "Array(0., dtype=float32, weak_type=True)"


def test_steps_that_are_filled_in_are_as_if_typed(fresh):
    fresh.fill(upto("1.3"))
    fresh.fill(upto(LAST))
    assert fresh.missing() == [] and fresh.own() == {}
    assert [p.statement.key for module in construction.growing() for p in module.waiting()] == []


def contents() -> dict[str, dict[str, int]]:
    """For each module of the package its names, and for those that are tables how much is in them."""
    load_all(1)
    found = {name: vars(sys.modules[name]) for name in construction.ours()}
    count = lambda v: len(v) if isinstance(v, dict | list | set) else 0
    return {m: {n: count(v) for n, v in names.items() if not n.startswith("__")} for m, names in found.items()}


def test_the_package_that_was_typed_step_by_step_holds_what_one_holds_that_came_at_once():
    with begun(1) as building:
        for step in steps(1):
            building.write(step.file, "\n\n".join(s.text for s in texts(step).values()))
        typed = contents()
    with begun(1, upto(LAST)):
        whole = contents()
    assert typed.keys() == whole.keys()
    for module, names in whole.items():
        assert {n for n in {*names, *typed[module]} if names.get(n) != typed[module].get(n)} == set(), module


def test_a_name_is_offered_as_soon_as_all_that_it_needs_is_there(fresh):
    fresh.fill(upto(step_of("aval_of_type").id))
    assert get(":typeof") is get("layer1_core.aval:typeof")


def test_a_statement_that_waits_has_bound_nothing():
    """`prngs: dict[str, PRNGImpl] = {}` binds the name before it looks for PRNGImpl."""
    with begun(6):
        module = importlib.import_module("minijax.layer6_random.key_types")
        assert "prngs" not in vars(module)
        with pytest.raises(AttributeError, match="'prngs' yet: chapter 6 brings it"):
            get("layer6_random.key_types:prngs")


def test_a_hole_that_is_met_while_running_is_named_with_its_step(fresh):
    write(fresh, "ShapedArray")
    with pytest.raises(NameError) as caught:
        get("layer1_core.aval:ShapedArray")((2,), "float32")
    found = pending_global(caught.value)
    assert found == ("minijax.layer1_core.aval", "canonicalize_shape")
    assert str(step_of("canonicalize_shape")) in growing_of(found[0]).reason(found[1])


@pytest.mark.parametrize("file", ["layer1_core/nonsense.py", "layer1_core/operators.py", "../secret.py", ""])
def test_a_file_without_a_step_is_refused_with_those_that_have_one(fresh, file):
    with pytest.raises(NoSuchFile, match=r"layer1_core/aval\.py"):
        fresh.write(file, "x = 1")


# ---- one package: identity, pickle, source


def test_there_is_one_class_of_a_name(whole):
    classes = [get(f"{module}:ShapedArray") for module in ("core", "layer1_core.aval", "layer1_core.staging")]
    assert len({*map(id, classes)}) == 1
    assert type(get(":typeof")(1.0)) is classes[0]


def test_values_of_typed_classes_are_pickled(whole):
    aval = get(":typeof")(np.zeros((2, 3), np.int8))
    assert pickle.loads(pickle.dumps(aval)) == aval


@pytest.mark.parametrize("key", ["ShapedArray", "typeof", "tree_flatten", "DynamicJaxprTrace"])
def test_the_source_of_what_was_typed_is_found_at_its_place_in_the_package(whole, key):
    step = step_of(key)
    typed = get(f"{step.file.removesuffix('.py').replace('/', '.')}:{key}")
    lines, first = inspect.getsourcelines(typed)
    assert "".join(lines).rstrip() == text_of(key)
    assert inspect.getsourcefile(typed) == str(PACKAGE / step.file)
    assert first == texts(step)[step.file, key].first


def test_a_traceback_shows_the_packages_file_and_line(whole):
    with pytest.raises(TypeError) as caught:
        get(":typeof")("text")
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.filename == str(PACKAGE / "layer1_core/aval.py")
    assert frame.line == (PACKAGE / "layer1_core/aval.py").read_text().splitlines()[frame.lineno - 1].strip()


def test_a_text_of_the_learners_own_is_shown_as_it_was_typed(whole):
    mine = "def canonicalize_shape(shape):\n    return tuple(1 / 0 for _ in shape)"
    write(whole, "canonicalize_shape", mine)
    with pytest.raises(ZeroDivisionError) as caught:
        get("layer1_core.aval:ShapedArray")((2,), "float32")
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == mine.splitlines()[1].strip()
    assert inspect.getsource(get("layer1_core.aval:canonicalize_shape")).rstrip() == mine
    assert inspect.getsource(get("layer1_core.aval:typeof")).rstrip() == text_of("typeof")


# ---- typing again


def test_a_cell_that_is_run_again_changes_nothing(whole):
    before = get("layer1_core.aval:aval_of_type"), get("core:ShapedArray")
    step = step_of("aval_of_type")
    assert whole.write(step.file, "\n\n".join(s.text for s in texts(step).values())) == []
    assert (get("layer1_core.aval:aval_of_type"), get("core:ShapedArray")) == before


def test_a_changed_method_takes_the_place_of_the_old_one_in_the_same_class(whole):
    aval, cls, package = get(":typeof")(1.0), get("core:ShapedArray"), sys.modules["minijax"]
    changed = text_of("ShapedArray").replace("return self.update(weak_type=False) if", "return 'changed' if")
    write(whole, "ShapedArray", changed)
    assert sys.modules["minijax"] is package and get("core:ShapedArray") is cls
    assert aval.strip_weak_type() == "changed"
    write(whole, "ShapedArray")
    assert aval.strip_weak_type() == cls((), "float32")


def test_a_changed_function_is_used_by_the_modules_that_imported_it(whole):
    make_jaxpr = get(":make_jaxpr")
    write(whole, "check_jaxpr", "def check_jaxpr(jaxpr):\n    return 'changed'")
    assert get("extend.core:check_jaxpr")(None) == "changed"
    assert get(":make_jaxpr") is make_jaxpr


def test_what_another_class_took_over_from_a_changed_one_changes_too(whole):
    """ShapeDtypeStruct has the property `size` of ShapedArray, the same object."""
    write(whole, "ShapedArray", text_of("ShapedArray").replace("math.prod(self.shape)", "77"))
    assert get(":ShapeDtypeStruct")((2,), "float32").size == 77


def test_a_changed_signature_and_docstring_are_those_of_the_function_in_use(whole):
    typeof = get(":typeof")
    write(whole, "typeof", 'def typeof(x: int = 3, *, more: str = "m") -> str:\n    """Mine."""\n    return more')
    assert get(":typeof") is typeof and typeof() == "m"
    assert typeof.__doc__ == "Mine." and str(inspect.signature(typeof)) == "(x: int = 3, *, more: str = 'm') -> str"


def test_a_decorator_that_is_added_is_applied(whole):
    write(whole, "typeof", "@functools.cache\n" + text_of("typeof").replace("return rule(x)", "return 1"))
    assert hasattr(get(":typeof"), "cache_info") and get(":typeof")(1.0) == 1


def test_what_the_package_was_built_with_can_be_changed_too(whole):
    """Each primitive was made by a helper: a change of that helper must reach them all."""
    write(whole, "unary", text_of("unary").replace("return shaped(x.shape, ", "return shaped(x.shape[:0], "))
    assert get("lax:sin_p").abstract_eval(get(":typeof")(np.zeros(3))).shape == ()


def test_a_changed_table_is_the_one_that_the_package_reads(whole):
    promote = lambda: get("numpy:promote_types")("float16", "bfloat16")
    assert promote() == "float32"
    write(whole, "_EDGES", text_of("_EDGES").replace('"bf": ["f4"], "f2": ["f4"]', '"bf": ["c8"], "f2": ["c8"]'))
    assert promote() == "complex64"
    write(whole, "_EDGES")
    assert promote() == "float32"


def test_a_module_may_use_any_name(whole):
    """The module staging.py has a function `_place`; a learner's may have the names of our methods as well."""
    helpers = "\n\n".join(f"def {n}(*a):\n    return None" for n in ("put", "take", "fill", "advance", "_run", "name"))
    whole.write("layer1_core/staging.py", helpers)
    mine = text_of("stage").replace("def stage(", "def stage(  # mine\n    ")
    write(whole, "stage", mine)
    assert whole.own()["layer1_core/staging.py", "stage"].text == mine
    assert inspect.getsource(get("layer1_core.staging:stage")).rstrip() == mine


def test_a_helper_that_is_typed_again_is_found_by_inspect(whole):
    for number in (1, 2, 3):
        mine = f"def helper():\n    return {number}"
        whole.write("layer1_core/aval.py", mine)
        assert inspect.getsource(get("layer1_core.aval:helper")).rstrip() == mine
    assert inspect.getsource(get("layer1_core.aval:typeof")).rstrip() == text_of("typeof")


def test_an_experiment_is_run_each_time_and_is_no_part_of_the_module(whole, capsys):
    for _ in range(2):
        whole.write("layer1_core/aval.py", "print(typeof(1))")
    write(whole, "unary", text_of("unary").replace("return shaped(x.shape, ", "return shaped(x.shape[:0], "))
    assert capsys.readouterr().out == "~int32[]\n~int32[]\n"
    assert [key for _, key in whole.own()] == ["unary"]


def test_statements_that_share_a_line_run_once(whole):
    whole.write("layer1_core/aval.py", "runs = globals().get('runs', 0); runs += 1")
    assert get("layer1_core.aval:runs") == 1


def test_annotations_may_be_put_off_in_a_cell(whole):
    whole.write("layer1_core/aval.py", "from __future__ import annotations\ndef late(x: NotThere): pass")
    assert get("layer1_core.aval:late").__annotations__ == {"x": "NotThere"}


def test_a_name_that_is_bound_in_a_second_place_reaches_those_who_imported_it(whole):
    whole.write("layer1_core/aval.py", "other, typeof = 1, lambda x: 'other'")
    assert get(":typeof")(1.0) == get("layer1_core.aval:typeof")(1.0) == "other"


def test_the_flags_that_were_set_are_kept_when_the_package_is_built_anew(whole):
    get(":config").update("jax_enable_x64", True)
    write(whole, "unary", text_of("unary").replace("return shaped(x.shape, ", "return shaped(x.shape[:0], "))
    assert get("numpy:ones")(2).dtype == "float64"


def test_a_module_that_is_loaded_again_holds_what_was_typed(fresh):
    fresh.fill(upto("1.4"))
    write(fresh, "typeof", "def typeof(x):\n    return 'mine'")
    assert importlib.reload(sys.modules["minijax.layer1_core.aval"]).typeof(1) == "mine"


# ---- errors leave everything as it was


def state() -> dict[tuple[str, str], object]:
    """What each name of the package means, the contents of tables included."""
    held = {(m, n): v for m in construction.ours() for n, v in vars(sys.modules[m]).items() if n != "__builtins__"}
    tables = {(*key, "contents"): [*v] for key, v in held.items() if isinstance(v, dict | list | set)}
    return {key: id(v) for key, v in held.items()} | tables


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("typeof", "def typeof(x):\n    return 1\n\naval_of_type.clear()\n1 / 0"),
        ("typeof", "def typeof(x):\n    return 1\n\nimport minijax.nonsense"),
        ("typeof", "def typeof(x:\n    return 1"),
        ("aval_of_type", "aval_of_type = {}\nnot_there"),
        ("Primitive", "class Primitive:\n    pass"),  # the rest of the package cannot be built with it
        ("ShapedArray", text_of("ShapedArray").replace("def ndim", "def dimension")),
        ("RuleTable", text_of("RuleTable").replace("    def rule", "    @property\n    def rule")),
        ("typeof", "def typeof(x: 'other' = 1):\n    'other'\n\nprint(1 / 0)"),
        ("typeof", "def typeof(x):\n    return x\n\nreturn 3"),
        ("unary", "def unary(name, *a, **k):\n    return unary(name)"),
        ("unary", "def unary(name, *a, **k):\n    raise SystemExit"),
        ("ShapedArray", "class ShapedArray(AbstractValue):\n    __slots__ = ()\n\nraise KeyboardInterrupt"),
    ],
)
def test_an_error_in_a_cell_leaves_the_package_as_it_was(whole, key, text):
    before, typed, signature = state(), {**whole.typed}, inspect.signature(get(":typeof"))
    with pytest.raises((Exception, KeyboardInterrupt, SystemExit)):
        write(whole, key, text)
    assert sys.getprofile() is None and inspect.signature(get(":typeof")) == signature
    assert get(":typeof").__doc__.startswith("The type of a value")
    assert {k: v for k, v in state().items() if before.get(k) != v} == {}
    assert before.keys() == state().keys() and whole.typed == typed
    assert repr(get("numpy:sin")(0.0)) == "Array(0., dtype=float32, weak_type=True)"


def test_the_text_of_an_attempt_that_failed_is_forgotten_with_the_next(whole):
    for text in ("def typeof(x):\n    return 1\n\n1 / 0", "def typeof(x):\n    return 2"):
        with contextlib.suppress(ZeroDivisionError):
            write(whole, "typeof", text)
    assert "1 / 0\n" not in linecache.getlines(str(PACKAGE / "layer1_core/aval.py"))
    assert inspect.getsource(get(":typeof")).rstrip() == text


def test_an_error_in_the_first_steps_leaves_the_holes_open(fresh):
    before = state()
    with pytest.raises(ZeroDivisionError):
        write(fresh, "ShapedArray", text_of("ShapedArray") + "\n\n1 / 0")
    assert {*construction.ours()} >= {k[0] for k in before}
    with pytest.raises(AttributeError, match="yet: chapter 1 brings it"):
        get("core:ShapedArray")
    write(fresh, "ShapedArray")
    assert get("core:ShapedArray").__name__ == "ShapedArray"
