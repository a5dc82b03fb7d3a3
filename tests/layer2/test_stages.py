"""What a user sees of the compiler: the text of a program, its costs, messages, files."""

import keyword
import logging
import pickle
import subprocess
import sys

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core.array import numpy_value
from minijax.layer1_core.config import compile_progress, dump_ir_to
from minijax.layer1_core.evaluate import interpret
from minijax.layer1_core.jaxpr import Jaxpr, Var
from minijax.layer2_jit.compiler import Program
from minijax.layer2_jit.render import names_of
from minijax.layer2_jit.reports import with_progress
from minijax.layer2_jit.source import Values
from ops import CASES

# ---- the text

ALONE = """
import pickle, sys
sys.modules["numba"] = sys.modules["llvmlite"] = None  # whoever imports one of them gets an ImportError
texts = pickle.load(sys.stdin.buffer)
found = {}
for name, (text, args, captured) in texts.items():
    scope = {"__name__": "text"}
    try:
        exec(compile(text, name, "exec"), scope)
        found[name] = scope["main"](*args, **captured)
    except Exception as error:
        found[name] = f"{type(error).__name__}: {error}"
sys.stdout.buffer.write(pickle.dumps(found))
"""


def run_alone(texts):
    """The results of `main` of each text, computed in a process that has no Numba."""
    done = subprocess.run([sys.executable, "-c", ALONE], input=pickle.dumps(texts), capture_output=True, check=False)
    assert done.returncode == 0 and b"Warning" not in done.stderr, done.stderr.decode()
    return pickle.loads(done.stdout)


def written(fun, values):
    """The text of a function's program, its arguments and large captured arrays; and what the interpreter computes."""
    jaxpr = jax.make_jaxpr(fun)(*values)
    args = [np.asarray(x, aval.dtype) for x, aval in zip(jax.tree.leaves(values), jaxpr.in_avals, strict=True)]
    program = Program(jaxpr)
    pairs = zip(program.jaxpr.constvars, program.jaxpr.consts, strict=True)
    captured = {program.names(v): numpy_value(c) for v, c in pairs if v.aval.size > 16}
    with np.errstate(all="ignore"):
        return (program.text, args, captured), interpret(jaxpr)(args)


def check_alone(functions):
    both = {name: written(fun, values) for name, (fun, values) in functions.items()}
    found = run_alone({name: text for name, (text, _) in both.items()})
    wrong = [f"{name}: {problem}" for name, (_, want) in both.items() if (problem := difference(found[name], want))]
    assert not wrong, "\n".join(wrong)


def difference(got, want):
    if isinstance(got, str):
        return got
    if [(g.shape, g.dtype) for g in got] != [(w.shape, w.dtype) for w in want]:
        return "other types"
    for g, w in zip(got, want, strict=True):
        loose = 1e-2 if w.dtype.itemsize == 2 and w.dtype.kind not in "iu" else 3e-6
        wide = np.complex128 if w.dtype.kind == "c" else np.float64
        exact = w.dtype.kind in "biu"
        same = np.array_equal(g, w) if exact else np.allclose(g.astype(wide), w.astype(wide), loose, 1e-6, True)
        if not same:
            return f"{g} instead of {w}"
    return None


def test_the_text_of_each_case_computes_without_numba_what_the_interpreter_does():
    check_alone({str(case): (case.fun, case.values()) for case in CASES})


X = np.array([1.5, -2.0, 0.0, 3.0], np.float32)
I = np.array([2**31 - 1, -(2**31), 7, -1], np.int32)
ZEROS = np.array([0.0, -0.0, 0.0, -0.0, -0.0], np.float32)


