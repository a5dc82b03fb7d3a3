"""A program for one example and that of the batch, written with one set of names and tied together."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from .batch_call import Call, one_line, sentence, sizes_along, words_of_vmap, wrong_axes
from .batch_products import product_of
from .batch_recording import Pair, Place, Product, Recording, Step, Values
from .batch_running import Batched, Batcher, alike, place_in, size_like_no_other, variables
from .figure import listed, package_module
from .linear_recording import Equation, Parts
from .linear_writing import Writer as Names, asked_for, refusal
from .program import MOST, type_text

LONG = 46  # letters of the parameters of an equation, from which on they are left out in a pane
SHOWN = {"dot_general": ("dimension_numbers",)}  # of some, a pane has only these parameters
PAIRS = 12  # programs that are shown


def recorded(call: Call, axes: Sequence[Any], out_axes: Any) -> Recording:
    """The program of one example and that of the batch. Where there is none, it says why."""
    in_axes = call.in_axes(axes)
    found = Recording(call.name, call.arguments, str(in_axes), tuple(axes), str(out_axes))
    wrong = wrong_axes(call, axes)
    missing = asked_for("layer5_vmap.vmap", "vmap")
    if wrong:
        return replace(found, problem=wrong if missing else also(wrong, words_of_vmap(call, in_axes, out_axes)))
    size = next(n for n in sizes_along(call, axes) if n is not None)
    places = [None if d is None else d % a.ndim for d, a in zip(axes, call.arguments, strict=True)]
    try:
        make = package_module("layer1_core.staging").make_jaxpr(call.flat, return_shape=True)
        jaxpr, out = make(*call.structs(places))
    except Exception as error:  # told, where a traceback would say less
        told = f"For one example {call.name} cannot be traced. {type(error).__name__}: {one_line(error)}"
        return replace(found, size=size, problem=told)
    writer = Writer(jaxpr, size)
    found = replace(found, size=size, pairs=(writer.alone("", "", jaxpr),), results=writer.most_axes())
    if missing:
        return replace(found, problem=f"There is no vmap yet: {missing}.")
    return mapped(writer, found, places, call, (in_axes, out_axes, out))


def also(wrong: str, words: str) -> str:
    return f"{wrong} In the words of vmap: {words.rstrip('.')}." if words else wrong


def mapped(writer: "Writer", found: Recording, places: Sequence[Place], call: Call, asked: tuple[Any, Any, Any]):
    """The recording with the program of the batch, or with why there is none."""
    in_axes, out_axes, out = asked
    runner, wanted = Batcher(writer.jaxpr, places, writer.size), lambda: axes_of_results(out, out_axes)
    try:
        batched = runner.run(wanted)
    except Exception as error:  # told, where a traceback would say less
        if runner.at is not None:
            return replace(found, problem=refusal("batched", found.pairs[0].example, runner.at, error))
        wrong = writer.wrong_results(runner.found.out, out, out_axes)
        if not wrong:
            raise
        return replace(found, problem=also(wrong, words_of_vmap(call, in_axes, out_axes)))
    return replace(found, pairs=tuple(writer.pairs(batched, writer.probe(places, wanted))))


def axes_of_results(out: Any, out_axes: Any) -> list[Place]:
    tree = package_module("layer1_core.tree")
    return tree.flatten_axes("vmap out_axes", tree.tree_flatten(out)[1], out_axes)


class Writer(Names):
    """Writes programs with one set of names. Made for use at once: nothing of the package is kept in the result.

    A value and the batch of it have the same letter.
    """

    def __init__(self, jaxpr: Any, size: int):
        super().__init__(jaxpr)
        self.size, self.prime = size, size_like_no_other(jaxpr)
        self.shapes: dict[int, Sequence[int]] = {}  # by the id of a variable: its shape, were there `prime` examples

    def most_axes(self) -> int:
        return max((len(aval.shape) for aval in self.jaxpr.out_avals), default=0)

    # ---- pairs

    def alone(self, title: str, short: str, jaxpr: Any) -> Pair:
        """A program for one example, without one of the batch."""
        steps = [Step(e.primitive.name, self.values(e.invars, {}), self.values(e.outvars, {})) for e in jaxpr.eqns]
        return Pair(title, short, self.listing(jaxpr, [Equation((), "")] * len(jaxpr.eqns)), tuple(steps[:MOST]), None)

    def probe(self, places: Sequence[Place], wanted: Callable[[], Sequence[Place]]) -> Batched | None:
        """The batch of `prime` examples; None where a rule of the learner's own refuses so many."""
        try:
            return Batcher(self.jaxpr, places, self.prime).run(wanted)
        except Exception:  # what such a rule may raise is not known; then less is marked
            return None

    def pairs(self, batched: Batched, probe: Batched | None) -> list[Pair]:
        """The whole, and the programs inside of its equations."""
        whole = self.pair("", "", self.jaxpr, batched, probe)
        return [whole, *islice(self.inside(self.jaxpr, batched, probe, ""), PAIRS - 1)]

    def pair(self, title: str, short: str, jaxpr: Any, batched: Batched, probe: Batched | None) -> Pair:
        self.reads(batched.jaxpr)
        self.shapes |= self.known_shapes(batched) | (shapes_of(batched.jaxpr, probe.jaxpr) if probe else {})
        for v, var in batched.same:
            self.call(var, self.printer.name(v))
        ties = [Equation((), "", batched.owner.get(id(e))) for e in batched.jaxpr.eqns]
        example = self.listing(jaxpr, [Equation((), "")] * len(jaxpr.eqns))
        batch = self.listing(batched.jaxpr, ties)
        steps = tuple(self.step(k, eqn, batched) for k, eqn in enumerate(jaxpr.eqns[:MOST]))
        moved = tuple(e.primitive.name for e in batched.jaxpr.eqns if id(e) not in batched.owner)
        return Pair(title, short, example, steps, batch, moved)

    def known_shapes(self, batched: Batched) -> dict[int, Sequence[int]]:
        """Those of the values of the example, with `prime` where they have the batch axis."""
        pairs = [(v.aval, w, batched.places[id(v)]) for v, w in batched.same]
        return {id(w): inserted(aval.shape, place, self.prime) for aval, w, place in pairs if place is not None}

    def inside(self, jaxpr: Any, batched: Batched, probe: Batched | None, path: str) -> Iterator[Pair]:
        """The programs that the equations of a program carry, with those of the batch."""
        for k, eqn in enumerate(jaxpr.eqns):
            number = f"{path}{k + 1}"
            theirs = same_equation(k, eqn, probe) if probe else None
            for what, sub in programs_in(eqn):
                article = "" if what.startswith("branch ") else "the "
                title, short = f"{article}{what} of equation {number} ({eqn.primitive.name})", f"{number} {what}"
                made = dict(programs_in(theirs)).get(what) if theirs else None
                again = self.again(sub, made) if made else None
                if again is None:
                    yield self.alone(title, short, sub)
                else:
                    yield self.pair(title, short, sub, *again)
                    yield from self.inside(sub, *again, f"{number}.")

    def again(self, sub: Any, made: Any) -> tuple[Batched, Batched] | None:
        """A program inside, batched once more as its equation's rule has done it: now with ties.

        `made` is what the rule has made of it for `prime` examples: its types say where the batch axes are.
        """
        if [len(sub.invars), len(sub.outvars)] != [len(made.invars), len(made.outvars)]:
            return None
        into, out = (
            [place_in(v.aval, w.aval.shape, self.prime) for v, w in zip(*pair, strict=True)]
            for pair in ((sub.invars, made.invars), (sub.outvars, made.outvars))
        )
        ours, theirs = (Batcher(sub, into, n).run(lambda: out) for n in (self.size, self.prime))
        return (ours, theirs) if alike(theirs.jaxpr, made) else None

    # ---- steps

    def step(self, k: int, eqn: Any, batched: Batched) -> Step:
        made = [e for e in batched.jaxpr.eqns if batched.owner.get(id(e)) == k]
        same = same_equation(k, eqn, batched)
        operands, results = (self.values(vs, batched.places) for vs in (eqn.invars, eqn.outvars))
        step = Step(eqn.primitive.name, operands, results, tuple(e.primitive.name for e in made))
        if same is None:
            return step
        step = replace(step, changes=self.changes(eqn, same), products=self.products(eqn, same))
        return replace(step, **self.loop(eqn, same, batched.places)) if step.primitive in ("scan", "while") else step

    def values(self, atoms: Sequence[Any], places: dict[int, Place]) -> Values:
        """The variables among these, each once."""
        found = {self.names.var(v): places.get(id(v)) for v in atoms if not hasattr(v, "val")}
        return tuple(found.items())

    def changes(self, eqn: Any, same: Any) -> tuple[tuple[str, str, str], ...]:
        """The parameters that differ: name, before, after."""
        before, after = (dict(self.printer.shown_params(e)) for e in (eqn, same))
        both = [key for key in before if key in after]
        return tuple((key, before[key], after[key]) for key in both if before[key] != after[key])

    def loop(self, eqn: Any, same: Any, places: dict[int, Place]) -> dict[str, Any]:
        """What is to be said of a loop, see `Step`."""
        pairs = [*zip(eqn.invars, same.invars, strict=True)]
        got = tuple(self.printer.name(v) for v, w in pairs if places.get(id(v)) is None and self.is_batch(w))
        if eqn.primitive.name == "scan":
            return {"got": got, "rows": any(map(self.is_batch, same.params["ft_in"].split(same.invars)[2]))}
        one, batch = (len(e.params["cond_jaxpr"].out_avals[0].shape) for e in (eqn, same))
        return {"got": got, "by_example": batch > one}

    def is_batch(self, v: Any) -> bool:
        return any(n and n % self.prime == 0 for n in self.shapes.get(id(v), ()))

    def products(self, eqn: Any, same: Any) -> tuple[Product, Product] | None:
        if eqn.primitive.name != "dot_general":
            return None
        one, batch = (
            product_of(e, [self.labelled(v) for v in (*e.invars, *e.outvars)], [*map(self.axes, e.invars)])
            for e in (eqn, same)
        )
        return one, batch

    def labelled(self, v: Any) -> str:
        """c:f32[B=8,3]"""
        return self.printer.name(v) + "".join(text for text, _ in self.typed(v))

    def wrong_results(self, places: Sequence[Place], out: Any, out_axes: Any) -> str:
        """Why the results cannot have their batch axes at `out_axes`; "" where they can."""
        try:
            wanted = axes_of_results(out, out_axes)
        except (ValueError, TypeError):
            return f"out_axes={out_axes} does not fit the results."
        told = []
        for v, src, dst in zip(self.jaxpr.outvars, places, wanted, strict=True):
            name, rank = self.printer.name(v), len(v.aval.shape) + 1
            if dst is None and src is not None:
                told.append(f"the result `{name}` is another one for each example, so its axis in out_axes is not None")
            elif dst is not None and not -rank <= dst < rank:
                last = f"0 to {rank - 1}, or -1 to {-rank}" if rank > 1 else "0 or -1"
                told.append(
                    f"with the batch axis the result `{name}` has rank {rank}, so its axis in out_axes is {last}"
                )
        return f"{sentence(listed(told))}." if told else ""

    # ---- texts

    def head(self, jaxpr: Any) -> Parts:
        parts: list[tuple[str, bool]] = [("{ lambda", False)]
        for v in (*jaxpr.constvars, None, *jaxpr.invars):
            parts += [(" ;", False)] if v is None else [(" ", False), self.name(v), *self.typed(v)]
        return (*parts, (". let" if jaxpr.invars else " . let", False))

    def parts(self, eqn: Any) -> Parts:
        """c:f32[B=8,2] = dot_general[...] a b"""
        told = SHOWN.get(eqn.primitive.name)
        params = " ".join(f"{k}={v}" for k, v in self.printer.shown_params(eqn) if told is None or k in told)
        shown = f"[{params if len(params) < LONG else '...'}]" if params else ""
        left = [part for v in eqn.outvars for part in (self.name(v), *self.typed(v), (" ", False))]
        operands = [part for v in eqn.invars for part in ((" ", False), self.name(v))]
        return (*left, ("= " * bool(left) + eqn.primitive.name + shown, False), *operands)

    def typed(self, v: Any) -> Parts:
        """The type behind a name, with the batch axis marked: f32[ B=8 ,3]"""
        axes = self.axes(v)
        if not any(mark for _, mark in axes):
            return ((f":{type_text(v)}", False),)
        parts = [(f":{type_text(v).partition('[')[0]}[", False)]
        for d, (text, mark) in enumerate(axes):
            parts += [(",", False)] * (d > 0) + [(text, mark)]
        return (*parts, ("]", False))

    def axes(self, v: Any) -> list[tuple[str, bool]]:
        """The size of each axis, and whether it is the batch axis; one that is merged with others is 3*B=24."""
        shape = getattr(v.aval, "shape", ())
        like = self.shapes.get(id(v), shape)
        marks = [bool(n) and n % self.prime == 0 for n in like]
        times = ["" if n == self.prime else f"{n // self.prime}*" for n in like]
        return [(f"{t}B={n}" if mark else str(n), mark) for n, mark, t in zip(shape, marks, times, strict=True)]


