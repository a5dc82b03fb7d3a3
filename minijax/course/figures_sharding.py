"""The figures of chapter 7, made as those in figures.py."""

from collections.abc import Sequence
from typing import Any

from .figures import BLUE, GREY, LIGHT, YELLOW, arrow, box, show

# What the parts of an array are filled with: light enough for black text, and each lighter or darker than the next.
FILLS = (LIGHT, YELLOW, GREY, "#cfe8d5", "#f7c99b", "white", "#d9c7e8", "#a9d0e8")


def three_classes() -> None:
    """One instance check, and the three kinds of objects for which it holds."""
    words = (
        "One instance check, three kinds of objects. An array with a value has a type, a buffer on each of its "
        "devices, and a place. A tracer has a type, and its trace. An array of keys has a type of keys, and an array "
        "of words. For all three, isinstance(x, jax.Array) is true."
    )
    body = box(290, 6, 210, ["isinstance(x, jax.Array)"], YELLOW)
    told = (
        ("an array with a value", ["a type", "a buffer on each device", "a place: a sharding"]),
        ("a tracer", ["a type", "its trace", "no value, no place"]),
        ("an array of keys", ["a type: of keys", "an array of words", "chapter 6"]),
    )
    for k, (name, lines) in enumerate(told):
        x = 10 + 270 * k
        body += arrow(f"M395 35L{x + 115} 78")
        body += f"<text x='{x + 115}' y='96' text-anchor='middle' font-weight='bold'>{name}</text>"
        body += box(x, 104, 230, lines, LIGHT if k != 1 else GREY)
    show(body, words, 790, 176)


def of_one_array() -> None:
    """An array is a type, a buffer for each device, a sharding, and a mark."""
    words = (
        "An array has four fields. Its type, float32 of 8 by 4: what programs know. Its buffers, one for each device. "
        "Its sharding: which device holds which part. And committed: whether somebody has said where it shall be."
    )
    body = f"<rect x='10' y='10' width='300' height='150' rx='6' fill='{GREY}' stroke='#333'/>"
    for k, (name, what) in enumerate(
        (("aval", "float32[8,4]"), ("_arrays", "a list of buffers"), ("_sharding", "which device, which part"),
         ("_committed", "True or False"))
    ):  # fmt: skip
        y = 40 + 34 * k
        body += f"<text x='24' y='{y}' font-weight='bold'>{name}</text><text x='130' y='{y}'>{what}</text>"
    for k in range(2):
        y = 20 + 76 * k
        body += f"<rect x='470' y='{y}' width='240' height='62' rx='6' fill='white' stroke='#333'/>"
        body += f"<text x='482' y='{y + 36}'>device {k}</text>" + box(570, y + 16, 125, ["a buffer"], YELLOW)
        body += arrow(f"M310 {69}L568 {y + 31}")
    show(body, words, 720, 172)


def where_it_happens() -> None:
    """How the place of a computation is found: committed operands first, then the default."""
    words = (
        "Where does an operation happen? If operands are committed, all to the same devices: there, and the result is "
        "committed. If they are committed to different devices: an error. If none is committed: on the default "
        "device, and the result is not committed."
    )
    body = box(10, 78, 150, ["operands that", "are committed?"], YELLOW)
    rows = (
        (10, "none", "on the default device", "the result is not committed"),
        (78, "all on the same", "there", "the result is committed"),
        (146, "on different ones", "ValueError", "nothing is moved silently"),
    )
    for y, when, where, then in rows:
        body += arrow(f"M160 101L318 {y + 22}") + f"<text x='322' y='{y + 27}'>{when}</text>"
        body += arrow(f"M450 {y + 22}H498") + box(500, y, 220, [where, then], LIGHT if y < 146 else GREY)
    show(body, words, 735, 202)


def grid(mesh: Any) -> None:
    """The devices of a mesh of two axes, as a grid with the names of the axes."""
    rows, columns = mesh.devices.shape
    first, second = mesh.axis_names
    words = (
        f"A mesh of {rows} by {columns} devices. Axis {first} goes down, with {rows} rows. Axis {second} goes to the "
        f"right, with {columns} columns. The rows hold the devices "
        + "; ".join(", ".join(str(d.id) for d in row) for row in mesh.devices)
        + "."
    )
    body = f"<text x='{100 + 45 * columns}' y='20' text-anchor='middle' fill='{BLUE}'>{second}</text>"
    body += f"<text x='16' y='{62 + 22 * rows}' fill='{BLUE}'>{first}</text>"
    for i, row in enumerate(mesh.devices):
        body += f"<text x='66' y='{64 + 44 * i}'>{i}</text>"
        body += "".join(box(90 + 90 * j, 44 + 44 * i, 76, [f"device {d.id}"], LIGHT) for j, d in enumerate(row))
    body += "".join(f"<text x='{128 + 90 * j}' y='38' text-anchor='middle'>{j}</text>" for j in range(columns))
    show(body, words, 110 + 90 * columns, 52 + 44 * rows)


def blocks(named: dict[str, Any], shape: tuple[int, int]) -> None:
    """For each sharding, a matrix of this shape, cut into the parts that devices hold; in each part, who holds it."""
    body, told = "", []
    wide, high, across = 216, 128, 262
    for k, (name, sharding) in enumerate(named.items()):
        held: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for device, index in sharding.devices_indices_map(shape).items():
            key = tuple(s.indices(n)[:2] for s, n in zip(index, shape, strict=True))
            held.setdefault(key, []).append(device.id)
        x0, y0 = 10 + across * (k % 3), 30 + 180 * (k // 3)
        body += f"<text x='{x0}' y='{y0 - 9}' font-weight='bold'>{name}</text>"
        for n, (((r0, r1), (c0, c1)), who) in enumerate(held.items()):
            x, y = x0 + wide * c0 / shape[1], y0 + high * r0 / shape[0]
            w, h = wide * (c1 - c0) / shape[1], high * (r1 - r0) / shape[0]
            body += (
                f"<rect x='{x:g}' y='{y:g}' width='{w:g}' height='{h:g}' fill='{FILLS[n % len(FILLS)]}' stroke='#333'/>"
            )
            body += _names(who, x + w / 2, y + h / 2, w)
        parts = "; ".join(f"rows {r0} to {r1 - 1}, columns {c0} to {c1 - 1}: {_and(who)}"
                          for ((r0, r1), (c0, c1)), who in held.items())  # fmt: skip
        told.append(f"{name}: {parts}.")
    words = f"Which devices hold which part of a matrix of {shape[0]} by {shape[1]}. {' '.join(told)}".replace("'", "")
    show(body, words, 10 + across * min(3, len(named)), 180 * -(-len(named) // 3))


def _names(who: Sequence[int], x: float, y: float, width: float) -> str:
    """The numbers of devices around a point, in as many lines as they need."""
    per = max(1, int(width // 20))
    lines = [" ".join(map(str, who[i : i + per])) for i in range(0, len(who), per)]
    top = y + 5 - 8 * (len(lines) - 1)
    return "".join(
        f"<text x='{x:g}' y='{top + 16 * i:g}' text-anchor='middle'>{line}</text>" for i, line in enumerate(lines)
    )


def _and(who: Sequence[int]) -> str:
    return f"device {who[0]}" if len(who) == 1 else f"devices {', '.join(map(str, who))}"
