"""Run a program once, operation by operation, and note what becomes of its keys.

A key is known by its words. So it is followed through whatever moves it: indexing, loops, arguments of functions.
"""

import linecache
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np

from .batch_call import words_of_error
from .compilation import title
from .figure import package_module
from .key_recording import CLONE, DRAW, FOLD, SEED, SPLIT, Recording, Step

LIMIT, KEPT = 200, 64  # steps after which a program is stopped; keys of one operation that are kept
MADE = {"random_seed": SEED, "random_wrap": SEED, "random_split": SPLIT, "random_fold_in": FOLD, "random_clone": CLONE}
NAMES = ("scan", "while", "cond")


class Stopped(Exception):
    """The limit of steps was reached."""


def recorded(fun: Any, args: Sequence[Any]) -> Recording:
    """The steps of a function at these arguments. What it raises is told in the recording.

    Raises TypeError where `fun` is no function.
    """
    if not callable(fun):
        raise TypeError(
            f"key_tree shows a function with its arguments, or a key, and this is {fun!r}: give it f, not f(x)"
        )
    found = Recording(title(fun))
    try:
        with uses_allowed():
            jaxpr = package_module("layer1_core.staging").make_jaxpr(fun)(*args)
            Runner(found).program(jaxpr, package_module("layer1_core.tree").tree_leaves(args))
    except Stopped:
        found.problem = f"The function does more than {LIMIT} operations on keys: these are the first."
    except Exception as error:  # told, where a traceback would say less
        found.problem = f"{found.name} cannot be followed to its end. {words_of_error(error)}"
    return found


@contextmanager
def uses_allowed() -> Iterator[None]:
    """Without the package's own check of keys that are used twice: here they are shown."""
    try:
        flag = package_module("layer6_random.reuse").debug_key_reuse
    except (AttributeError, ImportError):
        yield
        return
    with flag(False):
        yield


# ---- keys by their words


def is_keys(x: Any) -> bool:
    """Whether a value is an array of keys."""
    dtype = getattr(x, "dtype", None)
    return package_module("layer6_random.key_types").is_key_type(dtype)


def words_of(keys: Any) -> list[tuple[int, ...]]:
    """The words of each key of an array, of the first ones where there are very many."""
    words = np.asarray(package_module("random").key_data(keys))
    behind = words.shape[keys.ndim if is_keys(keys) else -1 :]
    flat = words.reshape(-1, int(np.prod(behind)))[: KEPT * KEPT]
    return [tuple(map(int, row)) for row in flat]


