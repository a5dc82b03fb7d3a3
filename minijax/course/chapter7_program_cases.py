"""The cases of chapter 7's exercises on functions of one device: layers, sums, gradients, attention, as text."""

from collections.abc import Iterator

from .exercise import Case

# ---- 7.6

_LAYERS = (  # devices; examples, inputs, hidden, outputs
    (2, (1, 1, 2, 1)),
    (2, (3, 2, 4, 2)),
    (4, (2, 3, 8, 5)),
)


def layer_cases() -> Iterator[Case]:
    for devices, (b, i, h, o) in _LAYERS:
        setup = (
            f"args = some(({b}, {i}), ({i}, {h}), ({h},), ({h}, {o}), ({o},))\nf = parallel_mlp(auto_mesh(x={devices}))"
        )
        yield Case("near(mlp, f, *args)", "rounded(mlp, *args)", setup)
        yield Case("talk(f, *args)", f"{{'psum': {b * o}}}", setup)
        n = h // devices
        yield Case("part_shapes(f, *args)", str([(b, i), (i, n), (n,), (n, o), (o,)]), setup)
    grad = "jax.grad(squares({}), (0, 1, 2, 3, 4))"
    yield Case(f"near({grad.format('mlp')}, {grad.format('f')}, *args)", f"rounded({grad.format('mlp')}, *args)", setup)


# ---- 7.7

_SUMS = (  # mesh, axis, shape
    ("x=2", "x", (4,)),
    ("x=3", "x", (9,)),
    ("x=4", "x", (16,)),
    ("x=4", "x", (16, 3)),
    ("x=8", "x", (64,)),
    ("x=2, y=2", "y", (16,)),
    ("x=2, y=4", "y", (32, 2)),
)


def sum_cases() -> Iterator[Case]:
    for mesh, axis, shape in _SUMS:
        setup = (
            f"mesh = auto_mesh({mesh})\n"
            f"x = jnp.arange(np.prod({shape})).reshape({shape})\n"
            f'f = on_each(lambda x: ring_sum(x, "{axis}"), mesh)'
        )
        yield Case("numbers(f, x)", f'numbers(on_each(lambda x: lax.psum(x, "{axis}"), mesh), x)', setup)
        yield Case("talk(f, x)", f'talk_of_ring(x.size // mesh.size, mesh.shape["{axis}"])', setup)
    yield Case("numbers(jax.jit(f), x)", f'numbers(on_each(lambda x: lax.psum(x, "{axis}"), mesh), x)', setup)


# ---- 7.8

SQUARES = "loss = lambda params, x, y: jnp.mean((x @ params['w'] + params['b'] - y) ** 2)"
_TRAINED = (  # loss, params, batches, devices, numbers in params
    ("loss = lambda w, x: jnp.mean(w * x)", "jnp.float32(2)", "[jnp.array([[1.0, 3.0]])]", 2, 1),
    ("loss = lambda w, x: jnp.mean(w * w * x)", "jnp.float32(2)", "[jnp.array([[1.0, 2.0], [3.0, 4.0]])]", 2, 1),
    ("loss = lambda w, x: jnp.mean(jnp.tanh(x @ w))", "jnp.array([1.0, -2.0])", "some((3, 4, 2))", 4, 2),
    (SQUARES, '{"w": jnp.array([1.0, 2.0, 3.0]), "b": jnp.float32(0.5)}', "some((2, 8, 3), (2, 8))", 4, 4),
)


def gradient_cases() -> Iterator[Case]:
    for loss, params, data, devices, size in _TRAINED:
        setup = (
            f"{loss}\nparams, data = {params}, {data}\nf = data_parallel(mean_gradient, loss, auto_mesh(x={devices}))"
        )
        on_one = "lambda *args: gradient_on_one(loss, *args)"
        yield Case(f"near({on_one}, f, params, *data)", "rounded(gradient_on_one, loss, params, *data)", setup)
        yield Case("talk(f, params, *data)", f"{{'psum': {size + 1}}}", setup)


# ---- 7.9

_ATTENDED = (  # devices, length, sizes of a key and of a value, about how large the numbers are
    (2, 2, 1, 1, 1.0),
    (2, 4, 2, 1, 1.0),
    (3, 6, 2, 3, 1.0),
    (4, 16, 2, 3, 1.0),
    (2, 4, 2, 1, 15.0),
)


def attention_cases() -> Iterator[Case]:
    for devices, length, d, e, scale in _ATTENDED:
        args = f"({length}, {d}), ({length}, {d}), ({length}, {e})" + (f", scale={scale}" if scale > 1 else "")
        setup = f"args = some({args})\nmesh = auto_mesh(x={devices})"
        f = "on_each(lambda q, k, v: ring_attention(q, k, v, 'x'), mesh)"
        yield Case(f"near(attention, {f}, *args)", "rounded(attention, *args)", setup)
        yield Case(f"talk({f}, *args)", f"{{'ppermute': {(devices - 1) * (d + e) * length // devices}}}", setup)
        f = f.replace("'x')", "'x', causal=True)")
        whole = "lambda q, k, v: attention(q, k, v, causal=True)"
        yield Case(f"near({whole}, {f}, *args)", f"rounded({whole}, *args)", setup)
    setup = "q, k, v = some((16, 2), (16, 2), (16, 3))\nmesh = auto_mesh(x=4)"
    yield Case(f"largest({f}, q, k, v) <= 16", "True", setup)
    slope = "jax.grad(squares({}), (0, 1, 2))"
    yield Case(
        f"near({slope.format(whole)}, {slope.format(f)}, q, k, v)", f"rounded({slope.format(whole)}, q, k, v)", setup
    )
    heads = "q, k, v = some((8, 2, 3), (8, 2, 3), (8, 2, 2))\nmesh = auto_mesh(x=4)"
    mapped = "jax.vmap({}, 1, 1)"
    each = f"on_each({mapped.format(f[len('on_each(') : -len(', mesh)')])}, mesh)"
    yield Case(f"near({mapped.format(whole)}, {each}, q, k, v)", f"rounded({mapped.format(whole)}, q, k, v)", heads)
