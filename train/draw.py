"""Numbers that stay the same for ever: PCG64's raw 64-bit stream, shaped by hand.

NumPy promises the stream itself but not the methods that shape it (`random`, `normal`), and
torch promises neither between versions.
Source: https://numpy.org/neps/nep-0019-rng-policy.html; O'Neill 2014, PCG (pcg-random.org).
"""

import numpy as np

# What the streams of one seed are for. Every step's batch has a stream of its own.
VALUES, HELD_OUT, TRAINING = range(3)


def stream(*key: int) -> np.random.PCG64:
    """The bit stream that belongs to a key, for instance (seed, TRAINING, step)."""
    return np.random.PCG64(np.random.SeedSequence(key))


def uniform(bits: np.random.PCG64, shape: tuple[int, ...], bound: float) -> np.ndarray:
    """Float64 values of the given shape, uniform in [-bound, bound)."""
    raw = bits.random_raw(int(np.prod(shape)))
    unit = (raw >> np.uint64(11)) * 2.0**-53  # the top 53 bits, all that a float64 can hold
    return ((2.0 * unit - 1.0) * bound).reshape(shape)


def integers(bits: np.random.PCG64, shape: tuple[int, ...], below: int) -> np.ndarray:
    """Int64 values of the given shape in 0 .. below - 1, even for a power of two."""
    raw = bits.random_raw(int(np.prod(shape)))
    return (raw % np.uint64(below)).astype(np.int64).reshape(shape)