class Notes:
    """Writes operations on keys that have values into a recording."""

    def __init__(self, found: Recording):
        self.found = found

    def numbers(self, keys: Any, how: str = "") -> list[int]:
        """The keys of an array, each by its number; one that has not been met is given from outside."""
        places = self.found.places
        return [places[w] if w in places else self.found.key(w, how or "given") for w in words_of(keys)]

    def used(self, keys: Iterable[Any], code: str, place: str) -> None:
        """Something is drawn with these keys."""
        numbers = [k for x in keys for k in self.numbers(x)]
        self.add(DRAW, code, place, numbers, [])

    def split(self, keys: Any, made: Any, code: str, place: str) -> None:
        shape = made.shape[keys.ndim :]
        size, parents = ", ".join(map(str, shape)), self.numbers(keys)
        each = int(np.prod(shape))
        children = [
            self.found.key(words, f"split({size})[{index_of(i % each, shape)}]", parents[i // each])
            for i, words in enumerate(words_of(made))
        ]
        self.add(SPLIT, code, place, parents, children)

    def folded(self, keys: Any, data: Any, made: Any, code: str, place: str) -> None:
        parents, numbers = self.numbers(keys), np.broadcast_to(np.asarray(data), made.shape).reshape(-1)
        each = max(1, len(words_of(made)) // max(len(parents), 1))
        children = [
            self.found.key(words, f"fold_in({numbers[i]})", parents[i // each])
            for i, words in enumerate(words_of(made))
        ]
        self.add(FOLD, code, place, parents, children)

    def seeded(self, made: Any, seeds: Any, code: str, place: str) -> None:
        """Keys made from numbers, or from their words. Those that have been met are no step."""
        if any(words not in self.found.places for words in words_of(made)):
            numbers = np.asarray(seeds).reshape(-1)
            single = made.ndim == 0 and np.ndim(seeds) == 0
            how = f"key({numbers[0]})" if single else "from words" if made.ndim == 0 else "key"
            self.add(SEED, code, place, [], [self.found.key(words, how) for words in words_of(made)])

    def add(self, kind: str, code: str, place: str, used: list[int], made: list[int]) -> None:
        if len(self.found.steps) == LIMIT:
            raise Stopped
        more = max(0, len(used) - KEPT) + max(0, len(made) - KEPT)
        self.found.add(Step(kind, code, place, tuple(used[:KEPT]), tuple(made[:KEPT]), more))


def index_of(i: int, shape: Sequence[int]) -> str:
    return ", ".join(str(int(n)) for n in np.unravel_index(i, tuple(shape)))


# ---- programs


class Runner:
    """Runs programs one equation at a time, each as it would run by itself."""

    def __init__(self, found: Recording):
        self.notes, self.rounds = Notes(found), []
        self.call = package_module("layer2_jit.passes").called
        self.keep_interpreted = package_module("layer1_core.evaluate").keep_interpreted

    def program(self, jaxpr: Any, values: Sequence[Any]) -> list[Any]:
        if not self.rounds:
            for k, x in enumerate(values):
                if is_keys(x):
                    self.notes.numbers(x, "given" if len(values) == 1 else f"argument {k}")
        env = dict(zip(map(id, (*jaxpr.constvars, *jaxpr.invars)), (*jaxpr.consts, *values), strict=True))
        read = lambda v: v.val if hasattr(v, "val") else env[id(v)]
        for eqn in jaxpr.eqns:
            env.update(zip(map(id, eqn.outvars), self.equation(eqn, [*map(read, eqn.invars)]), strict=True))
        return [*map(read, jaxpr.outvars)]

    def equation(self, eqn: Any, operands: list[Any]) -> list[Any]:
        """The results; what is done to keys is noted."""
        inner = self.call[eqn.primitive](eqn) if eqn.primitive in self.call else None
        if inner is not None and not self.is_sampler(eqn, inner):
            return self.inside(inner, operands, "")
        if eqn.primitive.name in NAMES:
            return getattr(self, f"{eqn.primitive.name}_")(eqn.params, operands)
        out = eqn.primitive.bind(*operands, **eqn.params)
        results = out if eqn.primitive.multiple_results else [out]
        self.note(eqn, operands, results)
        return [*results]

    def inside(self, jaxpr: Any, operands: Sequence[Any], where: str) -> list[Any]:
        """A program inside of another one. `where` tells which of several runs it is."""
        self.rounds.append(where)
        try:
            return self.program(jaxpr, operands)
        finally:
            self.rounds.pop()

    def is_sampler(self, eqn: Any, jaxpr: Any) -> bool:
        """Whether this is a function of the package that takes keys and gives numbers: then it is one step."""
        own = jaxpr._program is not None and jaxpr._program[0] is self.keep_interpreted
        takes, gives = (any(is_keys(v.aval) for v in variables) for variables in (eqn.invars, eqn.outvars))
        return own and takes and not gives

    def note(self, eqn: Any, operands: list[Any], results: Sequence[Any]) -> None:
        keys, kind = [x for x in operands if is_keys(x)], MADE.get(eqn.primitive.name)
        code, place = self.where(eqn)
        if kind == SEED:
            self.notes.seeded(results[0], operands[0], code, place)
        elif kind == SPLIT:
            self.notes.split(operands[0], results[0], code, place)
        elif kind == FOLD:
            self.notes.folded(operands[0], operands[1], results[0], code, place)
        elif kind == CLONE:
            self.notes.add(CLONE, code, place, self.notes.numbers(operands[0]), [])
        elif keys and eqn.primitive.name != "random_unwrap" and not any(map(is_keys, results)):
            self.notes.used(keys, code, place)

    def where(self, eqn: Any) -> tuple[str, str]:
        """The text of the call that an equation comes from, and its place: line 3, step 2 of the loop."""
        code, line = source_of(eqn.source_info)
        rounds = [text for text in self.rounds if text]
        what = f"{eqn.params.get('name', eqn.primitive.name)}".removeprefix("random_").lstrip("_")
        return code or f"{what} {', '.join(v.aval.str_short(short_dtypes=True) for v in eqn.outvars)}", ", ".join(
            [*[line] * bool(line), *rounds]
        )

    # ---- loops and conditionals

    def scan_(self, params: Any, operands: list[Any]) -> list[Any]:
        stack = package_module("numpy").stack
        consts, carry, xs = params["ft_in"].split(operands)
        rows: list[list[Any]] = []
        for step, place in enumerate(range(params["length"])[:: -1 if params["reverse"] else 1]):
            inputs = [*consts, *carry, *(x[place] for x in xs)]
            carry, ys = params["ft_out"].split(self.inside(params["jaxpr"], inputs, f"round {step}"))
            rows.append(ys)
        ordered = rows[::-1] if params["reverse"] else rows
        made = params["ft_out"].split(params["jaxpr"].out_avals)[1]
        empty = package_module("numpy").zeros
        return [
            *carry,
            *(
                stack([row[k] for row in ordered]) if ordered else empty((0, *y.shape), y.dtype)
                for k, y in enumerate(made)
            ),
        ]

    def while_(self, params: Any, operands: list[Any]) -> list[Any]:
        n, m = params["cond_nconsts"], params["body_nconsts"]
        asked, consts, carry = operands[:n], operands[n : n + m], operands[n + m :]
        step = 0
        while bool(self.inside(params["cond_jaxpr"], [*asked, *carry], f"condition {step}")[0]):
            carry = self.inside(params["body_jaxpr"], [*consts, *carry], f"round {step}")
            step += 1
            if step > LIMIT * LIMIT:
                raise Stopped
        return carry

    def cond_(self, params: Any, operands: list[Any]) -> list[Any]:
        branch = min(max(int(operands[0]), 0), len(params["branches"]) - 1)
        return self.inside(params["branches"][branch], operands[1:], f"branch {branch}")


def source_of(source: Any) -> tuple[str, str]:
    """The text of the call that a place in a program is in, and its line; "" where it cannot be read."""
    if source is None:
        return "", ""
    code, instruction = source
    start, end, left, right = next(islice(code.co_positions(), instruction // 2, None))
    text = linecache.getline(code.co_filename, start or 0)
    if not text or start is None or left is None:
        return "", f"line {start}" if start else ""
    encoded = text.encode()  # columns are counted in bytes
    piece = encoded[left:right] if start == end else encoded[left:]
    return piece.decode(errors="replace").strip(), f"line {start}"
