"""The cases of chapter 6's exercises on rejection, dropout, keys that are used twice, and keys of one's own."""

from collections.abc import Iterator

from .exercise import Case

# ---- 6.5

_REJECTIONS = (  # a proposal, the probability to keep it, seeds
    ("jax.random.uniform", "lambda x: 1.0", (0,)),
    ("jax.random.uniform", "lambda x: x", (0, 1, 2)),
    ("jax.random.uniform", "lambda x: x > 0.75", (0, 1)),
    ("lambda key: jax.random.randint(key, (), 1, 7)", "lambda x: x == 6", (0, 1)),
    ("lambda key: jax.random.uniform(key, (2,), minval=-1.0)", "lambda x: x @ x < 0.25", (0, 1)),
    ("lambda key: {'x': jax.random.exponential(key)}", "lambda s: jnp.exp(-0.5 * (s['x'] - 1.0) ** 2)", (0, 1)),
    ("jax.random.uniform", "lambda x: 0.0", (0,)),
)


def rejection_cases() -> Iterator[Case]:
    for propose, keep, seeds in _REJECTIONS:
        for seed in seeds:
            setup = f"propose = {propose}\nkeep = {keep}\nkey = jax.random.key({seed})"
            most = 4 if keep == "lambda x: 0.0" else 20
            args = f"key, propose, keep, {most}"
            yield Case(f"numbers(rejection, {args})", f"rejected({args})", setup)
    setup = (
        "propose, key = jax.random.uniform, jax.random.key(0)\n_, _, for_u = jax.random.split(key, 3)\n"
        "u = jax.random.uniform(for_u)\nkeep = lambda x: u"
    )
    yield Case("numbers(rejection, key, propose, keep, 20)", "rejected(key, propose, keep, 20)", setup)
    for propose, keep, _ in (_REJECTIONS[1], _REJECTIONS[5]):
        setup = (
            f"propose = {propose}\nkeep = {keep}\nkeys = jax.random.split(jax.random.key(1), 4)\n"
            "f = lambda key: rejection(key, propose, keep, 20)"
        )
        expected = "jax.tree.map(lambda *each: [*each], *(rejected(key, propose, keep, 20) for key in keys))"
        for mapped in ("jax.vmap(f)", "jax.jit(jax.vmap(f))"):
            yield Case(f"numbers({mapped}, keys)", expected, setup)
        program = "jax.make_jaxpr(f)(keys[0])"
        yield Case(f"count('while', {program})", "1", setup, program)


# ---- 6.6

_THINNED = (  # elements, rates
    ("jnp.array([1.0, 2.0])", (0.5,)),
    ("jnp.array([1.0, 2.0, 3.0, 4.0])", (0.5, 0.25, 0.0, 1.0)),
    ("jnp.arange(12.0).reshape(3, 4)", (0.75,)),
)


def dropout_cases() -> Iterator[Case]:
    for x, rates in _THINNED:
        for rate in rates:
            setup = f"key = jax.random.key(2)\nx = {x}"
            yield Case(f"rounded(dropout, key, x, {rate})", f"thinned(key, x, {rate})", setup)
    setup = "key = jax.random.key({})\nx = jnp.array([jnp.nan, 2.0, -jnp.inf, 4.0])"
    for seed in (2, 3, 4):
        yield Case("str(rounded(dropout, key, x, 0.5))", "str(thinned(key, x, 0.5))", setup.format(seed))
    setup = "key = jax.random.key(2)\nx, w = jnp.arange(1.0, 5.0), jnp.arange(5.0, 9.0)"
    slope = "jax.grad(lambda x, rate: dropout(key, x, rate) @ w)"
    for rate in (0.5, 0.25, 1.0):
        yield Case(f"rounded({slope}, x, {rate})", f"thinned(key, w, {rate})", setup)
    for f, of in (("jax.jit(dropout), key", "x"), (f"jax.jit({slope})", "w")):
        yield Case(f"rounded({f}, x, 0.25)", f"thinned(key, {of}, 0.25)", setup)
    setup = "keys = jax.random.split(jax.random.key(1), 3)\nrows = jnp.arange(12.0).reshape(3, 4)"
    expected = "[thinned(key, row, 0.5) for key, row in zip(keys, rows)]"
    yield Case("rounded(jax.vmap(dropout, in_axes=(0, 0, None)), keys, rows, 0.5)", expected, setup)
    setup = "key = jax.random.key(1)\nx = jnp.ones({})"
    for size in (4, 100):
        kept = "residuals(lambda x: dropout(key, x, jnp.float32(0.5)), x)"
        yield Case(f"{kept} < 4", "True", setup.format(size), kept)


# ---- 6.7

