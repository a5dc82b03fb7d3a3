"""Convolutions as products of matrices: what lies under the window at each place is copied to a row, or to a column.

    patches[c, k, l, y, x] = image[n, c, y + k, x + l]      one column for each place
    out[n] = kernel @ patches                               [O, C K L] @ [C K L, Y X]

That is done for a block of places at a time, small enough for the cache: all patches of an image would be as much as so
many images as the window has elements.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..layer1_core import lax
from ..layer1_core.jaxpr import JaxprEqn, Var
from . import blas
from .contracting import few_features
from .loops import ZERO, Buffer, For, Index, Kernel, Load, Product, Statement, Store, counter, flat
from .lowering import Looped, lowering_rules

BLOCK = 1 << 18  # bytes of patches: half of a core's own cache, or less
SLOTS = 16  # how many blocks there is memory for at the same time, at most


def is_product(eqn: JaxprEqn) -> bool:
    """Whether the image is padded already and has places, there is one group, and memory holds images, features and
    places in an order in which those of one image are a matrix.
    """
    params, dtype = eqn.params, eqn.outvars[0].aval.dtype
    padded = any(pad != (0, 0) for pad in params["padding"]) or any(d != 1 for d in params["lhs_dilation"])
    grouped = params["feature_group_count"] > 1 or params["batch_group_count"] > 1
    plain = all(isinstance(v, Var) and v.aval.size and v.aval.dtype == dtype for v in (*eqn.invars, *eqn.outvars))
    _, kernel, out = params["dimension_numbers"]
    in_order = kernel[0] in (0, len(kernel) - 1) and out[0] == 0 and out[1] in (1, len(out) - 1)
    return plain and in_order and len(kernel) > 2 and not padded and not grouped and blas.multiplies(dtype)


def divisor(n: int, most: int) -> int:
    """The largest number up to `most` that divides n."""
    return next(d for d in range(min(n, max(most, 1)), 0, -1) if n % d == 0)


class _Convolution:
    """The sizes of a convolution; axes in the order in which they lie in memory. C: features. K: window. S: places."""

    def __init__(self, eqn: JaxprEqn, letters: Callable[[Var], str]):
        buffers = (Buffer(letters(v), v.aval.shape, v.aval.dtype) for v in (*eqn.invars, *eqn.outvars))  # type: ignore[arg-type]  # no literals
        self.image, self.kernel, self.out = buffers
        self.of_image, of_kernel, of_out = eqn.params["dimension_numbers"]
        self.strides, self.dilation = eqn.params["window_strides"], eqn.params["rhs_dilation"]
        self.features = self.kernel.shape[of_kernel[0]]
        self.features_last = of_kernel[0] != 0  # whether the kernel is [C K, O]
        self.by_features = of_out[1] == 1  # whether the result is [N, O, S]
        self.summed = sorted(range(1, len(of_kernel)), key=lambda k: of_kernel[k])  # 1 for C, k + 2 for an axis of K
        self.sums = [self.kernel.shape[of_kernel[k]] for k in self.summed]
        self.spatial = sorted(range(2, len(of_out)), key=lambda k: of_out[k])
        self.places = [self.out.shape[of_out[k]] for k in self.spatial]
        row = math.prod(self.sums) * math.prod(self.places[1:]) * self.out.dtype.itemsize
        self.rows = divisor(self.places[0], BLOCK // row)  # of places, in a block

        sums = [(f"k{k}", size) for k, size in zip(self.summed, self.sums, strict=True)]
        places = [(f"s{k}", size) for k, size in zip(self.spatial, [self.rows, *self.places[1:]], strict=True)]
        self.loops = dict([*sums, *places] if self.by_features else [*places, *sums])  # of a copy, the first outermost

    def at(self, loop: str) -> Index:
        """The place that a loop has come to."""
        return counted(loop, self.loops[loop])

    def source(self, image: Index, block: Index) -> Index:
        """Where an element of a patch stands in the images."""
        at = [image] * len(self.of_image)
        at[self.of_image[1]] = self.at("k1")
        for k, (stride, step) in enumerate(zip(self.strides, self.dilation, strict=True), 2):
            place = self.at(f"s{k}") + (block * self.rows if k == self.spatial[0] else 0)
            at[self.of_image[k]] = place * stride + self.at(f"k{k}") * step
        return flat(at, self.image.shape)


def product_kernel(eqn: JaxprEqn, name: str, letters: Callable[[Var], str]) -> Kernel:
    """For each block of places of each image: the copy of what lies under the window, and the product."""
    conv = _Convolution(eqn, letters)
    out, images, blocks = conv.out, conv.image.shape[conv.of_image[0]], conv.places[0] // conv.rows
    (slots, image, block), loops = _shared(images, blocks)
    patches = Buffer(f"{out.name}_patches", (slots, *conv.loops.values()), out.dtype)
    to = flat([counter("i0"), *map(conv.at, conv.loops)], patches.shape)
    copy: list[Statement] = [Store(patches.name, to, Load(conv.image.name, conv.source(image, block), out.dtype))]
    body = [*_nest([*conv.loops.items()], copy), _product(conv, patches, image, block)]
    outputs = [out, patches]
    return Kernel(name, [conv.image, conv.kernel], outputs, _nest([("i0", slots), *loops], body), in_order=slots == 1)


def _shared(images: int, blocks: int) -> tuple[tuple[int, Index, Index], list[tuple[str, int]]]:
    """How the work is shared: slots, the image and the block of a round, and the loops inside of that over slots."""
    by_images = divisor(images, SLOTS) > 1 or blocks == 1
    slots = divisor(images if by_images else blocks, SLOTS)
    within = [images // slots, blocks] if by_images else [images, blocks // slots]  # each slot
    image, block = (counted(f"i{k}", n) for k, n in enumerate(within, 1))
    if by_images:
        image += counter("i0") * within[0]
    else:
        block += counter("i0") * within[1]
    return (slots, image, block), [("i1", within[0]), ("i2", within[1])]


def counted(loop: str, extent: int) -> Index:
    """The place that a loop has come to. (One of a single round is not written.)"""
    return counter(loop) if extent > 1 else ZERO


def _product(conv: _Convolution, patches: Buffer, image: Index, block: Index) -> Product:
    """The product for a block of places."""
    sums, rest = math.prod(conv.sums), math.prod(conv.places[1:])
    here, places = conv.rows * rest, conv.places[0] * rest  # of a block, and of an image
    begins = block * (here if conv.by_features else here * conv.features)
    out = Load(conv.out.name, image * (places * conv.features) + begins, conv.out.dtype)
    kernel = Load(conv.kernel.name, ZERO, conv.out.dtype)
    patch = Load(patches.name, counter("i0") * (sums * here), conv.out.dtype)
    if conv.by_features:
        sizes, turned = (conv.features, sums, here), (conv.features_last, False)
        return Product(out, kernel, patch, sizes, turned, places if places != here else None)
    return Product(out, patch, kernel, (here, sums, conv.features), (False, not conv.features_last))


def _nest(loops: Sequence[tuple[str, int]], body: list[Statement]) -> list[Statement]:
    for name, extent in reversed(loops):
        body = [For(name, extent, body)] if extent > 1 or name == "i0" else body
    return body


lowering_rules[lax.conv.conv_general_dilated_p] = replace(few_features, instead=Looped(product_kernel, is_product))
