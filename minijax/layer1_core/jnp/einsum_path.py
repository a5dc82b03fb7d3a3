"""In which order einsum contracts its operands: the one with the fewest multiplications, or a good guess at it.

A path is a list of steps; a step names the positions of the operands that it takes out, and its result goes to the end.
Source: D. Smith and J. Gray, "opt_einsum", Journal of Open Source Software 3(26), 2018.
"""

import functools
import heapq
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from .einsum_parsing import Subscripts, parse, shape_of, split_arguments

Names = frozenset[str]
Path = list[tuple[int, ...]]


class Network(NamedTuple):
    """What is to be contracted: the axis names of each operand, those of the result, and the sizes."""

    inputs: tuple[Names, ...]
    output: Names
    sizes: dict[str, int]

    def size(self, names: Iterable[str]) -> int:
        return math.prod(self.sizes[c] for c in names)

    def flops(self, names: Collection[str], inner: bool, terms: int) -> int:
        """Operations for all places of `names`: terms - 1 multiplications, and an addition where axes are summed."""
        return self.size(names) * (max(1, terms - 1) + inner)

    def contract(self, inputs: Sequence[Names], i: int, j: int, others: Iterable[int]) -> tuple[Names, int]:
        """The names that are left of operands i and j together, and what contracting them costs."""
        either, shared = inputs[i] | inputs[j], inputs[i] & inputs[j]
        keep = self.output.union(*(inputs[k] for k in others if k not in (i, j)))
        return either & keep, self.flops(either, bool(shared - keep), 2)


# ---- searches: each gives pairs of ids, where a result gets the next free id


class OptimalSearch:
    """Every order, except those that are already worse than the best one found."""

    def __init__(self, network: Network):
        self.network, self.best, self.path = network, math.inf, []

    def run(self) -> list[tuple[int, int]]:
        inputs = self.network.inputs
        self._search([], inputs, set(range(len(inputs))), 0)
        return self.path

    def _search(self, path: list[tuple[int, int]], inputs: tuple[Names, ...], remaining: set[int], flops: int) -> None:
        if len(remaining) == 1:
            self.best, self.path = flops, path
            return
        for i, j in map(sorted, itertools.combinations(remaining, 2)):
            left, cost = self.network.contract(inputs, i, j, remaining)
            if flops + cost < self.best:
                self._search([*path, (i, j)], (*inputs, left), remaining - {i, j} | {len(inputs)}, flops + cost)


class BranchSearch:
    """At each step only the `branches` pairs that free the most memory, pairs with a common axis first.

    An order that has become four times worse than the best one of its length is given up.
    """

    def __init__(self, network: Network, branches: int | None):
        self.network, self.branches = network, branches
        self.best: tuple[float, float] = (math.inf, math.inf)  # operations, and the largest intermediate result
        self.path: list[tuple[int, int]] = []
        self.progress: dict[int, float] = defaultdict(lambda: math.inf)

    def run(self) -> list[tuple[int, int]]:
        inputs = self.network.inputs
        self._search([], inputs, set(range(len(inputs))), (0, 0))
        return self.path

    def _search(
        self, path: list[tuple[int, int]], inputs: tuple[Names, ...], remaining: set[int], spent: tuple[int, int]
    ) -> None:
        if len(remaining) == 1:
            self.best, self.path = spent, path
            return
        pairs = [tuple(sorted(pair)) for pair in itertools.combinations(remaining, 2)]
        joined = [(i, j) for i, j in pairs if inputs[i] & inputs[j]]
        found = self._candidates(joined, inputs, remaining, spent) or self._candidates(pairs, inputs, remaining, spent)
        for _, _, flops, size, (i, j), left in heapq.nsmallest(self.branches or len(found), found, key=lambda c: c[:5]):
            self._search([*path, (i, j)], (*inputs, left), remaining - {i, j} | {len(inputs)}, (flops, size))

    def _candidates(
        self, pairs: Any, inputs: tuple[Names, ...], remaining: set[int], spent: tuple[int, int]
    ) -> list[Any]:
        """(memory freed, cost, operations so far, largest so far, pair, names left) of the pairs worth trying."""
        out = []
        for i, j in pairs:
            left, cost = self.network.contract(inputs, i, j, remaining)
            size = self.network.size(left)
            flops, largest = spent[0] + cost, max(spent[1], size)
            if (flops, largest) >= self.best or flops > 4 * self.progress[len(inputs)]:
                continue
            self.progress[len(inputs)] = min(flops, self.progress[len(inputs)])
            freed = size - self.network.size(inputs[i]) - self.network.size(inputs[j])
            out.append((freed, cost, flops, largest, (i, j), left))
        return out


