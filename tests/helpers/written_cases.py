"""Calls of NumPy's functions that are written in others: expressions, and random arguments for them."""

import random

import numpy as np

EXPRESSIONS = """
np.convolve(x, k, MODE)
np.correlate(x, k, MODE)
np.convolve(x, [0.25, 0.5, 0.25], MODE)
np.convolve(x, y, MODE)
np.trapezoid(x)
np.trapezoid(x, y)
np.trapezoid(m, dx=s, axis=AXIS)
np.gradient(x)
np.gradient(x, s)
np.gradient(x, y)
np.gradient(x, np.arange(len(x)) * 0.5)
np.gradient(m, np.cumsum(m[0]), axis=1)
np.gradient(x, y, edge_order=2)
np.gradient(m)
np.gradient(m, 0.5, axis=AXIS)
np.gradient(m, 0.5, 2.0)
np.gradient(x, 0.5, edge_order=2)
np.gradient(m, axis=AXIS, edge_order=2)
np.ediff1d(x)
np.unwrap(x * 4.0)
np.unwrap(m * 4.0, axis=AXIS)
np.polyval([1.0, -0.5, 2.0], x)
np.polyval(k, x)
np.polyval([1, 2, 3], m)
np.ptp(x)
np.ptp(m, axis=AXIS)
np.average(x)
np.average(x, weights=y)
np.average(m, axis=AXIS)
np.average(m, axis=AXIS, weights=w)
np.average(m, axis=1, weights=m[0])
np.cov(x, y)
np.corrcoef(x, y)
np.nansum(x)
np.nansum(m, axis=AXIS)
np.nanmean(x)
np.nanmean(m, axis=AXIS)
np.nanstd(x)
np.nanvar(m, axis=AXIS)
np.nanvar(x, ddof=1)
np.nanprod(x)
np.nanmax(x)
np.nanmin(x)
np.nan_to_num(m)
np.median(m, axis=AXIS)
np.sort(m, axis=AXIS)
np.unique(x)
np.unique(x, return_counts=True)
np.unique(x, return_inverse=True)
np.percentile(x, 30)
np.percentile(x, [25, 75])
np.percentile(m, 40, axis=AXIS)
np.quantile(m, 0.3)
np.quantile(x, 0.75)
np.digitize(x, np.sort(k))
np.digitize(x, k, right=True)
np.histogram(x, bins=4, range=(-1.0, 1.5))
np.histogram(x)
np.histogram(x, bins=np.sort(y))
np.histogram(x, np.linspace(-2.0, 2.0, 30))
np.isnan(m)
np.isinf(x) | np.isfinite(y)
np.flip(x) * 2
np.flip(m) * 2
np.flip(m, AXIS) * 2
np.flipud(m) * 2
np.fliplr(m) * 2
np.expand_dims(x, 0) * 2
np.expand_dims(m, AXIS) * 2
np.squeeze(x[None, :]) * 2
np.atleast_2d(np.atleast_1d(x)) * 2
np.transpose(m)[0] * 2
np.swapaxes(m, 0, 1)[0] * 2
np.moveaxis(m, 0, 1)[0] * 2
np.tile(x, 3)
np.tile(x, n)
np.tile(m, (2, 3))
np.repeat(x, n)
np.repeat(m, 2, axis=AXIS)
np.repeat(m, 2)
np.append(x, y)
np.append(x, s)
np.take(x, i)
np.take(x, [0, 1])
np.take(m, i, axis=0)
np.take_along_axis(m, j, axis=1)
np.meshgrid(x, y)
np.meshgrid(x, k, indexing='ij')
np.diag(x)
np.triu(m)
np.tril(m, -1)
np.linspace(0.0, s, n)
np.linspace(s, 1, n, endpoint=False)
np.arange(0.0, 3.0 + s, 0.25)
np.arange(n, dtype=float)
np.arange(s, -2.0, -0.3)
np.select([x > 0.5, x < 0.0], [x, -x], 0.25)
np.nonzero(x)
np.flatnonzero(x)
np.where(x > 0)
np.full_like(m, 2)
np.delete(x, 1)
np.delete(x, -1)
np.insert(x, 1, 0.5)
np.cross(v, u)
np.cross(p, v)
np.cross(p, p[::-1])
np.kron(a, m)
np.kron(x, k)
np.inner(x, y)
np.vdot(x, y)
np.tensordot(a, a, axes=1)
b @ b
np.matmul(b, b)
b @ a
a @ b
b @ a[0]
a[0] @ b
np.linalg.norm(x, 1)
np.linalg.norm(x, 2)
np.linalg.norm(x, np.inf)
np.linalg.norm(m, axis=AXIS)
np.linalg.norm(m, axis=AXIS, keepdims=True)
np.linalg.norm(m, 'fro')
np.add.reduce(m)
np.minimum.reduce(x)
np.multiply.reduce(x)
np.maximum.reduce(m)
np.clip(x, y, y + 1.0)
np.clip(x, None, 0.5)
np.clip(x, 0.25, None)
np.clip(x, a_min=0.0, a_max=0.5)
x.clip(min=0.0)
x.clip(0.0, y)
np.isclose(x, y)
np.isclose(x, 0.5)
np.allclose(x, y)
np.array_equal(x, y)
np.count_nonzero(m, axis=AXIS)
np.power(x, 3)
np.power(x, 2.0)
np.argsort(x)
np.argsort(x, kind='stable')
np.lexsort((x, y))
np.unravel_index(1, m.shape)
np.argsort(m, axis=AXIS)
np.vander(x, 4)
np.vander(x, 3, increasing=True)
np.diff(x, prepend=0.5)
np.diff(x, 2, prepend=-1, append=1.5)
np.round(x, 2)
np.round(m)
np.add.accumulate(m, axis=AXIS)
np.multiply.accumulate(x)
np.maximum.accumulate(x)
np.minimum.accumulate(x)
np.roll(m, (1, -2), axis=(0, 1))
np.fft.fft(x)
np.fft.fftshift(x)
np.fft.ifftshift(x)
np.hanning(n)
np.hamming(n)
np.blackman(n)
np.fft.ifft(x)
np.fft.rfft(x, n)
np.fft.irfft(np.fft.rfft(x), len(x))
np.fft.irfft(np.fft.fft(x, n) * 2.0)
np.einsum('i,i->', x, y)
np.einsum('ij,j->i', m, m[0])
np.einsum('ij,ij->i', m, w)
np.einsum('ij,ij', m, w)
np.einsum('ij,jk->ik', a, m)
np.einsum('i,ij->j', m[:, 0].copy(), w)
np.einsum('i,j->ij', x, k)
np.einsum('ij,kj->ik', m, w)
np.einsum('bij,bjk->bik', b, b)
np.einsum('bij,bj->bi', b, b[:, 0].copy())
np.einsum('ij,ij->j', m, w)
""".split("\n")[1:-1]
"""What is called, of the arguments that `arguments` makes; ``MODE`` and ``AXIS`` stand for several."""
NAMES = "xykmwabpvuijsn"
SIZES = (0, 1, 2, 3, 4, 5, 8, 11, 13, 17, 40, 200)
SHORT = (1, 2, 3, 12, 5, 11, 20)
ORDINARY = (0, 1)
"""The seeds of plain numbers in plain arrays."""


