"""Programs with complex numbers that native code has to run as NumPy and Python do: each function with its calls."""

import math

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()
CHAINS, chained_with = registry()
BACKWARDS, backwards_with = registry()
"""Programs that no kernel runs for some of their calls."""


def numbers(*shape, dtype=np.complex128, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)


PARTS = (0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e-200, -1e200)
SPECIAL = np.array([complex(a, b) for a in PARTS for b in PARTS])
SINGLE = np.complex64


# -- scalars in loops ------------------------------------------------------------------------------------------


@called_with(
    lambda: (numbers(5), 9),
    lambda: (numbers(5, dtype=SINGLE), 9),
    lambda: (numbers(0), 3),
    lambda: (numbers(12)[::3], 0),
    lambda: (SPECIAL, 4),
)
def steps_to_leave_a_circle(c, n):
    steps = np.zeros(c.shape, np.int64)
    for i in range(c.shape[0]):
        z = 0j
        for k in range(n):
            z = z * z + c[i]
            if abs(z) > 2.0:
                steps[i] = k
                break
    return steps


@called_with(
    lambda: (np.linspace(-2, 1, 5), np.linspace(-1, 1, 4), 9, np.zeros((5, 4))),
    lambda: (np.array([1e200, -0.0]), np.array([0.0, np.inf]), 9, np.zeros((2, 2))),
    lambda: (np.ones(0), np.ones(2), 9, np.zeros((0, 2))),
)
def squares_of_pythons_numbers(xs, ys, n, out):
    for i in range(len(xs)):
        for j in range(len(ys)):
            c = complex(xs[i], ys[j])
            z = c
            k = 0
            while k < n and z.real * z.real + z.imag * z.imag < 4.0:
                z = z**2 + c
                k += 1
            out[i, j] = k + z.real


@called_with(lambda: (numbers(7),), lambda: (numbers(1),), lambda: (numbers(0),), lambda: (SPECIAL[20:23],))
def fourier_sums(x):
    n = len(x)
    out = np.zeros(n, complex)
    for k in range(n):
        s = 0j
        for j in range(n):
            s += x[j] * np.exp(-2j * np.pi * k * j / n)
        out[k] = s
    return out


@called_with(
    lambda: (numbers(6), numbers(6, seed=1), numbers(6), np.zeros(6)),
    lambda: (numbers(6), np.array([1, 0, 2, 3, 4, 5j]), numbers(6), np.zeros(6)),
    lambda: (numbers(6), np.array([1, np.nan, 2, 3, 4, 5j]), numbers(6), np.zeros(6)),
    lambda: (numbers(12)[::-2], numbers(6, seed=1), numbers(9), np.zeros(6)),
    lambda: (numbers(6), numbers(6), numbers(3), np.zeros(6)),
)
def parts_and_quotients(a, b, o, r):
    for i in range(len(a)):
        o[i] = a[i].conjugate() * 2.0 + 1j * b[i].real / (1.0 + 2j) - a[i] / b[i]
        r[i] = a[i].real - np.imag(b[i]) + np.abs(a[i]) + np.real(b[i]) + (a[i] == b[i]) + (a[i] != 0)


@called_with(
    lambda: (1 + 2j, 0.5j, 5),
    lambda: (1 + 2j, 0j, 5),
    lambda: (complex(np.inf, 1), 1 - 1j, 5),
    lambda: (complex(np.nan, -0.0), complex(-0.0, 1e-300), 5),
    lambda: (1 + 2j, 0.5j, 0),
)
def quotients_of_pythons_numbers(a, b, n):
    total = a
    for i in range(n):
        total = (total + 1.5) / b - i * total
        total = total.conjugate() * (2 - total.imag) if total else a
    return total, abs(b)


