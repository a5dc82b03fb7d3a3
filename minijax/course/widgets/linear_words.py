"""What the linearize viewer says, in sentences."""

from collections.abc import Sequence

from .figure import counted, listed
from .kernel_view import brief
from .linear_recording import Equation, Listing, Recording, Residual, Sum
from .linear_running import BARE, FLAT, HANDS, STILL
from .stepper_drawing import ranges

LONG = 150  # letters of an equation, from which on its parameters are left out
FEW = 6  # numbers that are listed; more are told as ranges
NOTHING = {
    STILL: "None of its operands has a tangent, so it gives no linear equation.",
    FLAT: "Its derivative is zero: its operands have tangents, and its result has none.",
    BARE: "It has no result, so it gives no linear equation.",
    HANDS: "It gives no linear equation: it hands the tangent of its operand on as it is.",
}
DROPPED = "Its linear equations are left out: no result needs them."
NOTE = (
    "The programs were traced, nothing was computed. A value has the same letter in all of them; the tangent of c is "
    "c_dot, and its cotangent is c_ct. Residuals are underlined in the drawing. The number behind a line is that of "
    "the equation of the program whose work it is."
)


def heading(found: Recording) -> str:
    n = counted(found.program.size, "equation")
    if found.linear is None:
        return f"The program of {found.name}: {n}"
    linear = counted(found.linear.size, "linear one")
    if found.transposed is None:
        return f"How {found.name} is linearized: {n}, {linear}; {bytes_words(found)}"
    back = counted(found.transposed.size, "transposed one")
    return f"How {found.name} is linearized and transposed: {n}, {linear}, {back}; {bytes_words(found)}"


def bytes_words(found: Recording) -> str:
    """4 residuals of 52 bytes"""
    if not found.residuals:
        return "no residuals"
    return f"{counted(len(found.residuals), 'residual')} of {counted(total(found.residuals), 'byte')}"


def total(residuals: Sequence[Residual]) -> int:
    return sum(r.bytes for r in residuals)


def notes(found: Recording) -> list[str]:
    """What is to be said below the panes."""
    told = [*found.facts]
    if found.linear is None:
        return told
    shared = [r for r in found.residuals if r.kind == "input"]
    if shared:
        told.append(
            f"Of the {total(found.residuals):,} bytes of residuals {total(shared):,} are inputs, which are kept anyway."
        )
    if numbers := [f"`{r.name}`" for r in shared if r.number]:
        many = len(numbers) > 1
        told.append(
            f"{listed(numbers)} {'are Python numbers' if many else 'is a Python number'}: linearize writes "
            f"{'them' if many else 'it'} into the linear program as {'literals' if many else 'a literal'}."
        )
    return [*told, NOTE]


# ---- one equation


def about_equation(found: Recording, k: int) -> str:
    """Equation 3, `e:f32[2] = mul d d`. Its jvp rule gives the linear equations 5 to 7, which read the residual `d`."""
    eqn = found.program.eqns[k]
    inner = " It goes as one, with its program inside." if eqn.inner else ""
    start = f"Equation {k + 1}, `{code(eqn)}`.{inner}"
    if found.linear is None or k >= len(found.effects):
        return " ".join([start, *found.refusals])
    lines = found.linear.of(k)
    if not lines:
        told = NOTHING.get(found.effects[k], DROPPED)
        return " ".join([start, told, *made_words(found, k), *sum_words(found, k)])
    names = [f"`{r.name}`" for r in found.residuals if {*r.readers} & {*lines}]
    they = "which needs" if len(lines) == 1 else "which need"
    needs = f"{they} the residual{'s' * (len(names) > 1)} {listed(names)}" if names else f"{they} no residual"
    rule = "Its rule" if eqn.inner else "Its jvp rule"
    told = f"{rule} gives {numbered('linear equation', lines)}, {needs}."
    return " ".join([start, told, *made_words(found, k), *back_words(found, k), *sum_words(found, k)])


def code(eqn: Equation) -> str:
    return eqn.full if len(eqn.full) <= LONG else brief(eqn.full)


def made_words(found: Recording, k: int) -> list[str]:
    """The residuals that an equation makes."""
    own = [f"`{r.name}`" for r in found.residuals if r.made == k and r.own]
    more = [f"`{r.name}`" for r in found.residuals if r.made == k and not r.own]
    told = [f"Its result {listed(own)} is a residual."] if own else []
    if more:
        told.append(f"For its derivative it computes {listed(more)}, to be kept.")
    return told


def back_words(found: Recording, k: int) -> list[str]:
    if found.linear is None or found.transposed is None:
        return []
    lines = found.transposed.of(k)
    return [f"Transposed it is {numbered('equation', lines)}." if lines else no_equation(found, found.linear.of(k))]


def no_equation(found: Recording, linear: Sequence[int]) -> str:
    if {*linear} <= {*found.unreached}:
        return "No cotangent comes to it."
    return "Transposed it needs no equation: the cotangent is handed on as it is."


def sum_words(found: Recording, k: int) -> list[str]:
    """Of the variables that an equation makes, those whose cotangent is a sum."""
    return [about_sum(s) for s in found.sums if s.made == k]


