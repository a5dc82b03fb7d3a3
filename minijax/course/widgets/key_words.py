"""What is said of keys: in a sentence for each step, and of the whole."""

from .figure import counted, listed
from .key_recording import CLONE, DRAW, FOLD, SEED, SPLIT, Key, Recording, Step

WHY = "What comes of it is not independent of what came before."


def heading(found: Recording) -> str:
    reused = len(twice(found))
    told = (
        f"The keys of {found.name}: {counted(len(found.keys), 'key')}, {counted(len(found.steps), 'operation')} on them"
    )
    return f"{told}, {reused or 'none'} of them used twice"


def twice(found: Recording) -> list[Key]:
    """The keys that have been used twice."""
    return [key for key in found.keys if key.reused(len(found.steps))]


def names(found: Recording, keys: tuple[int, ...], more: int = 0) -> str:
    """0159 4efe, 238f 151d and 7 more"""
    shown = [f"`{found.keys[k].short}`" for k in keys[:4]]
    left = len(keys) - len(shown) + more
    return listed([*shown, *[f"{left} more"] * bool(left)])


def about_step(found: Recording, number: int) -> str:
    """What a step does, and whether a key has been used before. Steps are numbered from 1 on."""
    step = found.steps[number - 1]
    place = f"{step.place[0].upper()}{step.place[1:]}: " if step.place else ""
    start = f"Step {number} of {len(found.steps)}. {place}`{step.code}` {action(found, step)}."
    return " ".join(filter(None, [start, met_again(found, step, number), *reuses(found, step, number)]))


def action(found: Recording, step: Step) -> str:
    used, made = names(found, step.used, step.more), names(found, step.made, step.more)
    return {
        SEED: f"makes the key {made}",
        SPLIT: f"uses up {used} and makes {made}",
        FOLD: f"makes {made} from {used}, which is not used up by that",
        DRAW: f"uses up {used}",
        CLONE: f"allows {used} to be used once more",
    }[step.kind]


def met_again(found: Recording, step: Step, number: int) -> str:
    """Of a key that is made a second time: what it was before."""
    again = [
        found.keys[k] for k in step.made if found.keys[k].origins[0].step < number and len(found.keys[k].origins) > 1
    ]
    told = [f"`{key.short}` is one that there was: `{key.origins[0].how}`" for key in again[:2]]
    return f"{listed(told)}. The same words are the same key." if told else ""


def reuses(found: Recording, step: Step, number: int) -> list[str]:
    if step.kind not in (SPLIT, DRAW):
        return []
    told = []
    for k in dict.fromkeys(step.used):
        key = found.keys[k]
        if key.reused(number):
            before = [s for s in key.used_by(number) if s < number]
            by = "in this step" if not before else f"before, {by_whom(found, before[0])}"
            told.append(f"The key `{key.short}` has been used {by}.")
    return [*told[:2], *[f"So have {len(told) - 2} more."] * (len(told) > 2), *[WHY] * bool(told)]


def by_whom(found: Recording, step: int) -> str:
    """by `random.normal(k)` (line 3)"""
    one = found.steps[step - 1]
    return f"by `{one.code}`" + (f" ({one.place})" if one.place else "")


def about_reuse(found: Recording, key: Key) -> str:
    places = [by_whom(found, step) for step in key.uses]
    shown = [*places[:4], *[f"by {len(places) - 4} more"] * (len(places) > 4)]
    return f"The key `{key.short}` is used {times(len(places))}: {listed(shown)}."


def notes(found: Recording) -> list[str]:
    """What is to be said of the whole: a problem, and each key that is used twice."""
    reused = twice(found)
    told = [about_reuse(found, key) for key in reused[:5]]
    return [*[found.problem] * bool(found.problem), *told, *[f"So are {len(reused) - 5} more."] * (len(reused) > 5)]


def whole(found: Recording) -> list[str]:
    """Everything: the tree with what was done with each key, and the notes."""
    last = len(found.steps)
    lines = []
    for depth, k, left in found.rows(last):
        if k is None:
            lines.append(f"{'  ' * depth}and {counted(left, 'key')} more")
            continue
        key = found.keys[k]
        uses = [by_whom(found, step) for step in key.uses[:4]] + [f"by {len(key.uses) - 4} more"] * (len(key.uses) > 4)
        told = f"used {listed(uses)}" if uses else "not used"
        lines.append(f"{'  ' * depth}{key.short}, {origins(key, last)}: {told}")
    return [*lines, *notes(found)]


def origins(key: Key, step: int) -> str:
    """How a key came to be: split(2)[0] = fold_in(0)"""
    return " = ".join(o.how for o in key.origins if o.step <= max(step, 1))


def times(n: int) -> str:
    return "twice" if n == 2 else counted(n, "time")