@called_with(
    *(lambda number=number: (SPECIAL.copy(), number, np.zeros(4)) for number in (1.5, np.float64(-0.0), 2)),
    lambda: (numbers(5), np.complex128(1 - 2j), np.zeros(5)),
    lambda: (numbers(5, dtype=SINGLE), np.complex64(1 - 2j), np.zeros(5)),
    lambda: (numbers(5, dtype=SINGLE), 3j, np.zeros(5)),
)
def elements_beside_other_numbers(a, number, r):
    for i in range(min(len(a), len(r))):
        x = a[i]
        a[i] = x * number + number * x - (x - number) * 1j
        a[i] += number
        r[i] = (x * x.conjugate()).real + (number - x).imag


@called_with(
    lambda: (np.array([-1e-200, 2.0, -0.0]), np.array([1e-200 - 1j, 3j, 1.0])),
    lambda: (np.array([-1e-200, 2.0], np.float32), np.array([1e-20 - 1j, 3j], SINGLE)),
    lambda: (np.array([-1e-200, 2.0]), np.array([1e-20 - 1j, 3j], SINGLE)),
    lambda: (np.array([3, 2**53 + 1]), np.array([1e-20 - 1j, 3j])),
)
def real_numbers_beside_complex_ones(x, z):
    total = z[0]
    for i in range(len(x)):
        z[i] = x[i] * z[i] + 1j * x[i] - z[i] * x[i] / (x[i] + 2j) * total
    return z


@called_with(lambda: (numbers(4), 3), lambda: (numbers(4, dtype=SINGLE), 0), lambda: (SPECIAL.copy(), 1))
def powers(a, n):
    total = 1.5 - 0.5j
    for _ in range(n):
        for i in range(len(a)):
            a[i] = a[i] ** 2 * 0.5
        total = total**2 + 0.25
    return total


@called_with(
    lambda: (numbers(5) / 2, 9, True),
    lambda: (np.array([-1.0, complex(-1.0, -0.0), 1j]), 3, False),
    lambda: (numbers(5), 0, True),
    lambda: (SPECIAL, 1, True),
)
def squares_of_either(c, n, halves):
    found = np.zeros_like(c)
    for i in range(len(c)):
        z = 0j
        for _ in range(n):
            z = z**2 + c[i]
            if halves and abs(z) > 1:
                z = z * 0.5
        found[i] = z
    return found


@called_with(lambda: (numbers(5), 2), lambda: (numbers(5), 7), lambda: (SPECIAL.copy(), 2))
def gives_up_in_the_middle(a, n):
    for i in range(n):
        a[i] = a[i] * (2 - 1j)
    return a


@called_with(lambda: (numbers(4), True), lambda: (numbers(4), False), lambda: (numbers(0), True))
def one_of_two_numbers(a, flag):
    best = 1j
    for i in range(len(a)):
        z = a[i] if flag and a[i].real > 0 else best * 1.0
        if z != best:
            best = z
    return best


# -- arrays in loops -------------------------------------------------------------------------------------------


@called_with(
    lambda: (numbers(6), numbers(6, seed=1), 2),
    lambda: (numbers(6, dtype=SINGLE), numbers(6, seed=1, dtype=SINGLE), 2),
    lambda: (numbers(12)[::2], numbers(18, seed=1)[::3], 3),
    lambda: (numbers(6)[::-1], numbers(6, seed=1), 2),
    lambda: (SPECIAL.copy(), SPECIAL[::-1].copy(), 1),
    lambda: (numbers(6), numbers(5), 2),
    lambda: (numbers(1), numbers(1), 2),
)
def rows_of_elements(a, b, n):
    for _ in range(n):
        a[1:] = a[:-1] * b[1:] + np.conj(a[1:]) / 2
        a.real[0] = 1.0
        a.imag[1:] -= a.real[:-1]
        a *= np.exp(1j * b.real)
    return np.abs(a).sum(), a.real.sum()


