"""Layer 7: where arrays live. Devices and meshes, shardings in types, programs for many devices."""
