"""What the batch-axis explorer says, in sentences."""

from collections.abc import Sequence

from .batch_products import about_axis, in_words
from .batch_recording import Pair, Recording, Step, Values
from .figure import counted, listed
from .linear_words import code, numbered, printed

FEW, SHORT = 5, 60  # primitives that are listed; letters of a parameter that is shown
SAME = "Nothing that it reads has the batch axis: it stays as it is, and is computed once for all examples."
NOTE = (
    "The program was traced, nothing was computed. A value and the batch of it have the same letter. B is the batch "
    "axis, underlined in the drawing. The number behind an equation of the batch is that of the equation for one "
    "example from which it comes."
)
SELECTED = (
    "Each example has an index of its own. So all branches are computed, each for all examples, and the last select_n "
    "takes for each example the result of its branch. Before a branch, eq, stop_gradient and select_n see to it that "
    "no derivative comes from the examples that do not take it."
)
KEPT = "The index is the same for all examples: so one branch is chosen, and its program is one of batches."
EACH = (
    "The condition has the batch axis. So the loop goes on as long as the condition of any example is true; an example "
    "whose own condition is false keeps what it carries."
)
ALL = "The condition is the same for all examples: the loop has as many rounds as for one of them."
SCAN = "It stays one scan of as many steps, and its body is one of batches."
ROWS = "A step takes a row of a sequence along axis 0, so the batch axis of a sequence is axis 1."


def heading(found: Recording) -> str:
    """vmap of f over 8 examples: 3 equations for one example, 5 for the batch"""
    mapped = f"vmap of {found.name}"
    if found.size is not None:
        mapped += f" over {counted(found.size, 'example')}"
    if not found.pairs:
        return f"{mapped}: no program of the batch"
    whole = found.pairs[0]
    one = f"{counted(whole.example.size, 'equation')} for one example"
    return f"{mapped}: {one}, {whole.batch.size if whole.batch else 'no program'} for the batch"


def asked(found: Recording) -> str:
    """The axes: in_axes=(0, None), out_axes=0."""
    return f"The axes: `in_axes={found.in_axes}`, `out_axes={found.out_axes}`."


def notes(found: Recording) -> list[str]:
    return [NOTE] if found.pairs and found.pairs[0].batch else []


def about_pair(pair: Pair) -> str:
    """What is to be said of a program as a whole."""
    if pair.title and pair.batch is None:
        number = pair.short.split(" ")[0]
        return f"Its equations of the batch stand among those of equation {number}."
    return moved_words(pair)


def moved_words(pair: Pair) -> str:
    """That the last equations put the batch axes of the results where out_axes says."""
    if not pair.moved:
        return ""
    n = len(pair.moved)
    which = (
        f"last {n} equations of the batch, {listed(pair.moved)}, put"
        if n > 1
        else f"last equation of the batch, {pair.moved[0]}, puts"
    )
    return f"The {which} the batch axis of the results where `out_axes` says."


# ---- one equation


def about_equation(pair: Pair, k: int) -> str:
    """Equation 2, `c:f32[2] = sin b`. `b` has the batch axis at 0. It becomes equation 3 of the batch. ..."""
    step, start = pair.steps[k], f"Equation {k + 1}, `{code(pair.example.eqns[k])}`."
    if pair.batch is None:
        return start
    lines = pair.batch.of(k)
    if not step.batched:
        return " ".join([start, SAME, *([f"It is {numbered('equation', lines)} of the batch."] if lines else [])])
    where = f"{places(step.operands)}." if step.operands else ""
    told = [start, where, becomes(step, lines), special(step), changed(step), ended(step)]
    return " ".join(filter(None, told))


def places(values: Values) -> str:
    """`a` and `b` have the batch axis at 0, `c` has it at 1 and `d` has none"""
    order = sorted({place for _, place in values if place is not None})
    values = tuple((name, place) for name, place in values if name != "_")
    told = []
    for place in [*order, *[None] * any(place is None for _, place in values)]:
        names = [f"`{name}`" for name, its in values if its == place]
        axis = "it" if told else "the batch axis"
        what = f"{axis} at {place}" if place is not None else "none" if told else "no batch axis"
        told.append(f"{listed(names)} {'have' if len(names) > 1 else 'has'} {what}")
    return listed(told)


def becomes(step: Step, lines: Sequence[int]) -> str:
    """It becomes the equations 2 to 4 of the batch: broadcast_in_dim, transpose and add."""
    if not lines:
        return "It gives no equation of the batch: what it computes is there already."
    if len(lines) == 1 and step.made == (step.primitive,):
        return f"It becomes {numbered('equation', lines)} of the batch."
    made = [*step.made] if len(step.made) <= FEW else [*step.made[:FEW], f"{len(step.made) - FEW} more"]
    return f"It becomes {numbered('equation', lines)} of the batch: {listed(made)}."


def special(step: Step) -> str:
    """What is to be said of a product, a loop and a conditional."""
    match step.primitive:
        case "dot_general" if step.products:
            return about_axis(step.products[1])
        case "cond":
            return KEPT if "cond" in step.made else SELECTED
        case "scan":
            return SCAN + (f" {ROWS}" if step.rows else "") + got_words(step)
        case "while":
            return (EACH if step.by_example else ALL) + got_words(step)
    return ""


def got_words(step: Step) -> str:
    """That parts of what a loop carries get the batch axis."""
    names = listed([f"`{name}`" for name in step.got])
    return f" What starts as {names} gets the batch axis in the loop, so it has it from the start." if names else ""


def changed(step: Step) -> str:
    """Its parameter `axes=(0,)` becomes `axes=(1,)`."""
    told = [f"`{key}={x}` becomes `{key}={y}`" for key, x, y in step.changes if max(len(x), len(y)) <= SHORT]
    return f"Its parameter{'s' * (len(told) > 1)} {listed(told)}." if told else ""


def ended(step: Step) -> str:
    """Where the results have the batch axis."""
    start = "Of the results, " if len(step.results) > 1 else ""
    return f"{start}{told}." if (told := places(step.results)) else ""


# ---- all of it


def whole(found: Recording) -> list[str]:
    """The programs and all sentences, line by line."""
    lines = [
        asked(found),
        *(f"{a.name}: {a.type}, axis {axis}" for a, axis in zip(found.arguments, found.axes, strict=True)),
    ]
    lines += [found.problem] * bool(found.problem)
    return [*lines, *(line for pair in found.pairs for line in pair_text(pair)), *notes(found)]


def pair_text(pair: Pair) -> list[str]:
    where = f" ({pair.title})" if pair.title else ""
    lines = [f"One example{where}:", *printed(pair.example)]
    if pair.batch:
        lines += [f"The batch{where}:", *printed(pair.batch)]
        lines += [about_equation(pair, k) for k in range(len(pair.example.eqns))]
    lines += [line for step in pair.steps if step.products for line in product_text(step)]
    about = about_pair(pair)
    return [*lines, about] if about else lines


def product_text(step: Step) -> list[str]:
    assert step.products
    one, batch = step.products
    return [f"The product for one example. {in_words(one)}", f"The product of the batch. {in_words(batch)}"]
