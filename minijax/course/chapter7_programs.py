"""The exercises of chapter 7 for functions of one device: two layers, a ring, a gradient, attention."""

from .chapter7_cases import names
from .chapter7_program_cases import attention_cases, gradient_cases, layer_cases, sum_cases
from .exercise import Exercise, Mistake

_ARGS = "args = some((3, 2), (2, 4), (4,), (4, 2), (2,))\nf = parallel_mlp(auto_mesh(x=2))"
LAYERS = Exercise(
    "7.6", "a layer on many devices", "parallel_mlp", 2, 25, "07c, section 13",
    hints=(
        "Let each device have some of the hidden units. Then it needs their columns of w1, their elements of b1, and "
        "their rows of w2. It needs all of x.",
        "With some hidden units a device gets a summand of the result, of the full shape. The sum of these over the "
        "devices is one lax.psum.",
        "b2 is there once. If each device adds it before the sum, it is added as often as there are devices. The "
        "specs of the arguments are P() for what is whole, P(None, 'x') for columns and P('x') for rows.",
    ),
    cases=layer_cases,
    mistakes=(
        Mistake(
            "the last bias is added on each device",
            "It goes into the sum as often as there are devices. Add it after the sum.",
            "rounded(f, *args[:3], 0 * args[3], jnp.ones(2))[0] == [2.0, 2.0]",
            _ARGS,
            explains=("near(",),
        ),
        Mistake(
            "all weights are on each device",
            "It is right, and each device does all of the work and holds all of the weights. Then why have several?",
            "part_shapes(f, *args) == [x.shape for x in args] and near(mlp, f, *args) == rounded(mlp, *args)",
            _ARGS,
        ),
        Mistake(
            "the hidden units are gathered",
            "Nobody needs all of them at one place: the second product takes them part by part, with the rows of w2.",
            "'all_gather' in talk(f, *args)",
            _ARGS,
            explains=("talk(", "part_shapes("),
        ),
        Mistake(
            "the first product is cut along its sum",
            "Then the sum over devices comes before the nonlinear function, on hidden units, of which there are more "
            "than of results; and the second product is not shared at all.",
            "part_shapes(f, *args)[:2] == [(3, 1), (1, 4)]",
            _ARGS,
        ),
    ),
    names=names,
)  # fmt: skip

_AROUND = "mesh = auto_mesh(x=4)\nx = jnp.arange(16)\nf = on_each(lambda x: ring_sum(x, 'x'), mesh)"
RING = Exercise(
    "7.7", "a sum around a ring", "ring_sum", 3, 35, "07c, section 13",
    hints=(
        "x.reshape(n, -1) has the n parts as rows. In the first round a device sends one part to the next device, and "
        "adds what it gets to its own part of the same number; that sum it sends on. It is enough to hold one part in "
        "a variable.",
        "Device `me` begins with its part number me. So in step k it gets a sum of part number me - k, and adds its "
        "own. After n - 1 steps it has the complete sum of part number me + 1. All numbers modulo n.",
        "In the second round the complete sums go around, and nothing is added: in step k comes the one of part number "
        "me + 1 - k. Put each in its place with .at[...].set(...).",
    ),
    cases=sum_cases,
    mistakes=(
        Mistake(
            "the whole array goes around",
            "It is right, and each device sends n - 1 whole arrays. In parts it is less than two, however many devices "
            "there are.",
            "numbers(f, x) == numbers(on_each(lambda x: lax.psum(x, 'x'), mesh), x) and talk(f, x) == {'ppermute': 12}",
            _AROUND,
            explains=("talk(",),
        ),
        Mistake(
            "it is psum under another name",
            "A collective does it, yes. Here it is to be made of ppermute alone.",
            "'psum' in talk(f, x) or 'psum_scatter' in talk(f, x) or 'reduce_scatter' in talk(f, x)",
            _AROUND,
        ),
        Mistake(
            "the second round is missing",
            "After the first round each device has one complete part, and what it had before in the others. Send the "
            "complete parts around, too.",
            "talk(f, x) == {'ppermute': 3}",
            _AROUND,
        ),
        Mistake(
            "what is added has another number",
            "What comes in step k began k devices before, as their own part: number me - k. Add your own part of that "
            "number.",
            "numbers(f, x)[:4] in ([27, 31, 35, 27], [30, 30, 30, 30])",
            _AROUND,
        ),
        Mistake(
            "in the second round it is added again",
            "What comes around in the second round is complete. Put it in place of your own part.",
            "sorted({*numbers(f, jnp.ones(16))}) == [4.0, 5.0]",
            _AROUND,
        ),
    ),
    names=names,
)  # fmt: skip

