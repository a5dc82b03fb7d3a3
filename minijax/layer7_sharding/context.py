"""`set_mesh`: the mesh that PartitionSpecs speak of, and on whose devices new arrays are."""

import contextlib
from collections.abc import Iterator
from typing import Any

from ..layer1_core import config
from ..layer1_core.trace import EVAL, current_trace
from .mesh import AbstractMesh, Mesh, empty_abstract_mesh, get_abstract_mesh
from .named import NamedSharding
from .spec import P


class set_mesh:
    """From here on, or inside of this `with`, `mesh` is the mesh of this thread; None unsets it.

    Raises ValueError inside of a traced function, and for what is no Mesh.
    """

    def __init__(self, mesh: Mesh | None):
        if mesh is not None and not isinstance(mesh, Mesh):
            raise ValueError(f"Expected mesh of type `jax.sharding.Mesh`. Got {type(mesh)}")
        if current_trace.get() is not EVAL:
            raise ValueError("`set_mesh` can only be used outside of `jax.jit`.")
        self._mesh = None if mesh is None or mesh.empty else mesh
        everywhere = None if self._mesh is None else NamedSharding(self._mesh, P())
        self._undo = contextlib.ExitStack()
        self._undo.callback(config.everywhere.set_here(everywhere))
        self._undo.callback(config.abstract_mesh.set_here(self._mesh and self._mesh.abstract_mesh))

    def __enter__(self) -> Mesh | None:
        return self._mesh

    def __exit__(self, *error: Any) -> None:
        self._undo.close()


@contextlib.contextmanager
def use_abstract_mesh(mesh: AbstractMesh) -> Iterator[AbstractMesh]:
    """Inside of this `with`, types speak of the axes of `mesh`; where computations happen does not change.

    Raises ValueError for what is no AbstractMesh, and for one with another number of devices than the mesh here.
    """
    if not isinstance(mesh, AbstractMesh):
        raise ValueError(f"Expected mesh of type `jax.sharding.AbstractMesh`. Got type: {type(mesh)}")
    before = get_abstract_mesh()
    if not before.empty and not mesh.empty and before.size != mesh.size:
        raise ValueError(
            f"use_abstract_mesh cannot change the size of the mesh. Got new mesh: {mesh} with size={mesh.size} and "
            f"prev mesh: {before} with size={before.size}"
        )
    with config.abstract_mesh(None if mesh is empty_abstract_mesh else mesh):
        yield mesh
