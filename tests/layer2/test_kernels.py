"""What is made of kernels: joined, with few buffers, in parts; and that they stay within their arrays."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from compiled import assert_close, programs
from minijax import lax
from minijax.layer1_core.evaluate import interpret
from minijax.layer2_jit import plain, scalars
from minijax.layer2_jit.buffers import in_place, in_variables
from minijax.layer2_jit.compiler import Program, machine_code
from minijax.layer2_jit.hoisting import hoisted
from minijax.layer2_jit.loops import ZERO, Buffer, Const, For, Kernel, Let, Load, Name, Op, Store, counter
from minijax.layer2_jit.parts import divided
from minijax.layer2_jit.render import rendered
from ops import CASES, Case

X = np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4)
LARGE = np.random.default_rng(0).uniform(0.1, 3, (600, 500)).astype(np.float32)


def kernels(fun, *args) -> list[Kernel]:
    return [step for _, step in Program(jax.make_jaxpr(fun)(*args)).steps if isinstance(step, Kernel)]


def check(fun, *args) -> None:
    compiled, interpreted, values = programs(fun, args)
    assert_close(compiled(values), interpreted(values), rtol=1e-5)


# ---- kernels that are joined, and their buffers


def layer_norm(x):
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


@pytest.mark.parametrize("fun", [jax.nn.softmax, layer_norm, lambda x: jax.nn.logsumexp(x, -1)])
def test_what_goes_over_the_same_rows_is_one_kernel_without_scratch(fun):
    (kernel,) = kernels(fun, LARGE)
    assert [out.shape for out in kernel.outputs] == [out.shape for out in jax.make_jaxpr(fun)(LARGE).out_avals]
    check(fun, LARGE)


def over_heads(x):
    return jax.nn.softmax(x / 3.0)


def test_rows_of_rows_are_one_loop():
    x = LARGE.reshape(4, 5, 150, 100)
    (kernel,) = kernels(over_heads, x)
    (loop,) = kernel.body
    assert loop.extent == 3000 and loop.comment == "[4, 5, 150]"
    assert [out.shape for out in kernel.outputs] == [x.shape]
    check(over_heads, x)


def test_a_row_that_others_read_too_keeps_its_loop_and_needs_no_scratch():
    mask = LARGE[:100, :100] > 1
    x = LARGE[:100, :100].repeat(6).reshape(2, 3, 100, 100)
    (kernel,) = kernels(lambda x, mask: over_heads(jnp.where(mask, x, -9.0)), x, mask)
    (loop,) = kernel.body
    assert (loop.extent, loop.comment) == (6, "[2, 3]")
    assert [out.shape for out in kernel.outputs] == [x.shape]
    check(lambda x, mask: over_heads(jnp.where(mask, x, -9.0)), LARGE.reshape(5, 6, 100, 100), mask)


@pytest.mark.parametrize("fun", [
    lambda x: jnp.exp(x - x.max(0, initial=0.0)), lambda x: jnp.cumsum(x, 1), lambda x: x[:, None] + x[:, :, None],
    lambda x: (x * 2).reshape(-1) + jnp.arange(x.size), lambda x: jnp.zeros(9).at[(x * 3).astype(int)].add(x),
    lambda x: jnp.stack([x, x[::-1]], 1) * 2, lambda x: x + lax.broadcasted_iota("float32", x.shape, 1),
])  # fmt: skip
def test_loops_that_become_one_compute_the_same(fun):
    for shape in ((3, 4, 8), (16, 8, 9), (1, 5, 16), (2, 1, 40), (0, 3, 8), (4, 0, 8)):
        check(fun, np.resize(LARGE, shape))


def other_rows(x):
    return x - x.sum(1)[::-1, None]


def next_row(x):
    total = jnp.cumsum(x, 1)
    return jnp.tanh(total) - jnp.concatenate([total[1:], total[:1]])


@pytest.mark.parametrize("fun", [other_rows, next_row])
def test_what_reads_rows_of_other_rounds_is_not_joined(fun):
    assert len(kernels(fun, X)) > 1
    check(fun, X)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_arguments_that_may_be_overwritten_give_the_same_results(case: Case) -> None:
    jaxpr = jax.make_jaxpr(case.fun)(*case.values())
    args = [np.asarray(x, aval.dtype) for x, aval in zip(jax.tree.leaves(case.values()), jaxpr.in_avals, strict=True)]
    want = interpret(jaxpr)([x.copy() for x in args])
    given = Program(jaxpr, [True] * len(args))([np.array(x, order="C") for x in args])
    assert_close(given, want)


def test_a_result_lies_where_a_given_argument_was():
    given, kept = X.copy(), X.copy()
    program = Program(jax.make_jaxpr(lambda x, y: x * 2 + y)(X, X), [True, False])
    (out,) = program([given, kept])
    assert out is given and np.array_equal(out, X * 3) and np.array_equal(kept, X)


@pytest.mark.parametrize("fun", [lambda x: (x * 2, x[::-1] + 1), lambda x: (x * 2, x + 1), lambda x: (x + 1, x)])
def test_an_argument_that_is_read_again_is_not_overwritten(fun):
    program = Program(jax.make_jaxpr(fun)(X), [True])
    for got, want in zip(program([X.copy()]), fun(X), strict=True):
        assert np.array_equal(got, want)


def overlapping(step: int, rows: int = 4) -> Kernel:
    """Rows of six: scratch is written, and the result where `step` says, from what scratch has there.

    The rows are in groups of so many.
    """
    x, scratch, out = (Buffer(name, (4, 6), np.dtype("float32")) for name in "xyz")
    row, i, j = (counter(name) for name in ("i0", "i1", "i2"))
    row = row + counter("i3") * rows if rows < 4 else row
    there, here = row * 6 + i * 3 + j, row * 6 + i * step + j
    value = lambda name, place: Op("add", (Load(name, place, x.dtype), Const(1.0, x.dtype)), x.dtype)
    first, second = Store("y", there, value("x", there)), Store("z", here, value("y", here))
    loops = For("i0", rows, [For("i1", 2, [For("i2", 3, [store])]) for store in (first, second)])
    return Kernel("k", [x], [scratch, out], [For("i3", 4 // rows, [loops]) if rows < 4 else loops])


@pytest.mark.parametrize("rows", [4, 2, 1])
@pytest.mark.parametrize("step", [0, 1, 2, 3])
def test_a_result_is_over_scratch_only_where_no_round_reads_what_another_wrote(step, rows):
    kernel = overlapping(step, rows)
    placed = in_place(kernel, {"z"})
    assert (len(placed.outputs) == 1) == (step == 3)
    x, scratch, out = np.arange(24, dtype="float32"), np.zeros(24, "float32"), np.zeros(24, "float32")
    run_checked(kernel, [x, scratch, out])
    got = {"x": x, **{b.name: np.zeros(24, "float32") for b in placed.outputs}}
    run_checked(placed, [*got.values()])
    written = out != 0
    assert np.array_equal(got["z"][written], out[written])


@pytest.mark.parametrize("carried", [False, True])
def test_a_buffer_is_a_variable_only_where_no_round_reads_what_another_wrote(carried):
    x, scratch, out = (Buffer(name, (4,), np.dtype("float32")) for name in "xyz")
    here = counter("i0")
    read = Load("y" if carried else "x", here, x.dtype)  # what the round before has left there, or an operand
    new = Let("new", Op("add", (read, Const(1.0, x.dtype)), x.dtype))
    lines = [new, Store("y", here, Name("new", x.dtype)), Store("z", here, Load("y", here, x.dtype))]
    kernel = Kernel("k", [x], [scratch, out], [For("t", 3, [For("i0", 4, lines)])])
    assert (len(in_variables(kernel, {"z"}).outputs) == 1) == (not carried)


@pytest.mark.parametrize("shape", [(30, 40), (2, 30, 40)])
def test_a_row_that_another_round_reads_is_not_overwritten(shape):
    fun = lambda x: jnp.exp(x - x[..., ::-1, :].max(-1, keepdims=True))
    x = LARGE[:60, :40][: 30 * (len(shape) - 1)].reshape(shape)
    program = Program(jax.make_jaxpr(fun)(x), [True])
    assert len(program.steps) == 1  # the largest of one row, and another row, in one round
    np.testing.assert_allclose(program([x.copy()])[0], fun(x), rtol=1e-5)


# ---- lines that stand before a loop


def test_a_line_that_does_not_change_stands_before_the_loop():
    (kernel,) = kernels(lambda x, y: x * jnp.exp(y)[:, None], X, X[:, 0])
    (rows,) = kernel.body
    assert isinstance(rows, For)
    before, inner = rows.body[:-1], rows.body[-1]
    assert isinstance(inner, For) and "exp" in str(before) and "exp" not in str(inner)


def test_before_a_loop_without_rounds_nothing_is_read():
    check(lambda x, y: (x * y[:, None]).sum(), np.zeros((0, 3), np.float32), np.zeros(0, np.float32))
    check(lambda x, y: x.sum(1) * y, np.zeros((3, 0), np.float32), np.ones(3, np.float32))


# ---- parts, and threads

LONG = {
    "flat": lambda x: jnp.tanh(x) * 2 + x,
    "rows": jax.nn.softmax,
    "transposed": lambda x: x.T + 1,
    "reduced": lambda x: jnp.exp(x).sum(1),
    "scanned": lambda x: jnp.cumsum(x, 1),
    "with a number": lambda x: x * jnp.sqrt(x[0, 0] + 1),
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_kernel_runs_in_parts(name):
    assert [k.in_parts for k in kernels(LONG[name], LARGE)] == [True]
    assert not any(k.in_parts for k in kernels(LONG[name], X))
    check(LONG[name], LARGE)


def test_a_line_before_the_loop_may_not_read_what_another_part_writes():
    size = 1_000_000
    x, out = (Buffer(name, (size,), np.dtype("float32")) for name in "xy")
    here = counter("i")
    loop = For("i", size, [Store("y", here, Op("add", (Load("x", here, x.dtype), Name("first", x.dtype)), x.dtype))])
    first = lambda buffer: Let("first", Load(buffer, ZERO, x.dtype))
    assert divided(Kernel("k", [x], [out], [first("x"), loop])).in_parts
    assert not divided(Kernel("k", [x], [out], [first("y"), loop])).in_parts


def test_a_number_that_is_carried_from_round_to_round_is_not_started_in_each_part():
    (kernel,) = kernels(lambda x: x.sum(), np.ones(1_000_003, "float32"))  # a prime: it has no rows
    assert not kernel.in_parts


def test_several_threads_may_run_long_kernels_at_once():
    f = jax.jit(LONG["flat"])
    inputs = [jnp.asarray(LARGE + k) for k in range(4)]
    want = [np.asarray(f(x)) for x in inputs]
    wrong = []

    def run(k):
        wrong.extend(1 for _ in range(50) if not np.array_equal(np.asarray(f(inputs[k])), want[k]))

    workers = [threading.Thread(target=run, args=[k]) for k in range(4)]
    [t.start() for t in workers]
    [t.join() for t in workers]
    assert not wrong


def test_a_forked_process_computes_alone():
    f = jax.jit(LONG["flat"])
    x = jnp.asarray(LARGE)
    want = np.asarray(f(x))
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(np.asarray(f(x)), want) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_one_thread_is_enough():
    code = (
        "import numpy as np, minijax as jax, minijax.numpy as jnp, threading\n"
        "x = np.linspace(0, 1, 300_000, dtype='float32')\n"
        "assert np.allclose(jax.jit(lambda x: jnp.tanh(x) * 2 + x)(x), np.tanh(x) * 2 + x, atol=1e-6)\n"
        "assert not [t for t in threading.enumerate() if t.name == 'minijax']\n"
    )
    root = str(Path(jax.__file__).parents[1])
    env = os.environ | {"NUMBA_NUM_THREADS": "1", "PYTHONPATH": root}
    subprocess.run([sys.executable, "-c", code], env=env, check=True)


# ---- within the arrays, whatever the indices


class Checked(np.ndarray):
    """An array in which only its elements can be read and written: no index counts from the end."""

    def __getitem__(self, k):
        assert 0 <= k < self.size, (k, self.size)
        return super().__getitem__(k)

    def __setitem__(self, k, value):
        assert 0 <= k < self.size, (k, self.size)
        super().__setitem__(k, value)


class Operations(dict):
    """The names that the text of a kernel uses."""

    def __missing__(self, name):
        return getattr(scalars, name) if name == "clamp" else getattr(plain, name)


def run_checked(kernel: Kernel, buffers: list[np.ndarray]) -> None:
    """Run the text of a kernel in Python, each access checked."""
    names = Operations(range=range)
    exec(rendered(kernel), names)
    with np.errstate(all="ignore"):
        names[kernel.name](*(x.reshape(-1).view(Checked) for x in buffers))


def run_guarded(kernel: Kernel, buffers: list[np.ndarray]) -> None:
    """Run the machine code of a kernel on the middle of larger arrays, and see that their edges stay as they were."""
    edge = 4096
    wide = [np.full(x.nbytes + 2 * edge, 0xA5, np.uint8) for x in buffers]
    inner = [w[edge : edge + x.nbytes].view(x.dtype).reshape(x.shape) for w, x in zip(wide, buffers, strict=True)]
    for place, x in zip(inner, buffers, strict=True):
        place[...] = x
    machine_code(kernel)(*inner)
    for w, x, place in zip(wide, buffers, inner, strict=True):
        assert (w[:edge] == 0xA5).all() and (w[len(w) - edge :] == 0xA5).all()
        x[...] = place


INDICES = ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"]
MODES = ["clip", "fill", "promise_in_bounds"]


def accesses(shape, mode):
    """Functions of an array of this shape, and of four indices, that read and write at these."""
    last = len(shape) - 1
    yield lambda x, i: x.at[i].get(mode=mode)
    yield lambda x, i: x.at[..., i].get(mode=mode)
    yield lambda x, i: x.at[i].add(x[0] + 1, mode=mode)
    yield lambda x, i: x.at[..., i].set(7.0, mode=mode)
    yield lambda x, i: x.at[i, ..., i].max(2.0, mode=mode) if last else x
    yield lambda x, i: jax.lax.dynamic_slice(x, [i[k] for k in range(len(shape))], [max(1, n - 1) for n in shape])
    window = tuple(slice(max(1, n - 1)) for n in shape)
    yield lambda x, i: jax.lax.dynamic_update_slice(x, x[window], [i[k] for k in range(len(shape))])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", INDICES)
@pytest.mark.parametrize("shape", [(5,), (3, 4), (2, 3, 2)], ids=str)
def test_no_index_reads_or_writes_outside_of_an_array(shape, dtype, mode):
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, shape).astype(np.float32)
    ends = np.iinfo(dtype)
    with jax.enable_x64(True):
        for k, fun in enumerate(accesses(shape, mode)):
            i = rng.choice(np.array([ends.min, ends.max, 0, 1, 2, 5, 100], dtype), 4)
            program = Program(jax.make_jaxpr(fun)(x, i))
            values = {program.names(v): a for v, a in zip(program.jaxpr.invars, [x, i], strict=True)}
            for _, step in program.steps:
                assert isinstance(step, Kernel), (k, step)
                for run in (run_checked, run_guarded):
                    outs = [np.zeros(out.shape, out.dtype) for out in step.outputs]
                    run(step, [*(np.array(values[b.name]) for b in step.inputs), *outs])
                values |= {b.name: out for b, out in zip(step.outputs, outs, strict=True)}
            check(fun, x, i)


# ---- what was found by trying to break it


def test_empty_batches_and_many_operands_compute_as_always():
    check(lambda x: x - x.mean(-1, keepdims=True), np.zeros((0, 10), np.float32))
    check(jax.nn.softmax, np.zeros((0, 10), np.float32))
    check(lambda x: jnp.cumsum(x, 0), np.zeros((0, 5), np.float32))
    check(lambda x: jnp.concatenate([x + k for k in range(40)]), X)
    check(lambda x: jnp.transpose(x.reshape((2,) * 2 + (1,) * 19)), X.reshape(-1)[:4])


def test_a_sum_of_a_table_and_a_column_can_be_read_in_the_flat_order():
    column = X[:, :1]
    check(lambda x, c: (x + c).reshape(-1), X, column)
    check(lambda x, c: (x + c.reshape(3, 1)).reshape(2, 6) * 2, X, column[:, 0])
    check(lambda x, c: jnp.cumsum(jnp.where(c > 0, x, c).reshape(-1)), X, column)
    check(lambda x, c: (x * c).reshape(-1).sum() + (x - c[0]).reshape(-1), X, column)
    check(lambda x, c: (x.T.reshape(-1), (x.T + c).reshape(-1)), X, np.float32([[1], [2], [3], [4]]))


def test_a_narrowed_value_is_stored_within_its_array():
    """LLVM once wrote eight bytes where the ninth of nine rounds stores four."""
    with jax.enable_x64(True):
        fun = lambda x: jnp.take(x, (jnp.arange(9, dtype="int32") * 3) % 2, axis=1, mode="clip").astype("int32")
        x = np.arange(12, dtype=np.int64).reshape(3, 4)
        (kernel,) = kernels(fun, x)
        outs = [np.zeros(out.shape, out.dtype) for out in kernel.outputs]
        run_guarded(kernel, [x, *outs])
        check(fun, x)


def test_a_line_that_hands_a_value_to_the_next_round_is_no_copy():
    """`last = now` at the end of a loop: the line after the loop reads `last`."""
    f32, at = np.dtype("float32"), counter("i0")
    now, last = Name("now", f32), Name("last", f32)
    loop = For("i0", 3, [Let("now", Load("a", at, f32)), Let("last", now)])
    body = [Let("last", Const(0.0, f32)), loop, Store("c", ZERO, last)]
    kernel = hoisted(Kernel("kernel", [Buffer("a", (3,), f32)], [Buffer("c", (1,), f32)], body))
    c = np.zeros(1, f32)
    machine_code(kernel)(np.arange(3, dtype=f32), c)
    assert c == 2


def test_results_take_the_memory_of_those_before():
    """Else the system clears a page for each 4 KB of three results, or for each 2 MB, in each call."""
    code = (
        "import resource, numpy as np, minijax as jax\n"
        "f, x = jax.jit(lambda x: (x + 1, x * 2, x - 3)), jax.numpy.ones((2000, 2000))\n"
        "for k in range(13):\n"
        "    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt if k == 3 else k and before\n"
        "    out = None\n"
        "    out = f(x)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100
