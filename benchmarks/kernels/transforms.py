"""The Fourier transform by stages and by halves, checksums, and other computations on bits and bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- Fourier ---------------------------------------------------------------------------------------------


def fft_by_stages(x):
    """Radix two without bit reversal (Stockham): each stage sees the data in another shape."""
    n = x.shape[0]
    stages = int(np.log2(n))
    y = x.astype(np.complex128)
    for stage in range(stages):
        groups = 2**stage
        rest = n // (2 * groups)
        pairs = y.reshape(2, rest, groups)
        turn = np.exp(-2j * np.pi * np.arange(rest) / (2 * rest))[:, None]
        even = pairs[0] + pairs[1]
        odd = (pairs[0] - pairs[1]) * turn
        y = np.stack([even, odd], axis=1).reshape(n)
    return y


def bit_reversal(bits):
    """The numbers below ``2**bits`` with their bits in the reverse order."""
    order = np.zeros(1, dtype=np.int64)
    for bit in range(bits):
        order = np.concatenate([order, order + (1 << (bits - 1 - bit))])
    return order


def fft_in_place(x):
    """Radix two in place (Cooley and Tukey, 1965) on views of growing blocks."""
    n = len(x)
    x[:] = x[bit_reversal(n.bit_length() - 1)]
    half = 1
    while half < n:
        blocks = x.reshape(-1, 2 * half)
        turn = np.exp(-1j * np.pi * np.arange(half) / half)
        upper = blocks[:, :half].copy()
        lower = blocks[:, half:] * turn
        blocks[:, :half] += lower
        blocks[:, half:] = upper - lower
        half *= 2


def signal(size: int) -> tuple[Any, ...]:
    """A signal of a power of two."""
    rng = np.random.default_rng(16)
    return (rng.random(2**size) + 1j * rng.random(2**size),)


def other_signals() -> tuple[tuple[Any, ...], ...]:
    """One value, two, real ones, a length that is no power of two."""
    x = signal(2)[0]
    return (x[:1],), (x[:2],), (x.real.copy(),), (np.concatenate([x, x[:2]]),)


# -- checksums -------------------------------------------------------------------------------------------


def crc_16(data, polynomial=0x8408):
    """The checksum of HDLC, bit by bit, with the lowest bit first (ITU-T X.25)."""
    crc = 0xFFFF
    for byte in data:
        b = 0xFF & int(byte)
        for _ in range(8):
            if (crc & 1) ^ (b & 1):
                crc = (crc >> 1) ^ polynomial
            else:
                crc >>= 1
            b >>= 1
    crc = ~crc & 0xFFFF
    return (crc << 8) | ((crc >> 8) & 0xFF)


def crc_table():
    """Compute the contribution of each byte to the checksum of Ethernet."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        odd = table & 1
        table = np.where(odd, (table >> 1) ^ np.uint32(0xEDB88320), table >> 1)
    return table


def crc_32(data):
    """The checksum of Ethernet, byte by byte with a table (IEEE 802.3)."""
    table = crc_table()
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ byte) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
    return crc ^ np.uint32(0xFFFFFFFF)


def message(size: int) -> tuple[Any, ...]:
    """Bytes."""
    return (np.random.default_rng(17).integers(0, 256, size, dtype=np.uint8),)


def other_messages() -> tuple[tuple[Any, ...], ...]:
    """Empty, one byte, all bits set."""
    return (message(0)[0],), (message(1)[0],), (np.full(5, 255, np.uint8),)


def population(words):
    """Count the bits that are set in each word, by sums of neighbours (Warren, *Hacker's Delight*, 5-1)."""
    words = words - ((words >> 1) & 0x55555555)
    words = (words & 0x33333333) + ((words >> 2) & 0x33333333)
    words = (words + (words >> 4)) & 0x0F0F0F0F
    return (words * np.uint32(0x01010101)) >> 24


def neighbours(codes):
    """The distance in bits between all pairs of codes, and who is nearest to each."""
    distances = np.zeros((codes.size, codes.size), dtype=np.uint32)
    nearest = np.zeros(codes.size, dtype=np.intp)
    for i, code in enumerate(codes):
        distances[i] = population(codes ^ code)
        distances[i, i] = 33
        nearest[i] = distances[i].argmin()
    return distances, nearest


def codes(size: int) -> tuple[Any, ...]:
    """Words of 32 bits."""
    return (np.random.default_rng(18).integers(0, 2**32, size, dtype=np.uint32),)


def other_codes() -> tuple[tuple[Any, ...], ...]:
    """None, one, wider ones."""
    words = codes(3)[0]
    return (words[:0],), (words[:1],), (words.astype(np.uint64),)


KERNELS = (
    Kernel(fft_by_stages, signal, 3, 14, other_signals),
    Kernel(fft_in_place, signal, 3, 14, other_signals),
    Kernel(crc_16, message, 6, 1_000, other_messages),
    Kernel(crc_32, message, 6, 5_000, other_messages),
    Kernel(neighbours, codes, 4, 200, other_codes),
)