@called_with(
    lambda: (numbers(4, 3), 3, np.zeros((4, 3))),
    lambda: (numbers(3, 4).T, 3, np.zeros((4, 3))),
    lambda: (np.zeros((0, 3), complex), 3, np.zeros((0, 3))),
    lambda: (numbers(4, 3, dtype=SINGLE), 3, np.zeros((4, 3))),
    lambda: (numbers(1, 1), 3, np.zeros((1, 1))),
)
def julia(z, n, count):
    c = -0.8 + 0.156j
    for _ in range(n):
        inside = np.abs(z) < 2.0
        z[...] = np.where(inside, z * z + c, z)
        count += inside
    return count


@called_with(lambda: (numbers(8),), lambda: (numbers(16, dtype=SINGLE),), lambda: (numbers(1),))
def fourier_transform(x):
    y = x.copy()
    n = len(y)
    half = 1
    while half < n:
        turn = np.exp(-1j * np.pi * np.arange(half) / half)
        for start in range(0, n, 2 * half):
            low = y[start : start + half].copy()
            high = y[start + half : start + 2 * half] * turn
            y[start : start + half] = low + high
            y[start + half : start + 2 * half] = low - high
        half *= 2
    return y


@called_with(
    lambda: (numbers(3, 3), numbers(3, 3, seed=1), numbers(3), 3),
    lambda: (numbers(5, 5, dtype=SINGLE), numbers(5, 5, seed=1, dtype=SINGLE), numbers(5, dtype=SINGLE), 2),
    lambda: (numbers(3, 3), numbers(3, 3, seed=1), numbers(4), 3),
)
def products_of_matrices(a, b, v, n):
    total = np.zeros(1, v.dtype)
    for _ in range(n):
        a[...] = a @ b / 4
        v[...] = a @ v
        total[0] += v @ v + np.dot(v, a[0])
    return total


@called_with(
    lambda: (numbers(9),),
    lambda: (numbers(300) * 10.0 ** np.arange(300) / 1e150,),
    lambda: (numbers(0),),
    lambda: (np.array([complex(-0.0, -0.0)]),),
    lambda: (numbers(40)[::2],),
)
def totals(a):
    found = np.zeros(3, complex)
    for i in range(3):
        found[i] = a.sum() + a[i:].sum() * 2j
    return found


@called_with(
    lambda: (numbers(5, 4), np.array([3, 0, 0])),
    lambda: (numbers(5, 4), np.array([3, 7, 0])),
    lambda: (numbers(2, 1), np.array([0, 1])),
)
def named_items(a, places):
    for j in range(a.shape[1]):
        a[places, j] = a[places, j] * 1j
        a.imag[places, j] = 0.5
        a[:, j][a[:, j].real > 0] = 0
    return a.imag.copy()


@called_with(lambda: (numbers(6), np.zeros(6)), lambda: (SPECIAL.copy(), np.zeros(len(SPECIAL))))
def functions_of_complex_numbers(a, r):
    for i in range(len(a)):
        z = np.sqrt(a[i]) + np.sin(a[i]) * np.exp(a[i])
        r[i] = np.angle(a[i]) + math.sqrt(np.isnan(z) + 1.0)
        a[i] = z


@called_with(
    lambda: (numbers(4), 3),
    lambda: (numbers(1, seed=3), 3),
    lambda: (numbers(1, 1, seed=4), 3),
    lambda: (numbers(3, 1, dtype=SINGLE), 3),
)
def products_in_place(a, n):
    """NumPy's loop takes one element that is multiplied in place for a reduction."""
    for i in range(n):
        a *= a[0].conjugate() * 2.0
        a += a[0]
        np.multiply(a, a * 0.5, out=a)
    return a