class GreedySearch:
    """Always the pair with a common axis whose result is smallest against its operands; then outer products."""

    def __init__(self, network: Network):
        self.network = network

    def run(self) -> list[tuple[int, int]]:
        inputs, path = list(self.network.inputs), []
        remaining = set(range(len(inputs)))
        while len(remaining) > 1:
            *_, j, i = min(self._prices(inputs, remaining))
            inputs.append(self.network.contract(inputs, i, j, remaining)[0])
            remaining = remaining - {i, j} | {len(inputs) - 1}
            path.append((i, j))
        return path

    def _prices(self, inputs: list[Names], remaining: set[int]) -> Iterable[tuple[bool, int, int, int]]:
        for i, j in itertools.combinations(sorted(remaining), 2):
            left, _ = self.network.contract(inputs, i, j, remaining)
            sizes = [self.network.size(names) for names in (left, inputs[i], inputs[j])]
            yield not (inputs[i] & inputs[j]), sizes[0] - sizes[1] - sizes[2], j, i


_SEARCHES: dict[str, Callable[[Network], Any]] = {
    "optimal": OptimalSearch,
    "branch-all": functools.partial(BranchSearch, branches=None),
    "branch-2": functools.partial(BranchSearch, branches=2),
    "branch-1": functools.partial(BranchSearch, branches=1),
    "greedy": GreedySearch, "eager": GreedySearch, "opportunistic": GreedySearch,
    "dp": OptimalSearch, "dynamic-programming": OptimalSearch,
}  # fmt: skip


def _search_for(how: str, count: int) -> Callable[[Network], Any]:
    if how in ("auto", "auto-hq"):  # the more operands, the rougher the search
        limits = [(4, "optimal"), (6, "branch-all"), (8, "branch-2"), (14, "branch-1")]
        how = next((name for limit, name in limits if count <= limit), "greedy")
    if how.lower() not in _SEARCHES:
        options = {"auto", "auto-hq", *_SEARCHES}
        raise KeyError(f"Path optimizer '{how}' not found, valid options are {options}.")
    return _SEARCHES[how.lower()]


def find_path(subscripts: Subscripts, optimize: Any) -> Path:
    """The steps in which to contract. `optimize` is the name of a search, False (left to right), or a path itself."""
    count = len(subscripts.inputs)
    if optimize is False:
        return [(0, 1)] * (count - 1) if count > 2 else [tuple(range(count))]
    if not isinstance(optimize, (str, bool, type(None))):
        return [tuple(step) for step in optimize if not isinstance(step, str)]
    if count <= 2:
        return [tuple(range(count))]
    network = Network(tuple(map(frozenset, subscripts.inputs)), frozenset(subscripts.output), dict(subscripts.sizes))
    return _positions(_search_for("optimal" if optimize is True else optimize or "auto", count)(network).run(), count)


def _positions(pairs: list[tuple[int, int]], count: int) -> Path:
    """Steps by position in the shrinking list of operands, from steps by id."""
    ids, path = list(range(count)), []
    for new, pair in enumerate(pairs, count):
        step = sorted(map(ids.index, pair))
        for position in reversed(step):
            ids.pop(position)
        ids.append(new)
        path.append(tuple(step))
    return path


# ---- the steps spelled out


class Contraction(NamedTuple):
    """One step: which operands, which names are summed away, and its own subscripts."""

    positions: tuple[int, ...]  # descending: they are popped in this order
    removed: Names
    inputs: tuple[str, ...]
    output: str
    remaining: tuple[str, ...]  # the operands after this step
    names: Names  # all that occur in it