PROGRAMS = (  # a function of keys, and the operations that use a key that has been used
    ("lambda key: jax.random.bits(key)", []),
    ("lambda key: (jax.random.bits(key), jax.random.bits(key))", ["random_bits"]),
    ("lambda key: (jax.random.bits(key), jax.random.split(key))", ["random_split"]),
    ("lambda key: (jax.random.split(key), jax.random.bits(key))", ["random_bits"]),
    ("lambda key: [jax.random.bits(k) for k in jax.random.split(key)]", []),
    ("lambda key: (jax.random.fold_in(key, 1), jax.random.bits(key))", []),
    ("lambda key: [jax.random.bits(jax.random.fold_in(key, i)) for i in range(3)]", []),
    ("lambda key: [jax.random.bits(jax.random.fold_in(key, i)) for i in (1, 1)]", ["random_bits"]),
    ("lambda key: [jax.random.bits(jax.random.split(key, 3)[i]) for i in (0,)]", []),
    ("lambda keys: [jax.random.bits(keys[i]) for i in (0, 1)]", []),
    ("lambda keys: [jax.random.bits(keys[i]) for i in (1, 1)]", ["random_bits"]),
    ("lambda keys: [jax.random.bits(k) for k in [*keys, *keys]]", ["random_bits"] * 2),
    ("lambda key: jax.random.key_data(key) + jax.random.bits(key)", []),
    ("lambda key: [jax.random.bits(jax.random.key(i)) for i in (0, 1)]", []),
    ("lambda key: [jax.random.bits(jax.random.key(i)) for i in (1, 1)]", ["random_bits"]),
    ("lambda key: (jax.random.uniform(key), jax.random.normal(key))", ["random_bits"]),
    ("lambda key: (jax.jit(jax.random.split)(key), jax.random.bits(key))", ["random_bits"]),
    ("lambda key: [jax.random.bits(k) for k in jax.jit(jax.random.split)(key)]", []),
    ("lambda key: [jax.random.bits(jax.jit(lambda k: k)(key)) for _ in range(2)]", ["random_bits"]),
    (
        "lambda key: jax.random.bits(jax.jit(lambda k: jax.random.fold_in(k, 1))(key)) + "
        "jax.random.bits(jax.random.fold_in(key, 1))",
        ["random_bits"],
    ),
)
BRANCHES = (
    ("lambda key: lax.cond(True, jax.random.bits, lambda k: jax.random.bits(k) // 2, key)", []),
    ("lambda key: (lax.cond(True, jax.random.bits, lambda k: jnp.uint32(0), key), jax.random.bits(key))",
     ["random_bits"]),
    ("lambda key: (lax.cond(True, lambda k: jnp.uint32(0), jax.random.bits, key), jax.random.split(key))",
     ["random_split"]),
    ("lambda key: (jax.random.bits(key), "
     "lax.cond(True, jax.random.bits, lambda k: jax.random.key_data(jax.random.split(k))[0, 0], key))",
     ["random_bits", "random_split"]),
)  # fmt: skip
LOOPS = (
    ("lambda key: lax.scan(lambda c, x: (c, jax.random.bits(key)), 0, jnp.arange(3))", ["random_bits"]),
    ("lambda key: lax.scan(lambda c, x: (c, jax.random.bits(key)), 0, jnp.arange(1))", []),
    ("lambda key: (lax.scan(lambda c, x: (c, jax.random.bits(key)), 0, jnp.arange(1)), jax.random.split(key))",
     ["random_split"]),
    ("lambda key: lax.scan(lambda c, x: (c, jax.random.bits(jax.random.fold_in(key, x))), 0, jnp.arange(3))", []),
    ("lambda key: lax.scan(lambda c, x: (c, jax.random.bits(jax.random.fold_in(key, 7))), 0, jnp.arange(3))",
     ["random_bits"]),
    ("lambda key: lax.scan(lambda i, x: (i + 1, jax.random.bits(jax.random.fold_in(key, i))), 0, jnp.arange(3))", []),
    ("lambda key: lax.scan(lambda k, x: (jax.random.split(k)[0], x), key, jnp.arange(3))", []),
    ("lambda key: lax.scan(lambda k, x: (jax.random.fold_in(k, 1), jax.random.bits(k)), key, jnp.arange(3))", []),
    ("lambda key: lax.scan(lambda c, x: ((c[1], c[0]), jax.random.bits(c[0])), (key, jax.random.fold_in(key, 1)), "
     "jnp.arange(2))", []),
    ("lambda key: (jax.random.bits(key), jax.random.bits(lax.scan(lambda c, x: ((c[1], c[0]), x), "
     "(key, jax.random.fold_in(key, 1)), jnp.arange(2))[0][0]))", ["random_bits"]),
    ("lambda key: jax.random.bits(lax.scan(lambda k, x: (jax.random.split(k)[0], x), key, jnp.arange(3))[0])", []),
    ("lambda key: (lax.scan(lambda k, x: (jax.random.split(k)[0], x), key, jnp.arange(3)), jax.random.bits(key))",
     ["random_bits"]),
    ("lambda keys: lax.scan(lambda c, k: (c, jax.random.bits(k)), 0, keys)", []),
    ("lambda keys: [lax.scan(lambda c, k: (c, jax.random.bits(k)), 0, keys), "
     "lax.scan(lambda c, k: (c, jax.random.bits(k) // 2), 0, keys)]", ["random_bits"]),
    ("jax.jit(lambda key: lax.scan(lambda c, x: (c, jax.random.uniform(key)), 0, jnp.arange(3)))", ["random_bits"]),
    ("lambda key: lax.scan(lambda c, x: (c, lax.cond(x > 1, jax.random.bits, lambda k: jnp.uint32(0), key)), 0, "
     "jnp.arange(3))", ["random_bits"]),
)  # fmt: skip


