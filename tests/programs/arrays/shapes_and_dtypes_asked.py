"""What programs ask NumPy of shapes and dtypes, and build arrays from."""

import numpy as np


def f(x, y, n):
    common = np.result_type(x, y)
    out = np.zeros(np.shape(x), common)
    for i in range(np.shape(x)[0]):
        out[i] = x[i] + y
    if np.iscomplexobj(out):
        out = out.real + out.imag
    rows, columns = np.tril_indices(n, -1)
    square = np.ones((n, n), np.promote_types(x.dtype, np.float32))
    square[rows, columns] = 0
    where = np.unravel_index(np.argmax(out), np.shape(out))
    windows = np.lib.stride_tricks.sliding_window_view(x, 2)
    sizes = np.ndim(x), np.ndim(n), np.size(x), np.size(square, 1), np.shape([x, x]), np.ndim(y)
    views = x.view("u1"), x.view(np.ndarray), np.zeros(2, "(2,)f4"), x.astype("(2,)f4")
    products = np.einsum("i,i", x, x), np.einsum("ij->j", square), np.einsum("ii->i", square)
    return out, square, where, windows.sum(axis=-1), sizes, views, products, common, np.fft.fftfreq(n)


CALLS = [
    (np.arange(3.0), np.float32(2), 3),
    (np.arange(4, dtype="int8"), np.complex64(1j), 2),
    (np.arange(3, dtype="float32")[::-1], 2.5, 4),
]