def test_scalars_have_the_types_of_the_machine_in_plain_python():
    check_alone({
        "int32 wraps": (lambda i: (i + 1, i * i, -i, abs(i)), [I]),
        "uint8 wraps": (lambda i: (i + 200, i - 3), [np.array([100, 2], np.uint8)]),
        "float32 stays": (lambda x: x * 0.1 + 0.2, [X]),
        "two constants": (lambda x: jnp.full(4, 3e38) * jnp.full(4, 10.0) / jnp.full(4, 100.0) + x, [X]),
        "constants that overflow": (lambda i: jnp.full(4, 2**31 - 1) + jnp.full(4, 1) + i, [I]),
        "a sum of constants": (lambda i: jnp.full(3, 2**31 - 1).sum() + i, [I]),
        "NaN": (lambda x: (jnp.maximum(x, jnp.nan), jnp.minimum(x, jnp.inf), jnp.max(x * jnp.nan)), [X]),
        "zeros of both signs": (lambda x: 1 / jnp.array([x.max(), x.min(), jnp.maximum(x, -x)[0]]), [ZEROS]),
        "a choice of a constant": (lambda x: jnp.where(x > 0, 3e38, x) * 10 / 100, [X]),
        "truth": (lambda x: ((x > 0) & ~(x > 2), jnp.any(x > 0), jnp.where(x > 0, 1, 2)), [X]),
        "to integers": (lambda x: ((x * 1e10).astype(int), x.astype(bool), x.astype("int8")), [X]),
        "positions": (lambda x: jnp.arange(300).astype("uint8") + x[0].astype("uint8"), [X]),
    })  # fmt: skip


def test_captured_arrays_are_written_out_where_they_are_small_and_given_by_name_where_not():
    small, large = jnp.array([1.0, np.inf, np.nan, -0.0]), jnp.arange(4000.0).reshape(1000, 4)
    check_alone({"both": (lambda x: (x + small, (large * x).sum(0)), [X])})


def test_a_program_in_a_parameter_is_written_as_a_function():
    def sum_of_squares(x):
        return jax.lax.reduce(x, np.float16(0), lambda total, e: total + e * e, (0,))

    text = jax.jit(sum_of_squares).lower(X.astype("float16")).as_text()
    assert "@program(" in text and 'bind("mul", b, b' in text
    check_alone({"reduce": (sum_of_squares, [X.astype("float16")])})


def test_a_program_in_a_program_comes_first():
    values = Values()
    assert values.source(jax.make_jaxpr(jax.jit(lambda x: jnp.where(x > 0, x, 0) + 1))(X)) == "program_2"
    inner, middle, outer = values.before
    assert "def program_0(" in inner and "jaxpr=program_0" in middle and "jaxpr=program_1" in outer


def test_the_text_is_a_file_for_learners():
    @jax.jit
    def relu_sum(x):
        return jnp.maximum(x * 2.0, 0.0).sum(1)

    assert (
        relu_sum.lower(np.ones((3, 4), np.float32)).as_text()
        == '''\
"""The loops of relu_sum.

    a: float32[3,4]  x
    result: float32[3]

It runs without Numba: `main` takes arrays and returns a list of arrays.
"""

from minijax.layer2_jit.plain import empty, example, float32, in_order, kernel, max, show, sum

# { lambda ; a:f32[3,4]. let
#     b:f32[3,4] = mul a 2.0:f32[]
#     c:f32[3,4] = max b 0.0:f32[]
#     d:f32[3] = reduce_sum[axes=(1,) out_sharding=None] c
#   in (d,) }


@kernel
def kernel_0(a, d):
    # a: float32[3, 4], d: float32[3]
    for i0 in range(3):
        d_ = 0.0
        for i1 in range(4):
            b = a[i0 * 4 + i1] * 2.0
            c = max(b, 0.0)
            d_ = sum(d_, c)
        d[i0] = d_


def main(a):
    a = in_order(a)
    d = empty((3,), float32)
    kernel_0(a, d)
    return [d]


if __name__ == "__main__":  # on example values
    show(main, example(float32, 3, 4))
'''
    )


def test_a_variable_never_has_the_name_of_an_operation_or_a_keyword():
    variables = [Var(jax.typeof(X)) for _ in range(20_000)]
    found = {*map(names_of(Jaxpr([], variables, [], [])), variables)}
    assert len(found) == len(variables)
    assert not found & {*"max min sum neg abs fma inf nan rem clz".split(), *keyword.kwlist}


