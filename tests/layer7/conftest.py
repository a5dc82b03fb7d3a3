"""The tests of layer 7 see eight devices, and leave no mesh behind."""

import pytest

from minijax.layer1_core import config


@pytest.fixture(autouse=True)
def eight_devices():
    with config.num_cpu_devices(8), config.abstract_mesh(None), config.everywhere(None):
        yield