@called_with(
    lambda: (numbers(16), 2, 4),
    lambda: (numbers(27, dtype=SINGLE), 3, 3),
    lambda: (numbers(1), 1, 1),
    lambda: (numbers(4), 4, 1),
)
def fourier_transform_by_axes(x, base, levels):
    """Each level is a product with a small matrix along one axis, and turns (Stockham, 1966)."""
    roots = np.exp(-2j * np.pi * np.outer(np.arange(base), np.arange(base)) / base).astype(x.dtype)
    y = x.copy()
    for level in range(levels):
        parts = np.reshape(y, (base**level, base, base ** (levels - level - 1)))
        sums = np.zeros_like(parts)
        for i in range(base):
            for k in range(base):
                sums[:, i] += parts[:, k] * roots[i, k]
        y = sums.reshape(-1)
    return y


@called_with(
    lambda: (numbers(4, 3), numbers(4, 3, seed=1), 2),
    lambda: (numbers(4, 3, dtype=SINGLE), numbers(4, 3, seed=1), 2),
    lambda: (numbers(3, 4).T, numbers(8, 3, seed=1)[::2], 1),
    lambda: (numbers(1, 1), numbers(1, 1, seed=1), 1),
    lambda: (numbers(0, 3), numbers(0, 3), 2),
)
def arrays_put_together(a, b, n):
    total = np.zeros((2, *a.shape), complex)
    for _ in range(n):
        total += np.stack((a, b)) * np.stack((b, a))
        total[0] += np.vstack((a, b))[: len(a)] * np.hstack((b, a))[:, a.shape[1] :]
        total[1] += (
            np.column_stack((a.flatten(), b.flatten()))[: a.size].reshape(-1, 2)[:, :1].reshape(a.shape)
        )
        total[1] += np.pad(np.ravel(a), 1)[1:-1].reshape(a.shape)
    return total


@called_with(
    lambda: (numbers(4), numbers(3, seed=1), 2),
    lambda: (numbers(4, dtype=SINGLE), numbers(3, seed=1, dtype=SINGLE), 2),
    lambda: (SPECIAL[::5], SPECIAL[::9], 1),
    lambda: (numbers(0), numbers(3), 1),
)
def tables_of_sums(a, b, n):
    found = np.zeros((len(a), len(b)), np.result_type(a, b))
    for _ in range(n):
        found += np.add.outer(a, b) * np.subtract.outer(a, b)
    return found


@called_with(
    lambda: (numbers(3, 4), np.array([1.0, 0.0, -1.0]), 2),
    lambda: (numbers(3, 4), numbers(4, seed=1), 2),
    lambda: (numbers(1, 1), np.array([2, 3]), 1),
    lambda: (numbers(6, 4)[::2], np.ones(12), 1),
    lambda: (SPECIAL.reshape(8, 8), np.array([1.0, 2.0, 3.0]), 1),
)
def roots_by_newton(z, coefficients, turns):
    """Steps towards the roots of a polynomial, and the means of what is left."""
    slopes = coefficients[:-1] * np.arange(len(coefficients) - 1, 0, -1)
    means = np.zeros(z.shape[1], complex)
    for _ in range(turns):
        z = z - np.polyval(coefficients, z) / np.polyval(slopes, z)
        means += z.mean(axis=0) * np.mean(z)
        means[0] += z[0].mean()
    return z, means


@called_with(
    lambda: (numbers(6), 5, 2.5),
    lambda: (numbers(6), 0, -1.5),
    lambda: (np.array([0j, complex(-0.0, 0.0), 1j, 1 + 0j]), 3, 3.0),
    lambda: (SPECIAL[::7], 4, 1.5),
    lambda: (numbers(0), 3, 2.5),
)
def powers_of_complex_numbers(z, n, exponent):
    """Moments of points in the plane, by the operator and by its function."""
    total, items = np.zeros_like(z), np.zeros(len(z), complex)
    for k in range(n):
        total += np.power(z, k - 1) * 0.5 + z**exponent
        for i in range(len(z)):
            items[i] += np.power(z[i], k) + z[i] ** k - z[i] ** exponent
    return total, items


