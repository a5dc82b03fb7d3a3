"""The exercises of chapter 2, jit to Numba: what they need, hints, known mistakes. Some are in chapter2_loops.py."""

from .chapter2_cases import MOVES, keep_cases, kind_cases, moved_cases, names, sinh_cases, trivial_cases
from .chapter2_loops import BUFFERS, JOIN, LIFTED, RUNNING, TRAFFIC
from .exercise import Exercise, Mistake

TITLE = "jit to Numba"

KIND = Exercise(
    "2.2", "when is it traced again?", "kind_of_call", 1, 10, "section 10",
    hints=(
        "Split `kwargs` into two dicts: what is static, and what is not.",
        "Flatten what is not static together with `args`, in one go: jax.tree.flatten((args, others)). The treedef "
        "goes into the key as it is, and of each leaf its type.",
        "Of each static argument three things go into the key: its name, type(value) and the value. Sort by name.",
    ),
    cases=kind_cases,
    mistakes=(
        Mistake(
            "values make a kind",
            "A program works for all values of its arguments. Only their types are in the key, or each call would be "
            "traced.",
            "kind_of_call((1.0,), {}, ()) != kind_of_call((2.0,), {}, ())",
            explains=("((1.0,), {}), ((2.0,), {})", "jnp.zeros(2)"),
        ),
        Mistake(
            "weak types are forgotten",
            "1.0 and np.float32(1.0) have one shape and one dtype, but the first is weak. The dtypes of results may "
            "depend on that. jax.typeof(x) knows it.",
            "kind_of_call((1.0,), {}, ()) == kind_of_call((np.float32(1.0),), {}, ())",
            explains=("np.float32(1.0)",),
        ),
        Mistake(
            "the tree is forgotten",
            "A number and a list of one number have equal leaves. But the function gets the list, and may ask for its "
            "length: the treedef belongs to the key.",
            "kind_of_call((1.0,), {}, ()) == kind_of_call(([1.0],), {}, ())",
            explains=("[1.0]",),
        ),
        Mistake(
            "equal static values are one kind",
            "1, 1.0 and True are equal, and have equal hashes. But x + 1, x + 1.0 and x + True have results of "
            "different dtypes. Put the type beside the value.",
            "kind_of_call((), {'n': 1}, ('n',)) == kind_of_call((), {'n': True}, ('n',))",
            explains=("{'n': True}",),
        ),
    ),
    names=names,
)  # fmt: skip

TRIVIAL = Exercise(
    "2.3", "operations that change nothing", "without_trivial", 2, 20, "section 2",
    hints=(
        "A dictionary says what stands for a variable that is gone, by the variable's id. Look up each operand in it "
        "first, then decide about the equation.",
        "Per primitive one literal is neutral: a product or a quotient by 1, a difference by 0.0, a sum by -0.0. Of "
        "the two operands, which may be the literal? It depends on the primitive.",
        "Compare bytes, not numbers: np.asarray(literal.val, dtype).tobytes(). For an integer dtype, -0.0 becomes 0. "
        "And compare the aval of the operand that stays with that of eqn.outvars[0].",
    ),
    cases=trivial_cases,
    mistakes=(
        Mistake(
            "0.0 and -0.0 are one number",
            "They are equal, and still two numbers: x + -0.0 is always x, but -0.0 + 0.0 is 0.0. Compare the bytes.",
            "all(len(without_trivial(jax.make_jaxpr(f)(np.float32(2))).eqns) == 0"
            " for f in (lambda x: lax.add(x, 0.0), lambda x: lax.add(x, -0.0)))",
            explains=("np.float32(0))", "np.float32(0),", "np.float32(-0.0)"),
        ),
        Mistake(
            "x + 0.0 changes nothing",
            "It does for one number: -0.0 + 0.0 is 0.0. What can be added to a float is -0.0.",
            "len(without_trivial(jax.make_jaxpr(lambda x: lax.add(x, 0.0))(np.float32(2))).eqns) == 0",
            explains=("lax.add(",),
        ),
        Mistake(
            "the order of the operands does not matter",
            "It does not for a sum and a product. But 1.0 / x is not x, and neither is 0.0 - x.",
            "len(without_trivial(jax.make_jaxpr(lambda x: lax.div(1.0, x))(np.float32(2))).eqns) == 0",
            explains=("lax.div(np.float32(1), x)", "lax.sub(np.float32(0), x)"),
        ),
        Mistake(
            "the type of the result changes",
            "Here the operand is weak and the literal strong, so the result is strong. Without the equation the result "
            "would be weak: another program.",
            "jax.make_jaxpr(lambda x: lax.mul(x, np.float32(1)))(2.0).out_avals"
            " != without_trivial(jax.make_jaxpr(lambda x: lax.mul(x, np.float32(1)))(2.0)).out_avals",
            explains=("np.float32(1)))(2.0)",),
        ),
    ),
    names=names,
)  # fmt: skip