def calls():
    """Return all expressions, each as often as it has modes or axes."""
    found = []
    for one in EXPRESSIONS:
        modes = [one.replace("MODE", repr(mode)) for mode in ("full", "same", "valid")]
        axes = [one.replace("AXIS", axis) for axis in ("0", "1", "-1")]
        found += modes if "MODE" in one else axes if "AXIS" in one else [one]
    return found


def arguments(seed):
    """Return random arguments by name: of several dtypes, sizes and layouts, with NaN, zeros of both signs, ties, infinities."""
    chance = random.Random(seed)
    rng = np.random.default_rng(seed)
    dtype = chance.choices(["f8", "f4", "i8", "c16", "?", "i1"], [12, 2, 2, 1, 1, 1])[0]
    size, rows, columns, short = map(chance.choice, (SIZES, (1, 2, 3, 4, 6), (1, 2, 3, 5, 9, 16), SHORT))
    if seed in ORDINARY:
        dtype, size, rows, columns, short = "f8", 13, 4, 5, SHORT[2 + seed]
    shapes = {
        "x": (size,),
        "y": (size,),
        "k": (short,),
        "m": (rows, columns),
        "w": (rows, columns),
        "a": (rows, rows),
        "b": (columns, rows, rows),
        "p": (rows, 3),
        "v": (3,),
        "u": (3,),
    }
    found = {
        name: rng.normal(size=shape)
        if seed in ORDINARY
        else _laid_out(_numbers(shape, dtype, chance, rng), chance)
        for name, shape in shapes.items()
    }
    found["i"] = rng.integers(-3, 4, size=chance.choice([0, 2, 5]))
    found["j"] = rng.integers(-3, 3, size=(rows, chance.choice([0, 1, 4])))
    found["s"] = (
        0.5 if seed in ORDINARY else chance.choice([-1.25, 3.0, 0.0, np.float64(2.5), np.float64(-1.0), 2])
    )
    found["n"] = 5 if seed in ORDINARY else chance.choice([0, 1, 2, 5, 33, -1])
    return found


def _numbers(shape, dtype, chance, rng):
    numbers = rng.normal(size=shape)
    numbers = chance.choice(
        [
            *(numbers, numbers, np.round(numbers), np.sort(numbers, axis=-1), np.full(shape, -0.0)),
            np.where(rng.random(shape) < 0.3, np.nan, numbers),
            np.where(rng.random(shape) < 0.4, np.copysign(0.0, numbers), numbers),
            np.where(rng.random(shape) < 0.2, np.inf, numbers),
            numbers * 1e300,
        ]
    )
    if dtype in ("i8", "i1"):
        return np.nan_to_num(np.clip(numbers * 4, -100, 100)).astype(dtype)
    with np.errstate(all="ignore"):
        return numbers > 0 if dtype == "?" else numbers.astype(dtype)


def _laid_out(array, chance):
    """Return an array as it is, with other axes, with steps between its items, or backwards."""
    way = chance.random()
    if way < 0.6:
        return array
    if way < 0.7:
        return np.asfortranarray(array)
    if way < 0.85:
        wide = np.empty(tuple(2 * size for size in array.shape), array.dtype)
        part = wide[tuple(slice(None, None, 2) for _ in array.shape)]
        part[...] = array
        return part
    return np.ascontiguousarray(array[::-1])[::-1]
