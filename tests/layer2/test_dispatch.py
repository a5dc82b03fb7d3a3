"""The short way of a jitted call gives what the long way gives, and is left where something is special."""

import threading

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp


def test_calls_of_a_known_kind_do_not_trace_again():
    traced = []
    f = jax.jit(lambda x: (traced.append(1), x + 1.0)[1])
    for k in range(4):
        assert f(jnp.float32(k) + 0.0) == k + 1
    assert len(traced) == 1


def test_results_are_arrays_of_the_type_that_was_traced():
    f = jax.jit(lambda x: {"a": x * 2, "b": (x, x.sum())})
    for _ in range(3):
        out = f(jnp.arange(3))
        assert jax.tree.structure(out) == jax.tree.structure({"a": 0, "b": (0, 0)})
        assert [jax.typeof(x) for x in jax.tree.leaves(out)] == [jax.typeof(jnp.arange(3))] * 2 + [
            jax.typeof(jnp.int32(0))
        ]
        assert not np.asarray(out["a"]).flags.writeable


def test_weak_and_strong_types_are_kinds_of_their_own():
    f = jax.jit(lambda x: x + jnp.float16(1))
    for x, dtype in [(jnp.asarray(2.0), "float16"), (jnp.float32(2.0), "float32")] * 2:
        assert f(x).dtype == dtype


def test_a_flag_that_changes_is_heeded():
    f = jax.jit(lambda x: x * np.float64(1.5))
    x = jnp.arange(3.0)
    f(x), f(x)
    with jax.enable_x64(True):
        assert f(x).dtype == "float64"
    assert f(x).dtype == "float32"
    jax.config.update("jax_enable_x64", True)
    try:
        assert f(x).dtype == "float64"
    finally:
        jax.config.update("jax_enable_x64", False)
    assert f(x).dtype == "float32"
    with jax.disable_jit():
        assert isinstance(jax.jit(lambda x: [x, type(x).__name__])(x)[1], str)


def test_a_deleted_argument_is_refused():
    f = jax.jit(lambda x: x + 1)
    x = jnp.arange(3)
    f(x), f(x)
    x.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        f(x)


def test_a_committed_argument_stays_committed():
    f = jax.jit(lambda x: x + 1)
    x = jnp.arange(3)
    f(x), f(x)
    assert f(jax.device_put(x, jax.devices()[0])).committed
    assert not f(x).committed


def test_a_donated_argument_is_given_away_each_time():
    f = jax.jit(lambda x: x + 1, donate_argnums=0)
    for _ in range(3):
        x = jnp.arange(3.0)
        f(x)
        assert x.is_deleted()


def test_tracers_and_numbers_take_the_long_way():
    f = jax.jit(lambda x: x * 2)
    f(jnp.float32(1.0)), f(jnp.float32(1.0))
    assert [eqn.primitive.name for eqn in jax.make_jaxpr(lambda x: f(x))(1.0).eqns] == ["jit"]
    assert f(3) == 6 and f(np.float32(3)) == 6 and f(np.arange(3)).tolist() == [0, 2, 4]


def test_types_that_are_forgotten_are_not_mistaken_for_new_ones():
    f = jax.jit(lambda x: np.array(x.shape))  # of the type alone: nothing is compiled
    for n in range(1, 300):
        assert f(np.ones(n)).tolist() == [n] and f(np.ones((n, 1))).tolist() == [n, 1]


def test_several_threads_may_call_at_once():
    f = jax.jit(lambda x, y: (x * y).sum() + x)
    wrong = []

    def work(k):
        for n in range(200):
            x, y = jnp.full((50,), float(k)), jnp.full((50,), float(n))
            if not np.allclose(f(x, y), 50 * k * n + k):
                wrong.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert wrong == []


@pytest.mark.parametrize("forget", [lambda f: f.clear_cache(), lambda f: jax.clear_caches()])
def test_what_was_forgotten_is_traced_again(forget):
    traced = []
    f = jax.jit(lambda x: (traced.append(1), x + 1.0)[1])
    x = jnp.float32(1.0)
    f(x), f(x), forget(f), f(x), f(x)
    assert len(traced) == 2
