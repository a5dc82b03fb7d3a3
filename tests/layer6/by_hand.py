"""Threefry in Python's own integers, for the tests of layer 6: nothing of the package is in it."""

MASK = (1 << 32) - 1
ROTATIONS = (13, 15, 26, 6), (17, 29, 16, 24)


def threefry(key: tuple[int, int], counter: int) -> tuple[int, int]:
    """The two words of a counter under a key."""
    k = [*key, key[0] ^ key[1] ^ 0x1BD11BDA]
    x, y = (counter >> 32) + k[0] & MASK, (counter & MASK) + k[1] & MASK
    for group in range(5):
        for turn in ROTATIONS[group % 2]:
            x = x + y & MASK
            y = (y << turn & MASK | y >> 32 - turn) ^ x
        x, y = x + k[(group + 1) % 3] & MASK, y + k[(group + 2) % 3] + group + 1 & MASK
    return x, y


def bits(key: tuple[int, int], width: int, count: int) -> list[int]:
    """The first numbers of so many bits."""
    pairs = [threefry(key, i) for i in range(count)]
    if width == 64:
        return [x << 32 | y for x, y in pairs]
    return [(x ^ y) & (1 << width) - 1 for x, y in pairs]
