"""Places for boxes and arrows in layers from top to bottom, every arrow pointing down.

Layers by the longest path, an order in each layer by the mean place of the neighbours, and places that keep this
order and a distance while they come as near to the neighbours as they can.
Source: Sugiyama, Tagawa and Toda (1981), "Methods for visual understanding of hierarchical system structures".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

GAP, BETWEEN, SWEEPS = 26.0, 54.0, 16  # between neighbours, between layers; passes over all layers
THREAD = 9.0  # half of the room that an arrow takes where it passes a layer


@dataclass
class Node:
    """A box, or the piece of an arrow that passes a layer. `right` may be more than half the width: for a label."""

    left: float
    right: float
    height: float
    ins: Sequence[float] = ()  # where operands enter, from the middle
    outs: Sequence[float] = ()  # where results leave
    passing: bool = False
    pull: float = 1.0  # how much its neighbours want to stand above or below it
    layer: int = 0
    x: float = 0.0  # the middle
    y: float = 0.0  # the top
    floor: float = 0.0  # the bottom of the layer


@dataclass
class Link:
    """A piece of an arrow, from one layer to the next."""

    start: int
    out: int
    stop: int
    into: int
    routes: list[int] = field(default_factory=list)  # the arrows that it belongs to


@dataclass
class Layout:
    nodes: list[Node]
    links: list[Link]
    width: float
    height: float


Arrow = tuple[int, int, int, int]  # start, which result, stop, which operand


def arrange(nodes: list[Node], arrows: Sequence[Arrow], first: Sequence[int], last: Sequence[int]) -> Layout:
    """Places for `nodes`; those of `first` are in the top layer and those of `last` in the bottom one.

    The nodes are in an order in which every arrow points forward, those of `last` excepted, to which nothing is after.
    """
    assign_layers(nodes, arrows, first, last)
    nodes, links = with_passing(nodes, arrows)
    layers = [[i for i, n in enumerate(nodes) if n.layer == k] for k in range(1 + max(n.layer for n in nodes))]
    layers = [layer for layer in layers if layer]
    layers = ordered(nodes, links, layers)
    place_across(nodes, links, layers)
    height = place_down(nodes, layers)
    return Layout(nodes, links, max(n.x + n.right for n in nodes), height)


def assign_layers(nodes: list[Node], arrows: Sequence[Arrow], first: Sequence[int], last: Sequence[int]) -> None:
    """Each node one layer below the lowest that it reads. One that reads nothing stands right above its reader."""
    reads: dict[int, list[int]] = {i: [] for i in range(len(nodes))}
    readers: dict[int, list[int]] = {i: [] for i in range(len(nodes))}
    for start, _, stop, _ in arrows:
        reads[stop].append(start)
        readers[start].append(stop)
    for _ in nodes:  # until nothing moves: one round where the order is that of the program
        before = [n.layer for n in nodes]
        for i, node in enumerate(nodes):
            node.layer = max([nodes[r].layer + 1 for r in reads[i]], default=int(i not in first and bool(first)))
        if before == [n.layer for n in nodes]:
            break
    bottom = max(n.layer for n in nodes)
    for i, node in enumerate(nodes):
        if i in last:
            node.layer = bottom
        elif i not in first and not reads[i] and readers[i]:
            node.layer = min(nodes[r].layer for r in readers[i]) - 1


def with_passing(nodes: list[Node], arrows: Sequence[Arrow]) -> tuple[list[Node], list[Link]]:
    """Long arrows cut at the layers that they pass. Those that start together run together as far as they can."""
    nodes = list(nodes)
    links: dict[tuple[int, int, int, int], list[int]] = {}
    passing: dict[tuple[int, int, int], int] = {}
    for route, (start, out, stop, into) in enumerate(arrows):
        at, leaves = start, out
        for layer in range(nodes[start].layer + 1, nodes[stop].layer):
            key = (start, out, layer)
            if key not in passing:
                passing[key] = len(nodes)
                nodes.append(Node(THREAD, THREAD, 0, (0.0,), (0.0,), True, 0.3, layer))
            links.setdefault((at, leaves, passing[key], 0), []).append(route)
            at, leaves = passing[key], 0
        links.setdefault((at, leaves, stop, into), []).append(route)
    return nodes, [Link(*ends, routes) for ends, routes in links.items()]


# ---- the order in a layer


def ordered(nodes: list[Node], links: Sequence[Link], layers: list[list[int]]) -> list[list[int]]:
    """The order with the fewest crossings among those that the sweeps, down and up in turn, come by."""
    best, fewest = layers, crossings(nodes, links, layers)
    for sweep in range(SWEEPS):
        layers = swept(nodes, links, layers, down=sweep % 2 == 0)
        count = crossings(nodes, links, layers)
        if count < fewest:
            best, fewest = layers, count
    return best


def swept(nodes: list[Node], links: Sequence[Link], layers: list[list[int]], down: bool) -> list[list[int]]:
    """Each layer sorted by the mean rank of the neighbours in the layer that was sorted before it."""
    rank = {i: float(k) for layer in layers for k, i in enumerate(layer)}
    found: list[list[int]] = []
    for layer in layers if down else layers[::-1]:
        means = {i: mean(neighbour_ranks(nodes, links, rank, i, down), rank[i]) for i in layer}
        found.append(sorted(layer, key=means.__getitem__))
        rank.update({i: float(k) for k, i in enumerate(found[-1])})
    return found if down else found[::-1]


def neighbour_ranks(
    nodes: list[Node], links: Sequence[Link], rank: dict[int, float], i: int, down: bool
) -> list[float]:
    """Ranks of the neighbours above or below, moved a little towards the port that the arrow uses."""
    if down:
        return [rank[e.start] + shift(nodes[e.start].outs, e.out) for e in links if e.stop == i]
    return [rank[e.stop] + shift(nodes[e.stop].ins, e.into) for e in links if e.start == i]


def shift(ports: Sequence[float], port: int) -> float:
    return (port + 1) / (len(ports) + 1) - 0.5


def crossings(nodes: list[Node], links: Sequence[Link], layers: list[list[int]]) -> int:
    rank = {i: k for layer in layers for k, i in enumerate(layer)}
    between: dict[int, list[tuple[float, float]]] = {}
    for e in links:
        top, bottom = rank[e.start] + shift(nodes[e.start].outs, e.out), rank[e.stop] + shift(nodes[e.stop].ins, e.into)
        between.setdefault(nodes[e.start].layer, []).append((top, bottom))
    return sum(
        (a[0] - b[0]) * (a[1] - b[1]) < 0 for ends in between.values() for k, a in enumerate(ends) for b in ends[:k]
    )


# ---- places


def place_across(nodes: list[Node], links: Sequence[Link], layers: list[list[int]]) -> None:
    """x of every node: near its neighbours above, then below, and so on; the leftmost edge is at 0."""
    for layer in layers:
        spread(nodes, layer, lambda i: nodes[i].x)
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else layers[::-1]:
            spread(nodes, layer, lambda i: wanted(nodes, links, i))
    left = min(n.x - n.left for n in nodes)
    for node in nodes:
        node.x -= left


def wanted(nodes: list[Node], links: Sequence[Link], i: int) -> float:
    """The x at which the arrows of a node would be straight, on the mean.

    A passing piece stays below its source, and does not pull at boxes much: long arrows are straight where they can.
    """
    above = [
        (nodes[e.start].x + nodes[e.start].outs[e.out] - nodes[i].ins[e.into], e.start) for e in links if e.stop == i
    ]
    if nodes[i].passing:
        return above[0][0]
    below = [
        (nodes[e.stop].x + nodes[e.stop].ins[e.into] - nodes[i].outs[e.out], e.stop) for e in links if e.start == i
    ]
    wishes = [(x, nodes[k].pull) for x, k in above + below]
    return sum(x * w for x, w in wishes) / sum(w for _, w in wishes) if wishes else nodes[i].x


def spread(nodes: list[Node], layer: list[int], wish: Callable[[int], float]) -> None:
    """The places nearest to the wishes (least squares) that keep the order and the distances.

    Measured from where each would stand if they were packed, wishes may only rise: so neighbours whose wishes fall
    are pooled to their mean.
    """
    packed, at = [], 0.0
    for k, i in enumerate(layer):
        at += nodes[i].left + (nodes[layer[k - 1]].right + GAP if k else 0.0)
        packed.append(at)
    pools: list[list[float]] = []
    for k, i in enumerate(layer):
        pools.append([wish(i) - packed[k]])
        while len(pools) > 1 and mean(pools[-2]) > mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    shifts = [mean(pool) for pool in pools for _ in pool]
    for k, i in enumerate(layer):
        nodes[i].x = packed[k] + shifts[k]


def place_down(nodes: list[Node], layers: list[list[int]]) -> float:
    """y of every node, the tops of a layer in one line, the bottoms of those that read nothing; the height of all."""
    y = 0.0
    for layer in layers:
        tall = max(nodes[i].height for i in layer)
        for node in (nodes[i] for i in layer):
            node.height = tall if node.passing else node.height
            node.y, node.floor = y + (0 if node.ins else tall - node.height), y + tall
        y += tall + BETWEEN
    return y - BETWEEN


def mean(numbers: Sequence[float], default: float = 0.0) -> float:
    return sum(numbers) / len(numbers) if numbers else default
