"""The exercises of chapter 4, derivatives: what they need, hints, known mistakes. Some are in chapter4_programs.py."""

from .chapter4_cases import RULES, gauss_newton_cases, guarded_cases, kept_cases, names, pad_cases, rule_cases
from .chapter4_programs import FIXED, SEGMENTS, SPLIT, TAGGED, TEXT
from .exercise import Exercise, Mistake

TITLE = "derivatives"

KEPT = Exercise(
    "4.1", "what is kept?", "kept_numbers", 1, 5, "section 4",
    hints=(
        "For each equation, write what its tangent is: for sin it is cos(x) t. What stands beside t is kept, if it is "
        "an array.",
        "A linear operation does to the tangent what it does to the value. It needs no array for that, unless it has "
        "one as its other operand.",
        "What is kept twice is one array. The tangents of `round` and of `stop_gradient` are zero: what would be "
        "needed for them is not kept.",
    ),
    cases=kept_cases,
    mistakes=(
        Mistake(
            "a linear function keeps its argument",
            "The tangent of x + 1 is that of x, and the tangent of 3 x is 3 t: the point x is not in them.",
            '3 in [kept_numbers()[name] for name in ("shift", "scale", "sum")]',
            explains=("x + 1.0", "3.0 * x", "x.sum()"),
        ),
        Mistake(
            "an array that stands twice is kept twice",
            "The tangent of x x is t x + x t. Both times it is the same array.",
            'kept_numbers()["square"] == 6',
            explains=("x * x",),
        ),
        Mistake(
            "every step keeps something",
            "Sums, and products with a number, are linear: their tangents need no value. Only sin keeps its cosine.",
            'kept_numbers()["total"] in (4, 6) or kept_numbers()["line"] in (6, 9)',
            explains=("jnp.sin(x).sum()", "jnp.sin(3.0 * x + 1.0)"),
        ),
        Mistake(
            "constants are not kept",
            "The matrix is an array that the linear program multiplies by, so it is held with it. Only a single "
            "number, such as 3.0, stands in the program itself.",
            'kept_numbers()["matrix"] in (0, 3)',
            explains=("jnp.ones((2, 3)) @ x",),
        ),
    ),
    names=names,
)  # fmt: skip

_G = "zero = jnp.float32(0)\ng = guarded(lambda x: 1.0 / x, lambda x: x != 0, 1.0, 0.0)"
GUARDED = Exercise(
    "4.2", "no NaN from the arm not taken", "guarded", 1, 10, "section 8",
    hints=(
        "A jnp.where around f(x) is not enough. In reverse mode the cotangent of the arm not taken is 0, and 0 times "
        "an infinite slope is NaN.",
        "f itself must not see the bad places: give it an argument in which they are replaced by `inside`, where its "
        "slope is finite.",
        "So there are two: one jnp.where makes the argument of f, and the other one chooses between its result and "
        "`otherwise`. Both ask the same question.",
    ),
    cases=guarded_cases,
    mistakes=(
        Mistake(
            "only the result is chosen",
            "The value is right, and the slope is NaN: both arms are computed, and a cotangent of 0 goes into f at a "
            "place where its slope is infinite. Choose the argument as well.",
            "str(numbers(jax.grad(g), 0.0)) == 'nan' and numbers(g, zero) == 0.0",
            _G,
        ),
        Mistake(
            "only the argument is chosen",
            "The slope is right, and the value is that of f at `inside`. Choose the result as well.",
            "numbers(g, zero) == 1.0",
            _G,
        ),
        Mistake(
            "a product with 0 chooses",
            "0 times infinity is NaN. A choice is no product: jnp.where does not look at what it does not take.",
            "str(numbers(g, zero)) == 'nan'",
            _G,
        ),
        Mistake(
            "Python chooses",
            "That is fine for one number whose value is known. An array has no truth value, and under jit a number has "
            "none either.",
            "asked",
            f"{_G}\ntry:\n    jax.make_jaxpr(g)(1.0)\n    asked = False\nexcept TypeError:\n    asked = True",
            explains=("jnp.array(", "jax.jit("),
        ),
    ),
    names=names,
)  # fmt: skip

_JVP = "with_rules(jvp_rules, RULES, rounded, jax.jvp, {}, ({},), (1.0,))"
_PROGRAM = "operations(with_rules(jvp_rules, RULES, jax.make_jaxpr(lambda x, t: jax.jvp({}, (x,), (t,))), 1.0, 1.0))"
THREE_RULES = Exercise(
    "4.3", "three rules", "div_jvp", 2, 20, "sections 2 and 3",
    hints=(
        "The slope of tanh is 1 - y y, where y is its result. So the rule computes y once, and uses it twice.",
        "A quotient q = x / y has two tangents, x_dot / y and -(q / y) y_dot. Make only those whose operand's tangent "
        "is no Zero, and add them with add_tangents, beginning with zero_of(q).",
        "select_n is linear in its cases: choose among their tangents with the same `which`. Some of them may be Zero; "
        "`instantiate` makes an array of zeros of such a one, and leaves the others.",
    ),
    cases=rule_cases,
    mistakes=(
        Mistake(
            "the second operand pulls the wrong way",
            "A larger divisor makes the quotient smaller: the second tangent has a minus.",
            f"{_JVP.format('lambda y: lax.div(3.0, y)', '1.0')} == (3.0, 3.0)",
        ),
        Mistake(
            "the square of the divisor is forgotten",
            "The slope of x / y by y is -x / y^2, which is -(x / y) / y. At y = 1 nobody sees the difference.",
            f"{_JVP.format('lambda y: lax.div(3.0, y)', '2.0')} == (1.5, -1.5)",
            explains=("lax.div(",),
        ),
        Mistake(
            "the result is computed anew",
            "The rule has the result in hand when it makes the tangent. A second tanh would be an equation of its own, "
            "as dear as the first.",
            f"{_PROGRAM.format('lax.tanh')}.count('tanh') == 2",
            explains=("('tanh', 'exp'",),
        ),
        Mistake(
            "a Zero becomes an array",
            "A tangent that is zero for certain costs nothing, as long as it stays a symbol. Made into an array, it is "
            "multiplied and added like any other one.",
            f"len({_PROGRAM.format('lambda x: lax.div(x, 2.0)')}) > 2",
            explains=("operations(program)",),
        ),
    ),
    names=names,
    parts=("tanh_jvp", "select_jvp"),
    plug=RULES,
)  # fmt: skip