def about_sum(s: Sum) -> str:
    """The cotangent of `d` is a sum of 3: `d_dot` is read by linear equations 5, 6 and 8. ..."""
    readers = [j for j in s.senders if j is not None]
    places = sorted(set(readers))
    told = [f"read {counted(len(readers), 'time')}, by {numbered('linear equation', places)}"] if readers else []
    results = s.senders.count(None)
    told += ["a result itself" if results == 1 else f"a result {counted(results, 'time')}"] if results else []
    added = f"Transposed {numbered('equation', s.lines, '')} add{'s' * (len(s.lines) == 1)} up."
    return f"The cotangent of `{s.name}` is a sum of {len(s.senders)}: `{s.tangent}` is {listed(told)}. {added}"


def about_linear(found: Recording, j: int) -> str:
    """Linear equation 5, `k:f32[2] = mul d_dot d`, comes from equation 3. It reads the residual `d`."""
    assert found.linear
    eqn = found.linear.eqns[j]
    names = [f"`{r.name}`" for r in found.residuals if j in r.readers]
    reads = f"It reads the residual{'s' * (len(names) > 1)} {listed(names)}." if names else "It reads no residual."
    told = [f"Linear equation {j + 1}, `{code(eqn)}`, {origin(eqn)}.", reads]
    if found.transposed:
        lines = [t for t, e in enumerate(found.transposed.eqns) if e.source == j and not e.adds]
        sums = [s for s in found.sums if j in s.senders]
        way = f"Transposed it is {numbered('equation', lines)}." if lines else no_equation(found, [j])
        told += [way, *map(about_sum, sums)]
    return " ".join(told)


def about_transposed(found: Recording, t: int) -> str:
    """Transposed equation 4, `j:f32[2] = mul d e_ct`, is linear equation 5 backwards, of equation 3."""
    assert found.transposed
    eqn = found.transposed.eqns[t]
    start = f"Transposed equation {t + 1}, `{code(eqn)}`,"
    if eqn.adds:
        return f"{start} adds up cotangents. {' '.join(about_sum(s) for s in found.sums if t in s.lines)}"
    return f"{start} is linear equation {(eqn.source or 0) + 1} backwards, which {origin(eqn)}."


def origin(eqn: Equation) -> str:
    return f"comes from equation {eqn.owner + 1}" if eqn.owner is not None else "comes from no equation"


def about_residual(found: Recording, i: int) -> str:
    """Residual `d`, f32[2], has 8 bytes. It is the result of equation 2. Linear equations 5 and 6 read it."""
    r = found.residuals[i]
    return f"Residual `{r.name}`, {r.type}, has {counted(r.bytes, 'byte')}. {source_words(r)} {readers_words(r)}"


def source_words(r: Residual) -> str:
    if r.made is None:
        return "It is an input." if r.kind == "input" else "It is a constant."
    return (
        f"It is the result of equation {r.made + 1}."
        if r.own
        else f"Equation {r.made + 1} computes it for its derivative."
    )


def readers_words(r: Residual) -> str:
    if not r.readers:
        return "It is a result of the linear program."
    verb = "reads" if len(r.readers) == 1 else "read"
    return f"{numbered('Linear equation', r.readers, '')} {verb} it."


def numbered(noun: str, indices: Sequence[int], article: str = "the ") -> str:
    """linear equation 3; the linear equations 3 and 4"""
    shown = [str(k + 1) for k in indices]
    if len(shown) == 1:
        return f"{noun} {shown[0]}"
    told = listed(shown) if len(shown) <= FEW else ranges([k + 1 for k in indices])
    return f"{article}{noun}s {told}"


# ---- all of it


def whole(found: Recording) -> list[str]:
    """The programs and all sentences, line by line."""
    listings = [
        ("The program:", found.program),
        ("Linearized, the values, which are computed at once:", found.values),
        ("Linearized, the tangents, a linear program that is recorded:", found.linear),
        ("Transposed, the cotangents:", found.transposed),
    ]
    lines = [line for title, listing in listings if listing for line in (title, *printed(listing))]
    if found.linear is None:
        return [*lines, *found.refusals]
    each = [about_equation(found, k) for k in range(len(found.program.eqns))]
    kept = [about_residual(found, i) for i in range(len(found.residuals))]
    sums = [about_sum(s) for s in found.sums]
    return [*lines, *found.refusals, *each, *kept, *sums, *notes(found)]


def printed(listing: Listing) -> list[str]:
    """The lines of a program with their numbers, and the equations of the program that they belong to."""
    eqns = [f"{k:4}  {eqn.text}{owner_text(eqn)}" for k, eqn in enumerate(listing.eqns, start=1)]
    more = [f"      ... and {counted(listing.more, 'more equation')}"] if listing.more else []
    return ["".join(text for text, _ in listing.head), *eqns, *more, listing.tail]


def owner_text(eqn: Equation) -> str:
    told = owner_number(eqn)
    return f"  (equation {told})" if told and not eqn.adds else f"  ({told})" if told else ""


def owner_number(eqn: Equation) -> str:
    """What stands behind a line: the number of its equation; Σ d where cotangents of d are added."""
    if eqn.adds:
        return f"Σ {eqn.adds.removesuffix('_dot')}"
    return str(eqn.owner + 1) if eqn.owner is not None else ""
