"""How an array is divided, shown: a table with a cell for each part, in which stand the devices that hold it.

    visualize_array_sharding(x)

    ┌───────┬───────┐
    │ CPU 0 │ CPU 1 │
    ├───────┼───────┤
    │ CPU 2 │ CPU 3 │
    └───────┴───────┘

`inspect_array_sharding` hands the sharding to a function: inside of a program, when it is partitioned.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import Shape
from ..layer1_core.devices import Sharding, default_device, sharding_on
from ..layer1_core.primitive import Primitive, impl_rules
from ..layer1_core.tree import tree_map
from ..layer2_jit.lowering import CALLED
from ..layer2_jit.rules import lowering_rules
from ..layer3_control.effects import debug_effect
from ..layer4_grad.families import no_rule
from ..layer4_grad.jvp import jvp_rules
from ..layer4_grad.transpose import transpose_rules
from ..layer5_vmap.batching import batching_rules
from .moving import Part
from .named import NamedSharding
from .partitioning import Equation, partition_rules
from .spec import P
from .types import complete

# ---- inspect

inspect_sharding_p = Primitive("inspect_sharding")
inspect_sharding_p.multiple_results = True
inspect_sharding_p.effects = frozenset({debug_effect})
inspect_sharding_p.def_abstract_eval(lambda aval, *, callback: [])
complete.add(inspect_sharding_p)
lowering_rules[inspect_sharding_p] = CALLED
jvp_rules[inspect_sharding_p] = lambda primals, tangents, **params: (inspect_sharding_p.bind(*primals, **params), [])
no_rule(transpose_rules, "it shows a value, and has no results", inspect_sharding_p)
no_rule(batching_rules, "JAX has none: the array of one example is nowhere", inspect_sharding_p)


@inspect_sharding_p.def_impl
def _of_array(x: Any, *, callback: Callable[[Sharding], Any]) -> list[Any]:
    callback(getattr(x, "sharding", None) or sharding_on(default_device()))
    return []


@impl_rules.rule(inspect_sharding_p)
def _on_one_device(x: np.ndarray, *, callback: Callable[[Sharding], Any]) -> list[Any]:
    return _of_array(x, callback=callback)


@partition_rules.rule(inspect_sharding_p)
def _of_part(e: Equation) -> list[Part]:
    """It is called while the program is partitioned, and then no more."""
    e.params["callback"](NamedSharding(e.mesh, P(*e.parts[0].spec.partitions)))
    return []


def inspect_array_sharding(value: Any, *, callback: Callable[[Sharding], Any]) -> None:
    """Call `callback` with the sharding of each array of the tree `value`.

    Inside of `jit` that happens when the program is partitioned, so once for each way in which its arguments are
    divided; without a mesh, each time it is run.
    """
    tree_map(lambda x: inspect_sharding_p.bind(x, callback=callback), value)


# ---- visualize


def visualize_array_sharding(arr: Any, **options: Any) -> None:
    """Print how an array is divided: `visualize_sharding` of its shape and its sharding."""
    inspect_array_sharding(arr, callback=lambda sharding: visualize_sharding(arr.shape, sharding, **options))


def visualize_sharding(
    shape: Sequence[int], sharding: Sharding, *, use_color: bool = True, scale: float = 1.0, min_width: int = 9,
    max_width: int = 80, color_map: Any = None,
) -> None:  # fmt: skip
    """Print a table of the parts of an array of one or two axes, with the devices of each.

    The table has about the proportions of the array: 10 lines times `scale` high, no cell narrower than `min_width`
    characters, none wider than `max_width`. Colors are not drawn: `use_color` and `color_map` change nothing.
    Raises ValueError for other numbers of axes.
    """
    if len(shape) not in (1, 2):
        raise ValueError("`visualize_sharding` only works for shapes with 1 and 2 dimensions.")
    rows = _cells(tuple(shape), sharding)
    height = int(10 * scale)
    total = int(height * (shape[1] if len(shape) == 2 else 1) / shape[0])
    width = min(max(int(total / len(rows[0]) * 2.5), min_width), max_width)
    longest = max(len(text) for row in rows for text in row)
    inside = max(min(width - 2, (max_width - 1) // len(rows[0]) - 1), longest)
    lines = 1 if len(shape) == 1 else int(height / len(rows))
    print(_table(rows, inside, *divmod(max(lines - 2, 0), 2)))


def _cells(shape: Shape, sharding: Sharding) -> list[list[str]]:
    """What stands in each cell: the devices that hold this part."""
    holders: defaultdict[Any, list[int]] = defaultdict(list)
    for device, index in sharding.devices_indices_map(shape).items():
        place = tuple(s.indices(n)[0] for s, n in zip(index, shape, strict=True))
        holders[(0, *place)[-2:]].append(device.id)
    platform = next(iter(sharding.device_set)).platform.upper()
    text = {place: f"{platform} {','.join(map(str, sorted(ids)))}" for place, ids in holders.items()}
    below, beside = (sorted({place[d] for place in text}) for d in (0, 1))
    return [[text[i, j] for j in beside] for i in below]


def _table(rows: Sequence[Sequence[str]], width: int, half: int, rest: int) -> str:
    """The cells in frames; above each text `half` empty lines, below it `rest` more."""
    frame = lambda left, middle, right: left + middle.join(["─" * width] * len(rows[0])) + right
    line = lambda texts: "│" + "│".join(text.center(width) for text in texts) + "│"
    empty = line([""] * len(rows[0]))
    blocks = ["\n".join([empty] * half + [line(row)] + [empty] * (half + rest)) for row in rows]
    return "\n".join([frame("┌", "┬", "┐"), f"\n{frame('├', '┼', '┤')}\n".join(blocks), frame("└", "┴", "┘")])
