"""The cases of chapter 7's exercises on places, parts, pictures, types and what moves, as text."""

from collections.abc import Iterator
from typing import Any

from .exercise import Case, names_of


def names() -> dict[str, Any]:
    """What the cases may name: what the first cells of the notebook bring, and what expected values need."""
    modules = [f"minijax.course.chapter{k}" for k in ("3_given", "4_given", "5_given", "7_given", "7_expected")]
    shown = names_of(*modules, jax="minijax", jnp="minijax.numpy", lax="minijax.lax", np="numpy")
    of = vars(names_of(of="minijax.sharding")["of"])
    return shown | {"NamedSharding": of["NamedSharding"], "P": of["PartitionSpec"]}


# ---- 7.1

_MADE = {  # what occurs in the operands, and how it is made
    "x": "x = jnp.ones(2)",
    "at_": "at_0, at_1, at_2 = (jax.device_put(x, device(i)) for i in range(3))",
    "line": 'line = NamedSharding(auto_mesh(x=4), P("x"))',
    "divided": "divided = jax.device_put(jnp.ones(4), line)",
    "elsewhere": "with jax.default_device(device(3)):\n    elsewhere = jnp.ones(2)",
}
PLACED = "\n".join(_MADE.values())
OPERANDS = (  # and the default device
    ("x", 0), ("1.0", 0), ("at_1", 0), ("x, at_1", 0), ("at_1, x", 0), ("at_1, at_2", 0), ("x", 3), ("2.0, x", 3),
    ("at_0, at_1", 0), ("at_1, 2.0, at_1", 0), ("x, at_1, at_2", 0), ("at_2, x, at_2 + x", 0), ("x + 1, at_1 * x", 0),
    ("at_1 + x, at_2", 0), ("jax.device_put(x), at_1", 0), ("elsewhere", 0), ("elsewhere, at_1", 0), ("divided", 0),
    ("x, divided", 0), ("divided, at_1", 0), ("divided, jax.device_put(x, line.update(spec=P()))", 0),
    ("divided.sum(), at_0", 3), ("1.0, divided + 1, divided.sum()", 3),
)  # fmt: skip


def place_cases() -> Iterator[Case]:
    for operands, default in OPERANDS:
        args = f"[{operands}], device({default})"
        needed = operands.replace("divided", "line divided").replace("at_", "x at_")
        setup = "\n".join(made for name, made in _MADE.items() if name in needed)
        yield Case(f"place_told(placement, {args})", f"place_told(placed_by_jit, {args})", setup)


# ---- 7.2

_ELEMENTS = (  # mesh, spec, shape, index
    ("x=2", 'P("x")', (4,), (0,)),
    ("x=2", 'P("x")', (4,), (3,)),
    ("x=4", 'P("x")', (8,), (3,)),
    ("x=2", "P()", (4,), (1,)),
    ("x=2", 'P(None, "x")', (2, 4), (1, 1)),
    ("x=2, y=2", 'P("y")', (4,), (1,)),
    ("x=2, y=2", 'P("x")', (4, 2), (3, 0)),
    ("x=2, y=2", 'P("x", "y")', (4, 4), (3, 1)),
    ("x=2, y=2", 'P(("x", "y"))', (4,), (2,)),
    ("x=2, y=4", 'P(("y", "x"))', (8,), (3,)),
    ("x=2, y=4", 'P("y", "x")', (8, 4), (5, 3)),
    ("x=2, y=2, z=2", 'P("z")', (4, 3), (2, 1)),
    ("x=2, y=2, z=2", 'P(None, ("z", "x"))', (3, 8), (2, 5)),
    ("x=2, y=2, z=2", 'P(("y", "z", "x"))', (16,), (9,)),
    ("x=1, y=3", 'P(("x", "y"), None)', (6, 2), (4, 1)),
)


def holder_cases() -> Iterator[Case]:
    for mesh, spec, shape, index in _ELEMENTS:
        args = f"{index}, {shape}, spec, mesh"
        yield Case(f"holders({args})", f"holding({args})", f"mesh = auto_mesh({mesh})\nspec = {spec}")


# ---- 7.3

_SPECS = (  # and how many axes the array has
    ("x=2", 'P("x")', 1), ("x=4", 'P("x")', 1), ("x=2", 'P(None, "x")', 2), ("x=2", "P()", 1),
    ("x=2, y=2", 'P("x")', 1), ("x=2, y=2", 'P("y")', 2), ("x=2, y=2", 'P("x", "y")', 2),
    ("x=2, y=2", 'P("y", "x")', 2), ("x=2, y=2", 'P(("x", "y"))', 1), ("x=2, y=2", 'P(None, ("y", "x"))', 2),
    ("x=2, y=4", 'P(("y", "x"))', 2), ("x=4, y=2", 'P(("y", "x"))', 1), ("x=2, y=2, z=2", 'P(("z", "x"), "y")', 2),
    ("x=2, y=2, z=2", 'P("z", None, ("y", "x"))', 3), ("x=2, y=2, z=2", 'P(("y", "z", "x"))', 1),
)  # fmt: skip
_PICTURES = (  # of which no spec makes any but the fourth
    ("x", "[1, 0]"),
    ("x", "[0, 1], [0, 1]"),
    ("x", "[0, 1, 0, 1]"),
    ("xy", "[[0, 2], [1, 3]]"),
    ("xy", "[[0, 1], [1, 0]]"),
    ("xy", "[[0, 0], [0, 1]]"),
    ("x", "[0, 1, 3, 2]"),
    ("xy", "[[0, 0], [1, 1]], [[0, 1], [2, 3]]"),
    ("xy", "[[0, 0], [1, 1]], [[0, 1], [0, 1]], [[0, 0], [1, 1]]"),
)