def inserted(shape: Sequence[int], place: int, size: int) -> Sequence[int]:
    return (*shape[:place], size, *shape[place:])


def shapes_of(jaxpr: Any, probe: Any) -> dict[int, Sequence[int]]:
    """By the id of a variable, the shape that the one at its place in `probe` has."""
    if not alike(jaxpr, probe):
        return {}
    pairs = zip(variables(jaxpr), variables(probe), strict=True)
    return {id(v): getattr(w.aval, "shape", ()) for v, w in pairs}


def same_equation(k: int, eqn: Any, batched: Batched) -> Any:
    """The equation of the batch that does the same as equation k, if there is one."""
    found = [e for e in batched.jaxpr.eqns if batched.owner.get(id(e)) == k and e.primitive is eqn.primitive]
    return found[0] if len(found) == 1 else None


def programs_in(eqn: Any) -> list[tuple[str, Any]]:
    """The programs of an equation, and what each is."""
    inner = package_module("layer1_core.jaxpr").jaxprs_in_params
    names = {"cond_jaxpr": "condition", "body_jaxpr": "body"}
    found = [(names.get(key, "program"), [*inner({key: value})]) for key, value in sorted(eqn.params.items())]
    if eqn.primitive.name == "scan":
        found = [("body", subs) for _, subs in found]
    return [
        (f"branch {i}" if key == "program" and len(subs) > 1 else key, sub)
        for key, subs in found
        for i, sub in enumerate(subs)
    ]