MOVED = Exercise(
    "2.4", "rules that move", "windows_place", 2, 20, "section 5",
    hints=(
        "Take a row of four numbers and write down, for each place of the result, the place in the operand. Which "
        "formula gives the second from the first?",
        "An axis of n elements that is turned: place i comes from n - 1 - i. An Index has no minus, but it can be "
        "multiplied by -1, and a number can be added.",
        "For windows, at has one axis more than the operand: (*others, window, inside). The last two become one.",
    ),
    cases=moved_cases,
    mistakes=(
        Mistake(
            "one place too far",
            "The places of n elements are 0 to n - 1. What is read first is the last one, and that is n - 1, not n.",
            "rev_place(one_turned.eqns[0], (i,)) == (i * -1 + 2,)",
            "one_turned = jax.make_jaxpr(lambda x: lax.rev(x, (0,)))(np.zeros(2, np.float32))",
            explains=("lax.rev",),
        ),
        Mistake(
            "all axes are turned",
            "Only the axes in eqn.params['dimensions'] are turned. Along any other one, the place stays as it is.",
            "rev_place(none_turned.eqns[0], (i,)) == (i * -1 + 1,)",
            "none_turned = jax.make_jaxpr(lambda x: lax.rev(x, ()))(np.zeros(2, np.float32))",
            explains=("lax.rev(x, ())", "lax.rev(x, (0,))", "lax.rev(x, (1,))"),
        ),
        Mistake(
            "the windows do not overlap",
            "A window begins `step` elements after the one before, whatever its width is.",
            "windows_place(two.eqns[0], (i, j)) == (i * 2 + j,)",
            "two = jax.make_jaxpr(lambda x: windows(x, 2, 1))(np.zeros(3, np.float32))",
            explains=("windows(x,",),
        ),
        Mistake(
            "the step is forgotten",
            "Window number k begins at k * step. eqn.params has the step.",
            "windows_place(two.eqns[0], (i, j)) == (i + j,)",
            "two = jax.make_jaxpr(lambda x: windows(x, 2, 2))(np.zeros(4, np.float32))",
            explains=("windows(x,",),
        ),
    ),
    names=names,
    parts=("rev_place", "windows_p", "windows", "windows_impl"),
    plug=MOVES,
)  # fmt: skip