def picture_cases() -> Iterator[Case]:
    for mesh, spec, ndim in _SPECS:
        axes = tuple(part[0] for part in mesh.split(", "))
        setup = f"blocks = picture(auto_mesh({mesh}), {spec}, {ndim})"
        yield Case(f"spec_of(blocks, {axes})", f"spec_by_search(blocks, {axes})", setup)
    for axes, blocks in _PICTURES:
        setup = f"blocks = [np.array(held) for held in ({blocks},)]"
        yield Case(f"spec_of(blocks, {tuple(axes)})", f"spec_by_search(blocks, {tuple(axes)})", setup)


# ---- 7.4

_PRODUCTS = (
    ("i,i->i", "P(None)", "P(None)"), ("i,i->i", 'P("x")', 'P("x")'), ("i,i->i", 'P("x")', "P(None)"),
    ("i,i->i", "P(None)", 'P("y")'), ("i,i->i", 'P("x")', 'P("y")'), ("i,j->ij", 'P("x")', 'P("y")'),
    ("i,j->ji", 'P("x")', 'P("y")'), ("i,j->ij", 'P("x")', 'P("x")'), ("i,i->", "P(None)", "P(None)"),
    ("i,i->", 'P("x")', "P(None)"), ("i,i->", 'P("x")', 'P("x")'), ("i,i->", 'P("x")', 'P("y")'),
    ("i,j->i", "P(None)", 'P("x")'), ("ij,jk->ik", 'P("x", None)', 'P(None, "y")'),
    ("ij,jk->ik", 'P("x", "y")', "P(None, None)"), ("ij,jk->ik", 'P("x", "y")', 'P("y", None)'),
    ("ij,jk->ik", 'P(None, "x")', 'P(None, "x")'), ("ij,jk->ik", 'P("x", None)', 'P(None, "x")'),
    ("ij,jk->ki", 'P(("x", "y"), None)', "P(None, None)"), ("ij,ij->ji", 'P("x", None)', 'P(None, "y")'),
    ("ij,ij->i", 'P("x", None)', 'P("x", "y")'), ("bij,bjk->bik", 'P("x", None, None)', 'P("x", None, "y")'),
    ("bij,bjk->bik", 'P("x", "y", None)', 'P("x", None, "y")'),
    ("bij,bjk->bik", 'P("x", None, "y")', 'P(None, "y", None)'),
    ("bij,bjk->kb", 'P("y", "x", None)', 'P("y", None, "x")'),
)  # fmt: skip


def product_cases() -> Iterator[Case]:
    setup = "mesh = explicit_mesh(x=2, y=2)"
    for letters, lhs, rhs in _PRODUCTS:
        args = f'"{letters}", mesh, {lhs}, {rhs}'
        yield Case(f"einsum_type(product_entries, {args})", f"einsum_type_by_parts({args})", setup)


# ---- 7.5

_MOVES = (  # mesh, shape, bytes of a number, before, after
    ("x=2", (2,), 1, 'P("x")', 'P("x")'),
    ("x=2", (2,), 1, "P()", 'P("x")'),
    ("x=2", (2,), 1, 'P("x")', "P()"),
    ("x=2", (4,), 4, 'P("x")', "P()"),
    ("x=2", (2, 2), 1, 'P("x")', 'P(None, "x")'),
    ("x=4", (4, 4), 1, 'P("x")', 'P(None, "x")'),
    ("x=2, y=2", (4,), 1, 'P("x")', 'P("y")'),
    ("x=2, y=2", (4,), 2, 'P("x")', 'P(("x", "y"))'),
    ("x=2, y=2", (4,), 2, 'P(("x", "y"))', 'P(("y", "x"))'),
    ("x=2, y=2", (4,), 4, 'P(("x", "y"))', 'P("x")'),
    ("x=2, y=2", (4, 4), 4, 'P("x", "y")', 'P("y", "x")'),
    ("x=2, y=4", (8, 8), 1, 'P("x", "y")', 'P(("x", "y"))'),
    ("x=2, y=4", (8, 8), 4, 'P(("y", "x"))', 'P("x", "y")'),
    ("x=2, y=2, z=2", (4, 2, 4), 2, 'P("x", None, "y")', 'P("z", "x")'),
)


def move_cases() -> Iterator[Case]:
    for mesh, shape, size, before, after in _MOVES:
        setup = (
            f"mesh = auto_mesh({mesh})\n"
            f"before = parts_held(mesh, {before}, {shape})\n"
            f"after = parts_held(mesh, {after}, {shape})"
        )
        yield Case(f"bytes_moved(before, after, {size})", f"bytes_counted(before, after, {size})", setup)