def contractions_of(subscripts: Subscripts, path: Path) -> list[Contraction]:
    """Each step of `path` with its subscripts. The last one's result has the axes in the order asked for."""
    inputs, steps = list(subscripts.inputs), []
    for n, step in enumerate(path, 1):
        positions = tuple(sorted(step, reverse=True))
        taken = tuple(inputs.pop(i) for i in positions)
        letters = "".join(taken)
        names, kept = frozenset(letters), frozenset(letters) & frozenset(subscripts.output).union(*inputs)
        output = subscripts.output if n == len(path) else "".join(sorted(kept, key=letters.find))
        inputs.append(output)
        steps.append(Contraction(positions, names - kept, taken, output, tuple(inputs), names))
    return steps


def einsum_path(subscripts: Any, /, *operands: Any, optimize: Any = "auto") -> tuple[Path, Any]:
    """The order in which einsum would contract `operands`, and an account of its cost that can be printed."""
    text, arrays = split_arguments((subscripts, *operands))
    parsed = parse(text, [shape_of(x) for x in arrays])
    path = find_path(parsed, optimize)
    return path, PathInfo(parsed, path)


class PathInfo:
    """What a contraction path costs, step by step."""

    def __init__(self, subscripts: Subscripts, path: Path):
        self.path, self.eq = path, str(subscripts)
        self.steps = contractions_of(subscripts, path)
        self.sizes = dict(subscripts.sizes)
        network = Network((), frozenset(), self.sizes)
        inner = sum(len(set(x)) for x in subscripts.inputs) > len(self.sizes)
        self.naive_cost = Decimal(network.flops(self.sizes, inner, len(subscripts.inputs)))
        costs = [network.flops(s.names, bool(s.removed), len(s.inputs)) for s in self.steps]
        self.opt_cost = Decimal(sum(costs))
        self.speedup = self.naive_cost / max(self.opt_cost, Decimal(1))
        self.largest_intermediate = Decimal(max((network.size(s.output) for s in self.steps), default=1))

    def __repr__(self) -> str:
        scaling = max((len(s.names) for s in self.steps), default=0)
        lines = [
            f"  Complete contraction:  {self.eq}",
            f"         Naive scaling:  {len(self.sizes)}",
            f"     Optimized scaling:  {scaling}",
            f"      Naive FLOP count:  {self.naive_cost:.3e}",
            f"  Optimized FLOP count:  {self.opt_cost:.3e}",
            f"   Theoretical speedup:  {self.speedup:.3e}",
            f"  Largest intermediate:  {self.largest_intermediate:.3e} elements",
            "-" * 80,
            "{:>6} {:>11} {:>22} {:>37}".format("scaling", "BLAS", "current", "remaining"),
            "-" * 80,
        ]
        return "\n".join(lines + [self._line(step) for step in self.steps])

    def _line(self, step: Contraction) -> str:
        current = f"{','.join(step.inputs)}->{step.output}"
        rest = f"{','.join(step.remaining)}->{self.eq.split('->')[1]}" if len(step.remaining) <= 20 else "..."
        width = max(0, 56 - max(22, len(current)))
        return f"{len(step.names):>4} {blas_kind(step):>14} {current:>22}    {rest:>{width}}"


def blas_kind(step: Contraction) -> str | bool:
    """The name of the BLAS routine that could do this step, False where none can."""
    if len(step.inputs) != 2:
        return False
    left, right = step.inputs
    for c in set(left + right):
        counts = left.count(c), right.count(c)
        if max(counts) > 1 or sum(counts) - 1 == (c in step.output):
            return False
    n = len(step.removed)
    if not n:
        return "OUTER/EINSUM"
    if set(left) == set(right):
        return "DOT" if left == right else "DOT/EINSUM"
    if {left[-n:], left[:n]} & {right[-n:], right[:n]}:
        return "GEMM"
    return "GEMV/EINSUM" if step.removed in (set(left), set(right)) else "TDOT"