_PLUS_TIMES = "program = optimized(jax.make_jaxpr(lambda x: (lambda y: {})(lax.exp(x)))(jnp.ones(2)))\n"
KEEP = Exercise(
    "2.6", "what is worth keeping?", "keep", 3, 30, "section 6",
    hints=(
        "Give each variable a set: the kept variables for which it is computed. At the end of the program all of these "
        "sets are empty.",
        "Walk through the equations from the last to the first. When you come to one, the set of its result is "
        "complete, so you can decide whether it is kept.",
        "Then tell its operands: if the result is kept, they are computed for it; if not, for whatever it is computed "
        "for. A literal cannot be in a set or be a key: skip it, and skip arguments.",
    ),
    cases=keep_cases,
    mistakes=(
        Mistake(
            "an argument of the program is kept",
            "It is in memory already. Only what an equation makes can be kept.",
            "len(keep(program)) == 1",
            "program = jax.make_jaxpr(lambda x: x)(jnp.ones(2))",
            explains=("lambda x: x)", ", x))"),
        ),
        Mistake(
            "readers are counted, and not what they are computed for",
            "Both readers of the exponential are computed in the loops of one result. There it is computed once, and "
            "has one name.",
            "len(keep(program)) == 2",
            _PLUS_TIMES.format("(y + 1.0) * (y + 2.0)"),
            explains=("(y + 1.0) * (y + 2.0)", "lax.exp(x) * lax.exp(x)"),
        ),
        Mistake(
            "a cheap value is kept",
            "To fetch a number from memory costs about as much as a few additions. What costs less is computed again.",
            "len(keep(program)) == 3",
            "program = jax.make_jaxpr(lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.neg(x)))(jnp.ones(2))",
            explains=("(lax.neg(x))",),
        ),
        Mistake(
            "all expensive values on the way are kept",
            "The second exponential is kept, so the first one is computed for one kept variable only. Decide about the "
            "end of the program first.",
            "len(keep(program)) == 4",
            "program = jax.make_jaxpr(lambda x: (lambda y: (y + 1.0, y * 2.0))(lax.exp(lax.exp(x))))(jnp.ones(2))",
            explains=("lax.exp(lax.exp(x))",),
        ),
    ),
    names=names,
)  # fmt: skip

SINH = Exercise(
    "2.7", "a function without a branch", "sinh", 2, 25, "section 4",
    hints=(
        "Work with the size of x alone, and give the result its sign at the very end. So -0.0 comes out right, and "
        "half of the cases are gone.",
        "For the large ones: root = exp_float32(half of the size) is never infinite, and root * 0.5 * root is half of "
        "e to the size. Which order of the products is safe?",
        "For the small ones, take one x out of the polynomial: x + x * s * p(s) with s = x * x, where the coefficients "
        "of p are 1/9!, 1/7!, 1/5! and 1/3!.",
    ),
    cases=sinh_cases,
    mistakes=(
        Mistake(
            "the sign of zero is lost",
            "sinh(-0.0) is -0.0. Compute with the size, and use copysign(result, x).",
            "str(sinh(np.float32(-0.0))) == '0.0'",
            explains=("np.float32(-0.0)",),
        ),
        Mistake(
            "digits are lost near zero",
            "There both exponentials are close to 1, and their difference has only the last of their digits. The "
            "polynomial has no difference.",
            "ulps(sinh, np.sinh, np.float32([1e-4])) > 100",
            explains=("np.linspace(0.25, 1", "np.geomspace", "-89.4, 89.4"),
        ),
        Mistake(
            "infinite too early",
            "e to the 89 is more than float32 has, but half of it is not. Never make it: multiply e to the half of x "
            "by 0.5, and by e to the half of x once more.",
            "bool(np.isinf(sinh(np.float32(89.2))))",
            explains=("np.linspace(80, 89.4", "-89.4, 89.4"),
        ),
        Mistake(
            "there is a branch",
            "`if` asks one number, and here come many at once, each of which may want another way. Compute both, and "
            "let select take the right one for each.",
            "branch",
            "try:\n    sinh(np.float32([0.5, 2]))\n    branch = False\nexcept ValueError:\n    branch = True",
        ),
    ),
    names=names,
    parts=(),
)  # fmt: skip

EXERCISES = (TRAFFIC, KIND, TRIVIAL, MOVED, RUNNING, KEEP, SINH, LIFTED, BUFFERS, JOIN)