def reuse_cases() -> Iterator[Case]:
    for f, found in (*PROGRAMS, *BRANCHES, *LOOPS):
        args = "jax.random.split(jax.random.key(0), 2)" if f.startswith("lambda keys") else "jax.random.key(0)"
        yield Case("sorted(reused(program))", str(found), f"program = jax.make_jaxpr({f})({args})", "program")


# ---- 6.8

KEYS = (
    "PHILOX = define_prng_impl(key_shape=(2,), seed=philox_seed, split=philox_split, random_bits=philox_bits, "
    'fold_in=philox_fold_in, name="philox4x32", tag="phx4")'
)
_ZERO, _ONES = (0, 0, 0, 0), (2**32 - 1,) * 4
_PI = 0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0
SAMPLES = (  # draws from key 0, as JAX 0.11.0 makes them with impl="philox4x32"
    ("jax.random.bits(key, (2, 3))", [[2034863994, 2176725434, 2877061679], [2649193319, 3225588893, 1654840328]]),
    ("jax.random.permutation(key, 5)", [3, 0, 2, 1, 4]),
    ("jax.random.categorical(key, jnp.zeros(4), shape=(5,))", [2, 3, 0, 3, 3]),
    ("jax.random.randint(key, (4,), 0, 10)", [6, 0, 9, 4]),
    ("jax.random.bernoulli(key, 0.5, (4,))", [True, False, False, False]),
    ("jax.random.choice(key, 5, (3,), replace=False)", [3, 0, 2]),
    ("jnp.round(jax.random.normal(key, (3,)) * 1000).astype(int)", [-66, 17, 440]),
)


def philox_cases() -> Iterator[Case]:
    for key, counter in (((0, 0), _ZERO), ((0, 0), (0, 1, 0, 0)), ((1, 0), _ZERO), ((0, 0), (0, 0, 1, 0)),
                         (_ONES[:2], _ONES), (_PI[4:], _PI[:4])):  # fmt: skip
        setup = f"k0, k1 = jnp.array({key}, 'uint32')\ncounter = jnp.array({counter}, 'uint32')"
        yield Case("[*numbers(philox_block, k0, k1, [*counter])]", f"philox_by_hand({key}, {counter})", setup)
    setup = "k0, k1 = jnp.array((5, 6), 'uint32')\nzero, i = jnp.zeros(3, 'uint32'), jnp.arange(3, dtype='uint32')"
    expected = "[[*word] for word in zip(*(philox_by_hand((5, 6), (0, i, 0, 0)) for i in range(3)))]"
    yield Case("[*numbers(philox_block, k0, k1, (zero, i, zero, zero))]", expected, setup)
    for seed in (0, 1, 7, -1):
        yield Case(f"key_words(jax.random.key({seed}, impl=PHILOX))", f"philox_key({seed})")
    key = "key = jax.random.key(7, impl=PHILOX)"
    for data in (0, 1, 2**32 - 1):
        expected = f"philox_child(philox_key(7), {data})"
        yield Case(f"key_words(jax.random.fold_in(key, {data}))", expected, key)
    children = "[philox_child(philox_key(7), i) for i in range({})]"
    yield Case("key_words(jax.random.split(key))", children.format(2), key)
    yield Case("key_words(jax.random.split(key, (3, 2)).ravel())", children.format(6), key)
    for count in (1, 5):
        yield Case(f"numbers(jax.random.bits, key, ({count},))", f"philox_numbers(philox_key(7), 32, {count})", key)
    for width in (8, 16):
        expected = f"philox_numbers(philox_key(7), {width}, 6)"
        yield Case(f"numbers(lambda: jax.random.bits(key, (2, 3), 'uint{width}').ravel())", expected, key)
    yield Case("numbers(jax.random.uniform, key, (4,))", "steps_of_32(philox_numbers(philox_key(7), 32, 4))", key)
    for run in ("jax.vmap(jax.random.bits)", "jax.jit(jax.vmap(jax.random.bits))"):
        expected = "[philox_numbers(philox_child(philox_key(7), i), 32, 1)[0] for i in range(3)]"
        yield Case(f"numbers({run}, jax.random.split(key, 3))", expected, key)
    walk = "lax.scan(lambda key, i: (jax.random.fold_in(key, i), jax.random.bits(key)), key, jnp.arange(2))[1]"
    expected = "[philox_numbers(words, 32, 1)[0] for words in (philox_key(7), philox_child(philox_key(7), 0))]"
    yield Case(f"numbers(lambda: {walk})", expected, key)
    for draw, found in SAMPLES:
        yield Case(f"numbers(lambda: {draw})", str(found), "key = jax.random.key(0, impl=PHILOX)")