def test_the_file_can_be_run(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(jax.jit(lambda x: jnp.sort(x) * 2).lower(np.ones(3, np.float32)).as_text())
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert done.stdout == "float32[3]\n[2. 4. 6.]\n"


# ---- files


def test_each_compiled_program_is_written_to_the_folder_of_the_flag(tmp_path):
    with dump_ir_to(str(tmp_path)):
        f = jax.jit(lambda x: x * 3)
        lowered = f.lower(X)
        assert not [*tmp_path.iterdir()]
        f(X)
        f(X)
        jax.jit(outer)(X)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [name[:6] + name[10:] for name in names] == ["jax_ir_jit__lambda_compile.py", "jax_ir_jit_outer_compile.py"]
    assert int(names[1][6:10]) == int(names[0][6:10]) + 1
    assert (tmp_path / names[0]).read_text() == lowered.as_text()


def outer(x):
    return jnp.linalg.cholesky(x[:, None] * x)


def test_a_traceback_through_main_shows_the_line_of_the_file(tmp_path, monkeypatch):
    with dump_ir_to(str(tmp_path)):
        program = Program(jax.make_jaxpr(lambda x: jnp.sort(x) + 1)(X))
        main = program.main
    (file,) = tmp_path.iterdir()
    monkeypatch.setitem(main.__globals__, "sort_0", lambda x: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        main(X)
    entry = next(e for e in caught.traceback if str(e.path) == str(file))
    assert file.read_text().splitlines()[entry.lineno].strip().endswith("= sort_0(a)")


# ---- costs

M, N, V = np.ones((20, 30), np.float32), np.ones((30, 40), np.float32), np.ones(1000, np.float32)


def cost(flops=0.0, transcendentals=0.0, accessed=0.0):
    """As JAX gives it: what is zero is not there."""
    found = {"flops": flops, "transcendentals": transcendentals, "bytes accessed": accessed}
    return {name: value for name, value in found.items() if value}


# What JAX 0.11.0 says of the lowered and of the compiled program; None where XLA compiles into other pieces.
COSTS = {
    "a sum": (lambda x: x + x * x, [V], cost(2e3, 0, 24e3), cost(2e3, 0, 8e3)),
    "a scalar": (lambda x: x + 1, [V], cost(1e3, 0, 16004), cost(1e3, 0, 8e3)),
    "a weak argument": (lambda m, s: m * s, [M, 2.0], cost(600, 0, 9604), cost(600, 0, 4804)),
    "a comparison": (lambda x: x > 0, [V], cost(1e3, 0, 13004), cost(1e3, 0, 5e3)),
    "where": (lambda x: jnp.where(x > 0, x, 0), [V], cost(2001, 0, 30016), cost(2e3, 0, 8e3)),
    "clamp": (lambda x: jax.lax.clamp(0.0, x, 1.0), [V], cost(1e3, 0, 24008), cost(1e3, 0, 8e3)),
    "a conversion": (lambda x: x.astype(int), [V], cost(1e3, 0, 8e3), cost(1e3, 0, 8e3)),
    "sqrt": (jnp.sqrt, [V], cost(0, 1e3, 8e3), cost(0, 1e3, 8e3)),
    "exp": (jnp.exp, [V], cost(0, 1e3, 8e3), cost(0, 1e3, 8e3)),
    "logistic": (jax.lax.logistic, [V], cost(3e3, 1e3, 44004), cost(3e3, 1e3, 8e3)),
    "gelu": (jax.nn.gelu, [V], cost(8e3, 1e3, 120016), cost(8e3, 1e3, 8e3)),
    "a cube": (lambda x: x**3, [V], cost(2e3, 0, 24e3), cost(2e3, 0, 8e3)),
    "a negative power": (lambda x: jax.lax.integer_pow(x, -2), [V], cost(2e3, 0, 28004), cost(2e3, 0, 8e3)),
    "sums of columns": (lambda m: m.sum(0), [M], cost(570, 0, 2524), None),
    "sums of rows": (lambda m: m.sum(1), [M], cost(580, 0, 2484), None),
    "means": (lambda m: m.mean(1), [M], cost(600, 0, 2808), None),
    "a product": (lambda m, n: m @ n, [M, N], cost(48e3, 0, 10400), cost(48e3, 0, 10400)),
    "a layer": (lambda m, n: jnp.tanh(m @ n) + 1, [M, N], cost(48800, 800, 29604), None),
    "batches": (lambda a: a @ a, [np.ones((4, 5, 5), np.float32)], cost(1e3, 0, 1200), None),
    "a transpose": (lambda m: m.T, [M], cost(), cost(0, 0, 4800)),
    "a reshape": (lambda m: m.reshape(-1), [M], cost(0, 0, 4800), cost(0, 0, 4800)),
    "a slice": (lambda x: x[:500], [V], cost(0, 0, 4e3), None),
    "a broadcast": (lambda x: jnp.broadcast_to(x, (5, 1000)), [V], cost(0, 0, 24e3), cost(0, 0, 24e3)),
    "a sort": (jnp.sort, [V], cost(1e4, 0, 8e3), cost(1e4, 0, 8e3)),
    "two results": (lambda m: (m + 1, m * 2), [M], cost(1200, 0, 19224), None),
    "a call": (lambda m: jax.jit(jnp.sin)(m) + m, [M], cost(600, 600, 12000), None),
}  # fmt: skip


@pytest.mark.parametrize("name", COSTS)
def test_a_program_costs_what_jax_says(name):
    fun, values, lowered, compiled = COSTS[name]
    stage = jax.jit(fun).lower(*values)
    assert stage.cost_analysis() == lowered
    if compiled is not None:
        assert stage.compile().cost_analysis() == compiled


def test_memory_is_that_of_arguments_results_and_what_lies_between():
    stats = jax.jit(lambda m, n: (jnp.sort(m @ n) * 2, m)).lower(M, N).compile().memory_analysis()
    assert (stats.argument_size_in_bytes, stats.output_size_in_bytes) == (2400 + 4800, 3200 + 2400)
    assert (stats.temp_size_in_bytes, stats.alias_size_in_bytes) == (2 * 3200, 0)
    assert stats.peak_memory_in_bytes == 7200 + 5600 + 6400


def test_the_lowered_program_is_given_as_data():
    program = jax.jit(lambda x: jnp.sort(x) + 1).lower(X).compiler_ir()
    assert [name for name, _ in program.steps] == ["sort_0", "kernel_1"]


# ---- messages


@pytest.fixture
def messages(caplog):
    """What is logged, (logger, level, message) each, with ... for the seconds."""
    caplog.set_level(logging.WARNING)

    def found():
        return [
            (r.name, r.levelname, r.getMessage().rsplit(" in ", 1)[0] if " sec" in r.getMessage() else r.getMessage())
            for r in caplog.records
        ]

    return found


def test_tracing_and_compiling_are_logged_as_by_jax(messages):
    @jax.jit
    def f(x, y):
        return jax.jit(lambda z: z * 2)(x) + y

    with jax.log_compiles(True):
        f(X, 2.0)
        f(X, 3.0)
    types = "(ShapedArray(float32[4]), ShapedArray(float32[], weak_type=True))"
    assert messages() == [
        ("jax._src.dispatch", "WARNING", "Finished tracing f for jit"),
        ("jax._src.interpreters.pxla", "WARNING", f"Compiling jit(f) with global shapes and types {types}."),
        ("jax._src.dispatch", "WARNING", "Finished jaxpr to loops conversion jit(f)"),
        ("jax._src.dispatch", "WARNING", "Finished Numba compilation of jit(f)"),
    ]


def test_without_the_flag_nothing_is_logged(messages):
    jax.jit(lambda x: x * 5)(X)
    assert messages() == []


def test_to_compile_ahead_of_time_compiles(messages):
    lowered = jax.jit(lambda x: x * 6).lower(X)
    with jax.log_compiles(True):
        compiled = lowered.compile()
        said = messages()
        compiled(X)
    assert said[-1][2] == "Finished Numba compilation of jit(<lambda>)"
    assert messages() == said


def test_a_long_compilation_says_each_second_how_far_it_is(capsys):
    jaxpr = jax.make_jaxpr(lambda x: x)(X)
    times = iter([0.0, 0.2, 0.9, 1.1, 1.1, 1.9, 2.2, 2.2])  # at the start, before each step, and when it speaks
    with compile_progress(True):
        assert [*with_progress("abcde", jaxpr, lambda: next(times))] == [*"abcde"]
    assert capsys.readouterr().err == (
        "minijax: compiling jit(<lambda>): 2 of 5 steps\nminijax: compiling jit(<lambda>): 4 of 5 steps\n"
    )
    with compile_progress(False):
        assert [*with_progress("abcde", jaxpr, lambda: 9.0)] == [*"abcde"]
    assert capsys.readouterr().err == ""
