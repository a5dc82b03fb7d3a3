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
    body = f"<rect x='10' y='10' width='330' height='150' rx='6' fill='{GREY}' stroke='#333'/>"
    for k, (name, what) in enumerate(
        (("aval", "float32[8,4]"), ("_arrays", "a list of buffers"), ("_sharding", "which device, which part"),
         ("_committed", "True or False"))
    ):  # fmt: skip
        y = 40 + 34 * k
        body += f"<text x='24' y='{y}' font-weight='bold'>{name}</text><text x='130' y='{y}'>{what}</text>"
    for k in range(2):
        y = 20 + 76 * k
        body += f"<rect x='470' y='{y}' width='240' height='62' rx='6' fill='white' stroke='#333'/>"
        body += f"<text x='640' y='{y + 36}'>device {k}</text>" + box(490, y + 16, 125, ["a buffer"], YELLOW)
        body += arrow(f"M340 {69}L488 {y + 31}")
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
    show(body, words, 785, 52 + 44 * rows)


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


# ---- 7c


def apart_and_together() -> None:
    """What shard_map does: the array is taken apart, the function runs on each device, the results are put together."""
    words = (
        "shard_map with in_specs P(x) and out_specs P(x), on four devices. The array is taken apart into four parts. "
        "The function runs on each device, on the part that is there. Its four results are put together to one array."
    )
    body = "<text x='10' y='24' font-weight='bold'>the array</text>"
    body += "<text x='230' y='24' font-weight='bold'>parts</text>"
    body += "<text x='400' y='24' font-weight='bold'>on each device</text>"
    body += "<text x='640' y='24' font-weight='bold'>the result</text>"
    for k in range(4):
        y = 40 + 44 * k
        body += _strip(10, 76 + 26 * k, 80, FILLS[k], f"{2 * k} {2 * k + 1}")
        body += arrow(f"M92 {89 + 26 * k}L226 {y + 15}") + _strip(230, y + 2, 80, FILLS[k], f"{2 * k} {2 * k + 1}")
        body += (
            arrow(f"M310 {y + 15}H398")
            + box(400, y, 130, [f"f on device {k}"], GREY)
            + arrow(f"M530 {y + 15}L636 {89 + 26 * k}")
        )
        body += _strip(640, 76 + 26 * k, 80, FILLS[k], "")
    body += "<text x='116' y='232'>in_specs</text><text x='555' y='232'>out_specs</text>"
    show(body, words, 735, 244)


def _strip(x: int, y: int, width: int, fill: str, text: str) -> str:
    return (
        f"<rect x='{x}' y='{y}' width='{width}' height='26' fill='{fill}' stroke='#333'/>"
        f"<text x='{x + width / 2:g}' y='{y + 18}' text-anchor='middle'>{text}</text>"
    )


def collectives() -> None:
    """What four devices have, and what each of them gets from five collectives."""
    words = (
        "Four devices have a0 a1 a2 a3, b0 b1 b2 b3, c0 c1 c2 c3 and d0 d1 d2 d3. psum: each gets the sums of all, s0 "
        "to s3. psum_scatter: the first gets s0, the second s1, the third s2, the fourth s3. all_gather: each gets all "
        "that all have, a b c d. ppermute around the ring: the first gets d, the second a, the third b, the fourth c. "
        "all_to_all: the first gets a0 b0 c0 d0, the second a1 b1 c1 d1, and so on: rows become columns."
    )
    rows = "abcd"
    columns = {
        "before": [" ".join(f"{r}{i}" for i in range(4)) for r in rows],
        "psum": ["s0 s1 s2 s3"] * 4,
        "psum_scatter": [f"s{i}" for i in range(4)],
        "all_gather": ["a.. b.. c.. d.."] * 4,
        "ppermute": [" ".join(f"{r}{i}" for i in range(4)) for r in "dabc"],
        "all_to_all": [" ".join(f"{r}{i}" for r in rows) for i in range(4)],
    }
    body = "".join(f"<text x='8' y='{60 + 40 * i}'>device {i}</text>" for i in range(4))
    for k, (name, values) in enumerate(columns.items()):
        x = 80 + 128 * k
        body += f"<text x='{x + 58}' y='28' text-anchor='middle' font-weight='bold'>{name}</text>"
        for i, value in enumerate(values):
            own = {"before": i, "ppermute": (i - 1) % 4}.get(name)
            fill = FILLS[own] if own is not None else "white"
            body += _strip(x, 42 + 40 * i, 116, fill, value)
    body += "<text x='80' y='222'>s0 = a0 + b0 + c0 + d0, and so on</text>"
    show(body, words, 850, 234)


def varying() -> None:
    """Two kinds of values on the devices, and what leads from one to the other."""
    words = (
        "Two kinds of values. A value that varies along x: each device has its own; its type shows V:x. A value that "
        "does not: all have the same. pvary leads from the second to the first, and moves nothing. A psum leads from "
        "the first to the second: the sum is the same for all. For derivatives each is the transpose of the other."
    )
    body = "<text x='30' y='24' font-weight='bold'>varies: f32[2]{V:x}</text>"
    body += "<text x='560' y='24' font-weight='bold'>does not: f32[2]</text>"
    for k in range(4):
        body += _strip(30, 38 + 34 * k, 130, FILLS[k], f"device {k}: its own")
        body += _strip(560, 38 + 34 * k, 150, LIGHT, f"device {k}: the same")
    body += arrow("M170 72H548") + "<text x='359' y='64' text-anchor='middle'>psum: they are added</text>"
    body += arrow("M548 128H170", f"stroke='{BLUE}'")
    body += f"<text x='359' y='148' text-anchor='middle' fill='{BLUE}'>pvary: nothing is moved</text>"
    show(body, words, 720, 184)


# ---- 7b


def products() -> None:
    """Three products of matrices: which axis is divided, and what each device has afterwards."""
    words = (
        "Three products a @ b, of M by K and K by N. First: a is divided along M, b along N. Each device has its rows "
        "and its columns, and the result is divided along both. Second: K is divided in a, and b is whole. Each device "
        "takes its part of b, and the sum goes to all. Third: K is divided in both, alike. Each device has a summand "
        "of the product, and it has to be said where the sum goes."
    )
    body = ""
    cases = (
        ("neither divides K", (2, 1), (1, 2), "divided along both"),
        ("one of them does", (1, 2), (1, 1), "whole on each device"),
        ("both do, alike", (1, 2), (2, 1), "summands: say where"),
    )
    for k, (name, left, right, told) in enumerate(cases):
        x = 14 + 270 * k
        body += f"<text x='{x}' y='24' font-weight='bold'>{name}</text>"
        body += _cut_matrix(x, 48, 56, 64, *left) + f"<text x='{x + 68}' y='84'>@</text>"
        body += _cut_matrix(x + 92, 48, 64, 56, *right)
        body += f"<text x='{x + 20}' y='132'>a</text><text x='{x + 118}' y='132'>b</text>"
        body += arrow(f"M{x + 164} 78H{x + 186}") + f"<text x='{x}' y='160'>{told}</text>"
        body += _cut_matrix(x + 190, 48, 56, 56, left[0], right[1])
    show(body, words, 810, 172)


def _cut_matrix(x: int, y: int, width: int, height: int, rows: int, columns: int) -> str:
    """A matrix, cut into so many rows and columns of parts."""
    w, h = width // columns, height // rows
    return "".join(
        f"<rect x='{x + w * j}' y='{y + h * i}' width='{w}' height='{h}' fill='{FILLS[i + j]}' stroke='#333'/>"
        for i in range(rows)
        for j in range(columns)
    )
