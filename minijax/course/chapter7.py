"""The exercises of chapter 7, sharding: what they need, hints, known mistakes. Some are in chapter7_programs.py."""

from .chapter7_cases import PLACED, holder_cases, move_cases, names, picture_cases, place_cases, product_cases
from .chapter7_programs import ATTENTION, GRADIENT, LAYERS, RING
from .exercise import Exercise, Mistake

TITLE = "sharding"

_PLACE = "place_told(placement, [{}], device(0))"
PLACE = Exercise(
    "7.1", "where is the result?", "placement", 1, 10, "07a, section 4",
    hints=(
        "Only committed arrays have a say: `x.committed`. Collect the set of devices of each of them. Numbers of "
        "Python's have no such attribute; isinstance(x, jax.Array) tells them apart.",
        "If there are none, the result goes to the default device and is as uncommitted as its operands. If there are "
        "some, all of their sets must be equal.",
        "Compare each set with the first one, and raise where one differs. Then the first set is where the result is, "
        "and the result is committed, too.",
    ),
    cases=place_cases,
    mistakes=(
        Mistake(
            "an array that is somewhere is committed",
            "Every array is on some device. Committed are those that somebody has put there, by naming the device. The "
            "others move to where they are needed.",
            f"str({_PLACE.format('x, at_1')}).startswith('ValueError')",
            PLACED,
        ),
        Mistake(
            "the first operand says where",
            "The first one may be uncommitted. The order of operands does not matter: ask the committed ones.",
            f"{_PLACE.format('x, at_1')} == ([0], False)",
            PLACED,
        ),
        Mistake(
            "others are moved to where the first committed one is",
            "Committed means: it stays there. What is committed to two places is an error, and no silent copy.",
            f"{_PLACE.format('at_1, at_2')} == ([1], True)",
            PLACED,
        ),
        Mistake(
            "every result is committed",
            "A result of uncommitted operands has been put nowhere by anybody, so it is uncommitted as well.",
            f"{_PLACE.format('x')} == ([0], True)",
            PLACED,
        ),
    ),
    names=names,
)  # fmt: skip

_ON_GRID = "mesh = auto_mesh(x=2, y=4)"
HOLDERS = Exercise(
    "7.2", "who has this element?", "holders", 2, 20, "07a, section 8",
    hints=(
        "First find the block: along an axis of size n in p blocks, element i is in block i // (n // p). p is the "
        "product of the sizes of the mesh axes in the entry; `axes_of` gives these as a tuple, also for None.",
        "The number of the block is a number whose digits are the coordinates along the axes of the entry, the first "
        "of them the highest digit. So take the digits from the last one on, by divmod with the size of the mesh "
        "axis.",
        "A device is a holder if its coordinates agree with the ones that you have found. Along mesh axes of which the "
        "spec says nothing, all do. itertools.product of the ranges of the mesh's sizes gives the devices in order.",
    ),
    cases=holder_cases,
    mistakes=(
        Mistake(
            "the last name divides most coarsely",
            "In P(('x', 'y')) the axis is first cut along x, and each part along y. So y is the digit that changes "
            "first.",
            "holders((1,), (8,), P(('x', 'y')), mesh) == [4]",
            _ON_GRID,
            explains=('P((',),
        ),
        Mistake(
            "one device has it",
            "Along a mesh axis that the spec does not name, all devices hold the same. All of them are holders.",
            "holders((0,), (8,), P('y'), mesh) == [0]",
            _ON_GRID,
        ),
        Mistake(
            "elements are dealt out one by one",
            "A part is a block of neighbours: elements 0 and 1 of 8 are on the first of four devices, and not on two.",
            "holders((1,), (8,), P('y'), mesh) == [1, 5]",
            _ON_GRID,
        ),
        Mistake(
            "devices are counted along the first mesh axis",
            "Devices are in the order of the mesh, row after row: with the sizes 2 and 4, the neighbour along y has "
            "the next number.",
            "holders((0,), (8,), P('y'), mesh) == [0, 1]",
            _ON_GRID,
            explains=("y=",),
        ),
    ),
    names=names,
)  # fmt: skip