@called_with(
    lambda: (numbers(4, 4), numbers(4, seed=1), 3),
    lambda: (numbers(4, 4).T, numbers(8, seed=1)[::2], 2),
    lambda: (numbers(1, 1), numbers(1, seed=1), 2),
    lambda: (np.zeros((3, 3), complex), numbers(3, seed=1), 2),
    lambda: (numbers(3, 3) * complex(np.inf, 1), numbers(3, seed=1), 1),
    lambda: (numbers(3, 3), numbers(4), 1),
)
def solutions_along_a_contour(a, right, n):
    """Integrals of a resolvent over points of a circle."""
    total, size = np.zeros_like(right), 0j
    for k in range(n):
        z = 2.0 * np.exp(2j * np.pi * (k + 0.5) / n)
        shifted = a.copy()
        for i in range(len(a)):
            shifted[i, i] += z
        total += np.linalg.solve(shifted, right) * z
        total += np.linalg.inv(shifted)[0] * right
        size += np.linalg.det(shifted)
    return total, size


# -- array code outside loops ----------------------------------------------------------------------------------


@chained_with(
    lambda: (numbers(6), numbers(6, seed=1)),
    lambda: (numbers(6, dtype=SINGLE), numbers(6, seed=1, dtype=SINGLE)),
    lambda: (numbers(6, dtype=SINGLE), numbers(6, seed=1)),
    lambda: (numbers(12)[::2], numbers(6)[::-1]),
    lambda: (numbers(6).real, numbers(6, seed=1)),
    lambda: (SPECIAL, SPECIAL[::-1]),
    lambda: (numbers(0), numbers(0)),
)
def a_chain(a, b):
    c = a * b + 2.0 * a - b / 3
    d = c.real**2 + c.imag**2
    return c, d, np.conj(c) * c + d * 1j


@chained_with(
    lambda: (numbers(4, 5), 0.5),
    lambda: (numbers(5, 4).T, 0.5),
    lambda: (np.asfortranarray(numbers(4, 5)), 0.5),
    lambda: (numbers(4, 5), 1e300),
    lambda: (numbers(4, 0), 0.5),
)
def spectrum(x, weight):
    y = x * np.exp(-1j * weight * np.arange(x.shape[1]))
    size = np.abs(y)
    phase = np.angle(y) * weight + size
    return y, phase, (y * np.conj(y)).real.sum(), np.where(size > 1, y, 0).imag


@chained_with(
    lambda: (numbers(5), numbers(5, seed=1)),
    lambda: (numbers(5), np.array([1, 0, 1, 1, 1j])),
    lambda: (numbers(5), np.array([1, np.nan, 1, 1, 1j])),
    lambda: (SPECIAL, SPECIAL[::-1]),
)
def quotients(a, b):
    q = a / b
    return q + 1, q * 2, q**2 - 1, (q == a) | (q != b)


# -- arrays that run backwards: NumPy multiplies them in another way -------------------------------------------------


def pairs(dtype):
    """Calls with two arrays of numbers, some of which run backwards."""
    return [
        lambda first=first, second=second: (
            numbers(9, dtype=dtype)[::first],
            numbers(9, dtype=dtype, seed=1)[::second],
        )
        for first in (1, -1)
        for second in (1, -1)
    ]


@backwards_with(*pairs(SINGLE), *pairs(np.complex128))
def products_of_what_runs_backwards(a, b):
    return a[::-1] * b + b


@backwards_with(*pairs(SINGLE), *pairs(np.complex128))
def squares_of_what_runs_backwards(a, b):
    return a[::-1] ** 2 + b


@backwards_with(*pairs(SINGLE), *pairs(np.complex128))
def products_in_what_runs_backwards(a, b):
    a[::-1] *= b
    b *= a
    return a + b


@backwards_with(*pairs(SINGLE), *pairs(np.complex128))
def products_of_arguments(a, b):
    return a * b + a


@backwards_with(*pairs(SINGLE), *pairs(np.complex128))
def products_into_what_runs_backwards(a, b):
    np.multiply(a, b, out=a[::-1])
    return a + b