_LOSS = (  # on one device the loss is 10, and so is its derivative
    "loss = lambda w, x: jnp.mean(w * w * x)\nargs = jnp.float32(2), jnp.array([[1.0, 2.0], [3.0, 4.0]])\n"
    "f = data_parallel(mean_gradient, loss, auto_mesh(x=2))"
)
_SENT = "talk(f, *args)['psum']"
GRADIENT = Exercise(
    "7.8", "one sum for many batches", "mean_gradient", 3, 30, "07c, sections 9 to 11",
    hints=(
        "The parameters are the same on all devices. Where they meet what differs, a pvary is put in, and its "
        "transpose is a sum over devices: in each step of the loop. Make them vary before the loop: lax.pcast(params, "
        "name, to='varying'). Then the derivative of a device is its own.",
        "Let lax.scan run along the batches; jax.value_and_grad(loss) gives what is to be added up. The carry begins "
        "with zeros. Its type must be the same before and after a step, so make the zeros vary, too.",
        "After the loop, divide by the number of batches, and take the mean over the devices, lax.pmean, of the loss "
        "and of each derivative.",
    ),
    cases=gradient_cases,
    mistakes=(
        Mistake(
            "the derivative was summed already",
            "The derivative with respect to what all devices have the same is the sum over the devices: the transpose "
            "of pvary has done it, in each step of the loop. A mean of that is n times too large.",
            f"{_SENT} > 2 and rounded(f, *args) == (10.0, 20.0)",
            _LOSS,
        ),
        Mistake(
            "a sum in each step",
            "The numbers are right. But the devices speak to each other in each step, and they need to do it only "
            "once, after the loop.",
            f"{_SENT} > 2 and rounded(f, *args) == (10.0, 10.0)",
            _LOSS,
            explains=("talk(",),
        ),
        Mistake(
            "the carry begins with what does not vary",
            "Zeros are the same on all devices, the sum after a step is not, and their types say so. A carry must have "
            "one type.",
            "str(refusal(f, *args)).startswith('TypeError: scan body function carry input and carry output')",
            _LOSS,
        ),
        Mistake(
            "each device has its own",
            "Without a mean over the devices, each has the derivative for its own examples. shard_map sees it in the "
            "type, and refuses to call that one result.",
            "'out_specs' in str(refusal(f, *args))",
            _LOSS,
        ),
        Mistake(
            "sums in the place of means",
            "Each device has the mean over its part. The mean over the whole is the mean of these, and not their sum; "
            "and it is a mean over the batches as well.",
            f"{_SENT} == 2 and rounded(f, *args) in [(k * 10.0, k * 10.0) for k in (2, 4)]",
            _LOSS,
        ),
    ),
    names=names,
)  # fmt: skip

_QKV = "args = some((4, 2), (4, 2), (4, 1))\nmesh = auto_mesh(x=2)"
_RUN = "on_each(lambda q, k, v: ring_attention(q, k, v, 'x'), mesh)"
_CAUSAL = "on_each(lambda q, k, v: ring_attention(q, k, v, 'x', causal=True), mesh)"
_RISING = "args = jnp.ones((2, 1)), jnp.array([[0.0], [20.0]]), jnp.array([[2.0], [1.0]])\nmesh = auto_mesh(x=2)"
ATTENTION = Exercise(
    "7.9", "boss: ring attention", "ring_attention", 4, 60, "07c, sections 9 and 13; exercise 7.7",
    hints=(
        "A device keeps its queries. For these it holds three things: the largest score so far (of each query), the "
        "sum of exp(score - largest) so far, and the sum of that times the values. With a new block of scores, the "
        "largest may become larger: then both sums are multiplied with exp(old largest - new largest), and the new "
        "block is added.",
        "Begin with the device's own block, without sending anything. Then a lax.scan of n - 1 steps: the keys and "
        "the values go on to the next device by lax.ppermute, so in step i there are those of device me - i, modulo "
        "n. At the end the third is divided by the second.",
        "For causal attention, compute the places in the whole: block number times len(q), plus jnp.arange(len(q)), "
        "for the queries and for the keys that are here at the moment. Scores of later keys become -inf. The own "
        "block comes first and has the diagonal, so the largest score is never -inf.",
    ),
    cases=attention_cases,
    mistakes=(
        Mistake(
            "nothing is taken away from the scores",
            "exp(100) is more than float32 can hold. Take away the largest score that there was so far.",
            f"'nan' in str(rounded({_RUN}, *args)) and near(attention, {_RUN}, *small) == rounded(attention, *small)",
            "args = some((4, 2), (4, 2), (4, 1), scale=15.0)\n"
            "small = some((4, 2), (4, 2), (4, 1))\nmesh = "
            "auto_mesh(x=2)",
            explains=("scale=15.0",),
        ),
        Mistake(
            "old sums are not made smaller",
            "When a larger score comes, all that was summed before is too large by exp(new largest - old largest): the "
            "weights in `total`, and the values in `out`.",
            f"rounded({_RUN}, *args) in ([[1.5], [1.0]], [[0.5], [1.0]], [[3.0], [1.0]])",
            _RISING,
        ),
        Mistake(
            "a mean of softmaxes",
            "Each block has weights with the sum 1 then, however large its scores are. Divide once, by the sum over "
            "all blocks.",
            f"rounded({_RUN}, *args) == [[1.5], [1.5]]",
            _RISING,
        ),
        Mistake(
            "places are counted in the block",
            "The first key of a block is not the first of all. Add the number of the block times its length.",
            f"rounded({_CAUSAL}, *args) == [[1.0], [1.5], [1.0], [1.5]]",
            "args = [jnp.zeros((4, 1))] * 2 + [jnp.arange(4.0).reshape(4, 1)]\nmesh = auto_mesh(x=2)",
            explains=("causal=True",),
        ),
        Mistake(
            "all keys are gathered",
            "Then each device holds all keys and all values, and the scores of its queries with all of them: what a "
            "ring avoids.",
            f"'all_gather' in talk({_RUN}, *args)",
            _QKV,
            explains=("talk(",),
        ),
    ),
    names=names,
)  # fmt: skip