PICTURE = Exercise(
    "7.3", "a spec from a picture", "spec_of", 3, 25, "07a, section 8",
    hints=(
        "Look at one axis of the array, and at the device next to device 0 along each axis of the mesh. Where it holds "
        "block 0 as well, that mesh axis does not divide the axis. Where not, it does.",
        "A mesh axis that comes later in the entry divides more finely: a step along it leads to a nearer block. So "
        "sort the mesh axes by how far the step leads, the farthest first.",
        "Then make the picture that belongs to your entry, and compare: it is the number with the coordinates, "
        "np.indices(mesh shape), as digits. Where the pictures differ, no spec does it. And no mesh axis may divide "
        "two axes.",
    ),
    cases=picture_cases,
    mistakes=(
        Mistake(
            "the finest comes first",
            "The first name in a tuple divides most coarsely: a step along it leads over the most blocks.",
            "spec_of([np.array([[0, 1], [2, 3]])], ('x', 'y')) == P(('y', 'x'))",
            explains=('P(("', '("y", "x")', '("z", "x")', "[[0, 2], [1, 3]]"),
        ),
        Mistake(
            "a mesh axis of the right size",
            "How many blocks there are does not tell along which axis of the mesh they lie. Look where the numbers "
            "change.",
            "spec_of([np.array([[0, 1], [0, 1]])], ('x', 'y')) == P('x')",
        ),
        Mistake(
            "a picture that no spec makes",
            "Some pictures look like one at the first devices. Compare all of them before you say that a spec makes "
            "it.",
            "spec_of([np.array([0, 1, 3, 2])], ('x',)) == P('x')",
            explains=("[np.array(held)",),
        ),
        Mistake(
            "one mesh axis for two axes",
            "Then the devices hold the blocks on the diagonal, and nobody has the others. A spec may name a mesh axis "
            "once.",
            "spec_of([np.array([0, 1])] * 2, ('x',)) == P('x', 'x')",
            explains=("[0, 1], [0, 1]", "[[0, 0], [1, 1]]"),
        ),
    ),
    names=names,
)  # fmt: skip

_TYPE = "einsum_type(product_entries, {}, mesh, {}, {})"
_TYPED = "mesh = explicit_mesh(x=2, y=2)"
PRODUCT = Exercise(
    "7.4", "the sharding rule of all products", "product_entries", 2, 20, "07b, section 6",
    hints=(
        "Take the letters apart: what stands before `->`, at the comma; and what stands behind it. Then go through the "
        "letters, and collect for each the entries that are not None: there are none, one or two of them.",
        "Two entries that differ: nobody knows how such a product is computed without moving data. Two that are equal, "
        "for a letter that is not in the result: each device has a sum over its part only. Both are errors.",
        "In all other cases the letter has the entry that you have found, or None. The result has the entries of its "
        "letters. What a summed letter has does not matter any more.",
    ),
    cases=product_cases,
    mistakes=(
        Mistake(
            "the right operand is not asked",
            "An axis that only the right operand divides can be divided in the result, too: each device takes its "
            "part of the left one, which it has.",
            f"{_TYPE.format(repr('i,i->i'), 'P(None)', 'B')} == 'float32[8]'",
            f"{_TYPED}\nB = P('y')",
        ),
        Mistake(
            "who comes first is right",
            "Where the operands are divided in two ways, one of them would have to be moved. Types never move anything "
            "silently: it is an error.",
            f"{_TYPE.format(repr('i,i->i'), 'A', 'B')} == 'float32[8@x]'",
            f"{_TYPED}\nA, B = P('x'), P('y')",
        ),
        Mistake(
            "sums are complete",
            "Where both operands divide the summed axis, each device sums over its own part. The sum over all devices "
            "is a collective, and the types have to say where its result is to be.",
            f"{_TYPE.format(repr('i,i->'), 'A', 'A')} == 'float32[]'",
            f"{_TYPED}\nA = P('x')",
        ),
        Mistake(
            "a summed axis must be whole",
            "If one operand has the axis as a whole, no product of two divided axes is summed. JAX's types let that "
            "pass, and the result is whole.",
            f"{_TYPE.format(repr('i,i->'), 'A', 'P(None)')} == 'ShardingTypeError'",
            f"{_TYPED}\nA = P('x')",
        ),
    ),
    names=names,
)  # fmt: skip

MOVES = Exercise(
    "7.5", "what has to be moved", "bytes_moved", 2, 15, "07b, section 7",
    hints=(
        "Each device needs all elements of its new part, and has those of its old part. So it receives the elements of "
        "the new part that are not in the old one.",
        "Parts are boxes. What two boxes have in common is a box: along each axis it begins at the larger start and "
        "ends at the smaller stop.",
        "Where the smaller stop is not behind the larger start, there is nothing in common. Let the length along that "
        "axis be 0 then, and not negative. math.prod multiplies the lengths.",
    ),
    cases=move_cases,
    mistakes=(
        Mistake(
            "all of the new part is moved",
            "What a device holds already does not travel.",
            "bytes_moved([((0, 2),)], [((0, 2),)], 1) == 2",
        ),
        Mistake(
            "what leaves a device is counted",
            "A device that forgets something does not need to send it anywhere: others may have it. Count what comes "
            "in.",
            "bytes_moved([((0, 2),)], [((0, 1),)], 1) == 1",
        ),
        Mistake(
            "two negative lengths make a common part",
            "Where parts have nothing in common along an axis, the length along it is 0. Two negative ones, "
            "multiplied, look like a part.",
            "bytes_moved([((0, 1), (0, 1))], [((2, 3), (2, 3))], 1) == 0",
            explains=("(4, 4)", "(8, 8)", "(2, 2)", "(4, 2, 4)"),
        ),
        Mistake(
            "each part is sent once",
            "If two devices need the same part, each of them receives it.",
            "bytes_moved([((0, 1),), ((0, 1),)], [((1, 2),), ((1, 2),)], 1) == 1",
        ),
    ),
    names=names,
)  # fmt: skip

EXERCISES = (PLACE, HOLDERS, PICTURE, PRODUCT, MOVES, LAYERS, RING, GRADIENT, ATTENTION)
