"""The exercises of chapter 5, batch axes: what they need, hints, known mistakes. Some are in chapter5_programs.py."""

from .chapter5_cases import RULES, along_cases, names, product_cases, ragged_cases, shape_cases
from .chapter5_programs import BRANCHES, LANES, LAW, LOOP, UPDATE
from .exercise import Exercise, Mistake

TITLE = "batch axes"

SHAPES = Exercise(
    "5.1", "which shape comes out?", "result_shapes", 1, 5, "section 4",
    hints=(
        "Take the axis in_axes away from the shape of each argument. That is what the function sees. What shape does "
        "it give for that?",
        "Then put the size of the batch into that shape, as axis out_axes of the result: in front, unless it says "
        "something else. Only with out_axes=None is nothing put in.",
        "For two of them, begin outside: the outer vmap takes its axis away first, and the inner one counts the axes "
        "that are left. The outer axis is put in last.",
    ),
    cases=shape_cases,
    mistakes=(
        Mistake(
            "out_axes says where the axis came from",
            "in_axes says that, and it is 0 here. out_axes is where the axis is put in the result.",
            'result_shapes()["out"] == (2, 3, 4)',
            explains=("lambda x: x, out_axes=1",),
        ),
        Mistake(
            "what is the same for all comes out once",
            "out_axes=0 asks for one result for each example, also where they are all the same. out_axes=None asks for "
            "one for all.",
            'result_shapes()["copied"] == (4, 5)',
            explains=("lambda x, y: y, in_axes=(0, None)), (",),
        ),
        Mistake(
            "the inner vmap sees all axes",
            "The outer vmap has taken one axis away. The inner one counts those of one example, [3, 4] here.",
            'result_shapes()["inner"] == (2, 3)',
            explains=("in_axes=1)), (",),
        ),
        Mistake(
            "the inner axis comes first",
            "The inner vmap makes the result for one example of the outer one. The outer one puts its axis in front of "
            "that.",
            'result_shapes()["pairs"] == (7, 5)',
            explains=("in_axes=(None, 0)), in_axes=(0, None)",),
        ),
    ),
    names=names,
)  # fmt: skip

_RULED = "with_rules(batching_rules, RULES, numbers, jax.vmap(lambda x: {}, in_axes={}), jnp.array([[1, 2], [3, 5]]))"
ALONG = Exercise(
    "5.2", "two rules along an axis", "cumsum_batching", 1, 10, "sections 3 and 5",
    hints=(
        "There is one operand: both tuples have one element. The one of dims is a number, since there is a batch axis.",
        "The axes of an example that stand before the batch axis keep their numbers in the batch. The others, those "
        "from place dim on, have numbers that are larger by 1.",
        "So axis d of an example is axis d + (d >= dim) of the batch. The result has its batch axis at dim, too.",
    ),
    cases=along_cases,
    mistakes=(
        Mistake(
            "the axes keep their numbers",
            "With the batch axis in front, axis 0 of an example is axis 1 of the batch. As it is, the sums run over "
            "the examples.",
            f"{_RULED.format('lax.cumsum(x)', 0)} == [[1, 2], [4, 7]]",
        ),
        Mistake(
            "every axis moves up by one",
            "Only those axes move up that stand behind the batch axis, or where it came in. Those before it keep "
            "their numbers.",
            f"{_RULED.format('lax.cumsum(x)', 1)} == [[1, 3], [3, 8]] == {_RULED.format('lax.cumsum(x)', 0)}",
            explains=("in_axes=1", "in_axes=2", "in_axes=3"),
        ),
        Mistake(
            "the batch axis goes to the front",
            "The values are right, and a transposition was made for it. These two operations can work along any axis: "
            "leave the batch axis where it is.",
            "'transpose' in operations(with_rules(batching_rules, RULES, jax.make_jaxpr(jax.vmap(lambda x: "
            "lax.cumsum(lax.rev(x, [0])), in_axes=1, out_axes=1)), jnp.ones((2, 2))))",
            explains=("operations(",),
        ),
        Mistake(
            "the direction is lost",
            "`reverse` is a parameter of the equation. The equation for the batch needs it as well.",
            f"{_RULED.format('lax.cumsum(x, reverse=True)', 0)} == [[1, 3], [3, 8]]",
            explains=("reverse=True",),
        ),
    ),
    names=names,
    parts=("rev_batching",),
    plug=RULES,
)  # fmt: skip