_PULLED = "with_rules(transpose_rules, {lax.pad_p: pad_transpose}, rounded, pulled, f, xs, ct)"
_PAD = "f = lambda {0}: lax.pad({1}, {2}, [{3}])\nxs, ct = ({4},), jnp.ones({5})"
_REFUSED = f"\ntry:\n    {_PULLED}\n    is_refused = False\nexcept Exception:\n    is_refused = True"
PADDED = Exercise(
    "4.4", "what padding gives back", "pad_transpose", 2, 20, "section 5",
    hints=(
        "The operand's cotangent is the inverse of the padding: take away what was put around and between. Where "
        "something was cut off, put a zero.",
        "lax.pad can do all but the gaps: pad the cotangent, with 0.0, by -low and -high, and by nothing in between.",
        "Then a slice with the step between + 1, along each axis, leaves out the gaps. And the padding value's "
        "cotangent is one number: the sum of the whole cotangent without that of the operand's part.",
    ),
    cases=pad_cases,
    mistakes=(
        Mistake(
            "the padding value gets everything",
            "Only the elements that are padding are copies of it: leave out those that came from the operand.",
            f"{_PULLED} == (2.0,)",
            _PAD.format("v", "jnp.zeros(2)", "v", "(0, 0, 0)", "0.0", 2),
            explains=("lambda v:", "lambda x, v:"),
        ),
        Mistake(
            "the gaps go to the operand",
            "Between two elements of the operand there may be padding. Skip it with the step of a slice.",
            "is_refused",
            _PAD.format("x", "x", "0.0", "(0, 0, 1)", "jnp.zeros(2)", 3) + _REFUSED,
            explains=(", 1)", ", 2)", ", 3)"),
        ),
        Mistake(
            "nothing is ever cut off",
            "Negative padding takes elements away. They have no part in the result, so a zero goes back in their "
            "place: a slice of the cotangent cannot make one.",
            "is_refused",
            _PAD.format("x", "x", "0.0", "(-1, 0, 0)", "jnp.zeros(2)", 1) + _REFUSED,
            explains=("(-1,", ", -1,", "(-2,"),
        ),
        Mistake(
            "a value that is known gets a cotangent",
            "Nobody asks for it, and it costs a sum. The rule gives None for an operand that is no UndefinedPrimal.",
            "None not in pad_transpose(jnp.ones(3), jnp.ones(2), UndefinedPrimal(jax.typeof(0.0)), "
            "padding_config=((1, 0, 0),))",
            explains=("is None",),
        ),
    ),
    names=names,
)  # fmt: skip

_PRODUCT = "rounded(gauss_newton, lambda x: {}, lambda y: y * y, {}, 1.0)"
GAUSS_NEWTON = Exercise(
    "4.5", "a curvature without second derivatives", "gauss_newton", 2, 15, "sections 4 to 7",
    hints=(
        "From right to left, there are three products: J v, then H times that, then J^T times that. None of them needs "
        "a matrix.",
        "jax.linearize gives y and a function for J. H is the derivative of jax.grad(loss), so H u is a jvp of it, at "
        "y and along u.",
        "The function for J is linear, so jax.linear_transpose(push, x) is the function for J^T. The model is not "
        "run for it again.",
    ),
    cases=gauss_newton_cases,
    mistakes=(
        Mistake(
            "the Hessian of the whole",
            "Differentiating the gradient of loss(model(x)) differentiates the model twice. Here only the loss is "
            "differentiated twice: the model is replaced by its linear program.",
            f"{_PRODUCT.format('x * x', '1.0')} == 12.0",
        ),
        Mistake(
            "the loss has no curvature",
            "J^T J v is right for half of the sum of squares, whose Hessian is 1. Another loss has another one: put "
            "its H between.",
            f"{_PRODUCT.format('3.0 * x', '1.0')} == 9.0",
        ),
        Mistake(
            "the gradient is pulled back",
            "That gives the gradient of the whole. What is pulled back is how the gradient of the loss changes along "
            "J v.",
            f"{_PRODUCT.format('3.0 * x', '2.0')} == 36.0",
        ),
        Mistake(
            "the model is run twice",
            "One run gives y and the linear program, and that program serves J and J^T.",
            "counted(lambda f: gauss_newton(lambda x: f(x), lambda y: y * y, 1.0, 1.0)) > 1",
            explains=("counted(",),
        ),
    ),
    names=names,
)  # fmt: skip

EXERCISES = (KEPT, GUARDED, THREE_RULES, PADDED, GAUSS_NEWTON, TAGGED, TEXT, FIXED, SEGMENTS, SPLIT)