PRODUCTS = Exercise(
    "5.3", "the axes of a product", "product_numbers", 1, 15, "section 6",
    hints=(
        "First the contracted axes: in an example of a matrix product they are the last one of a and the first one of "
        "b; where stacks are multiplied, the last but one of b. Then count in the batches.",
        "If both operands have the batch axis, its two places are a pair of batch axes: it runs along in both. If only "
        "one has it, nothing is said of it, as of a row or of a column.",
        "The result has the batch axes, then what is left of a, then what is left of b, each in its order. A batch "
        "axis that is left of b comes out behind all that is left of a.",
    ),
    cases=product_cases,
    mistakes=(
        Mistake(
            "a batch axis of one is one of both",
            "A batch axis of the product is a pair: one axis of each operand. What only one operand has is one of "
            "its free axes.",
            'product_numbers()["left"][0][1] != ((), ())',
            explains=('"left"',),
        ),
        Mistake(
            "the batch axis always comes out in front",
            "Only the axes that both have come out in front. What is left of b comes out behind what is left of a.",
            'product_numbers()["right"][1] == 0',
            explains=('"right"',),
        ),
        Mistake(
            "the contracted axes keep their numbers",
            "They are counted in the batches: an axis behind the batch axis has a number that is larger by 1.",
            'product_numbers()["matrices"][0][0] == ((1,), (0,))',
            explains=('"matrices"',),
        ),
        Mistake(
            "there is only one batch axis",
            "A product of stacks has batch axes of its own. They stay batch axes, behind the new one.",
            'product_numbers()["again"][0][1] == ((1,), (0,))',
            explains=('"again"',),
        ),
    ),
    names=names,
)  # fmt: skip

_WEIGHTS = "rounded(weights_of_first, jnp.array({}), {})"
RAGGED = Exercise(
    "5.4", "weights for what is there", "weights_of_first", 2, 20, "sections 4, 10 and 11",
    hints=(
        "A mask says of each place whether it is there: jnp.arange(length) < n. It has the same shape for every n. And "
        "0 times NaN is NaN, so do not multiply by the mask: choose, with jnp.where.",
        "What is the neutral element of each step? For the maximum it is -infinity. For exp it is -infinity, too: that "
        "gives 0, with slope 0. So choose *before* exp, and no NaN ever goes into it.",
        "If nothing is there, the sum is 0. Divide by the sum where any element is there, and by 1.0 elsewhere.",
    ),
    cases=ragged_cases,
    mistakes=(
        Mistake(
            "a slice as long as n",
            "For one row whose n is known that is fine. Under vmap each row has another n, and no array can have a "
            "shape that is different for each row. A mask can.",
            "is_refused",
            "try:\n    jax.vmap(weights_of_first)(jnp.ones((1, 1)), jnp.array([1]))\n    is_refused = False\n"
            "except (IndexError, TypeError):\n    is_refused = True",
            explains=("jax.vmap(",),
        ),
        Mistake(
            "padding with 0 has a weight",
            "exp(0) is 1, and that goes into the sum. What shall not count must be 0 after exp: -infinity before it.",
            f"{_WEIGHTS.format('[0.0, 7.0]', 1)}[0] == 0.5",
        ),
        Mistake(
            "the mask is a factor",
            "0 times NaN is NaN, and 0 times infinity, too. jnp.where does not look at what it does not take.",
            f"'nan' in str({_WEIGHTS.format('[4.0, jnp.nan]', 1)})",
            explains=("nan", "inf"),
        ),
        Mistake(
            "0 divided by 0",
            "That is NaN. Where nothing is there, divide by 1: the weights are 0 already.",
            f"'nan' in str({_WEIGHTS.format('[4.0, 2.0]', 0)}) and "
            f"'nan' not in str({_WEIGHTS.format('[4.0, jnp.nan]', 1)})",
            explains=("weights_of_first, x, 0)",),
        ),
    ),
    names=names,
)  # fmt: skip

EXERCISES = (SHAPES, ALONG, PRODUCTS, RAGGED, LAW, UPDATE, LOOP, BRANCHES, LANES)
