"""Samples for the parts of NumPy that have no op of their own (see ``samples`` and ``surface``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TAKE_NO_ARRAYS: Final = frozenset(
    f"np.{name}"
    for name in """
    base_repr binary_repr datetime_data format_float_positional format_float_scientific get_include
    get_printoptions getbufsize geterr geterrcall info issubdtype printoptions set_printoptions
    setbufsize seterr seterrcall show_config show_runtime test typename ma.get_object_signature
    """.split()
)
"""Functions that ask or set how NumPy behaves, or are about numbers and types alone."""

WORDS: Final = "np.array(['ab', 'c d', '12'])"
MASKED: Final = "np.ma.array(v, mask=h)"
RECORDS: Final = "np.array([(1, 2.5), (3, 4.5)], 'i4, f8')"

CANDIDATES: Final[Mapping[str, tuple[str, ...]]] = {
    "np.": ("{}(x)", "{}(v, w)", "{}(m)", "{}(v, 2)", "{}(i, v)", "{}(n)", "{}()"),
    "np.random.": (
        *("{}()", "{}(r)", "{}(n)", "{}(v)", "{}(r, 2.0)", "{}(n, r)", "{}(0.1, r, 2.0)", "{}(5, 4, n)"),
        *("{}([r, 0.5])", "{}(n, [0.5, 0.5])", "{}([r, 1.0], [[1.0, 0.0], [0.0, 1.0]])"),
    ),
    "Generator.": tuple(
        f"np.random.default_rng(0).{{}}({given})"
        for given in (
            *("", "r", "n", "v", "r, 2.0", "n, r", "0.1, r, 2.0", "5, 4, n", "[r, 0.5]", "n, [0.5, 0.5]"),
            *("[r, 1.0], [[1.0, 0.0], [0.0, 1.0]]", "[3, 4], 2"),
        )
    ),
    "np.ma.": (
        *(f"{{}}({MASKED})", f"{{}}({MASKED}, w)", f"{{}}({MASKED}, 2)", f"{{}}([{MASKED}, w])"),
        *(
            "{}(v)",
            "{}(h)",
            "{}(t)",
            "{}(np.ma.array(t))",
            "{}(v, 1, 2)",
            "{}(h, v)",
            "{}(v > 1, v)",
            "{}(n)",
        ),
        *("{}((2, n))", "{}()", f"{{}}({MASKED}, 0, w)"),
    ),
    "np.char.": (
        *(f"{{}}({WORDS})", f"{{}}({WORDS}, 'a')", f"{{}}({WORDS}, 'a', 'b')", f"{{}}({WORDS}, 6)"),
        *("{}(np.array([b'ab', b'c']))", f"{{}}({WORDS}, {WORDS})", f"{{}}({WORDS}, (1,))"),
    ),
    "np.strings.": (
        *(f"{{}}({WORDS})", f"{{}}({WORDS}, 'a')", f"{{}}({WORDS}, 'a', 'b')", f"{{}}({WORDS}, 6)"),
        *("{}(np.array([b'ab', b'c']))", f"{{}}({WORDS}, {WORDS})"),
    ),
    "np.rec.": ("{}([v, w])", "{}([(1, 2.5), (3, 4.5)])", "{}(v, names='a')"),
    "np.polynomial.": (
        *(
            "{}(v)",
            "{}(v, w)",
            "{}(v, 2)",
            "{}(n)",
            "{}(1, 2)",
            "{}(v, w, 2)",
            "{}(v, w, m)",
            "{}(v, w, [1, 2])",
        ),
        *("{}(v, w, e, np.ones((2, 2, 2)))", "{}(v, w, [1, 2, 1], np.ones(3))", "{}(v, w, e, [1, 1, 1])"),
        *("{}(np.sin, n)", "{}(v, w, v, [1, 1, 1])", "{}([v[0], 1, 2], [2, 1])"),
    ),
    "np.lib.": ("{}(v)", "{}(v, 2)", "{}(2, n)", "{}(-1, 3)"),
    "np.lib.recfunctions.": (
        *(f"{{}}({RECORDS})", f"{{}}({RECORDS}, 'f0')", f"{{}}({RECORDS}, {RECORDS})", "{}(t)"),
        *(
            f"{{}}({RECORDS}, {{'f0': 'g'}})",
            f"{{}}({RECORDS}, 'g', v[:2])",
            f"{{}}('f0', {RECORDS}, {RECORDS})",
        ),
        *(f"{{}}({RECORDS}.dtype)", f"{{}}({RECORDS}, np.dtype('f8, f8'))", f"{{}}([{RECORDS}, {RECORDS}])"),
    ),
    "ndarray.": (
        *("x.{}()", "x.{}(y)", "x.{}(0)", "x.{}(0, 1)", "i.{}(i)", "v[:1].{}()", "v[:1].{}(n)", "i[:1].{}()"),
        *("m.{}(m)", "m.{}(0, 1)"),
    ),
}
"""Samples to try for a part that none is written for; the longest beginning of its name counts."""

STORED: Final = "d = io.BytesIO()\nnp.save(d, v)\nd.seek(0)\nreturn "

SAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    # -- files -------------------------------------------------------------------------------------
    "np.fromfile": ("np.fromfile(os.devnull)",),
    "np.fromregex": ("np.fromregex(io.StringIO('1 a'), '([0-9]+)', [('n', 'i4')])",),
    **{f"np.{name}": (f"np.{name}(io.StringIO('1 2'))",) for name in ("genfromtxt", "loadtxt")},
    **{f"np.{name}": (f"np.{name}(io.BytesIO(), v)",) for name in ("save", "savez", "savez_compressed")},
    "np.savetxt": ("np.savetxt(io.StringIO(), v)",),
    "np.load": (f"{STORED}np.load(d)",),
    # -- with functions of their own ---------------------------------------------------------------
    "np.frompyfunc": ("np.frompyfunc(abs, 1, 1)(x)",),
    "np.ma.apply_along_axis": ("np.ma.apply_along_axis(np.ma.sum, 0, np.ma.array(t))",),
    "np.ma.apply_over_axes": ("np.ma.apply_over_axes(np.ma.sum, np.ma.array(t), [0])",),
    "np.ma.fromfunction": ("np.ma.fromfunction(np.add, (2, 3))",),
    "np.lib.recfunctions.apply_along_fields": (f"np.lib.recfunctions.apply_along_fields(np.sum, {RECORDS})",),
    # -- of shapes and classes of their own --------------------------------------------------------
    "np.bmat": ("np.bmat([[t, t]])",),
    "np.nested_iters": ("len(np.nested_iters(t, [[0], [1]]))",),
    "np.random.set_state": ("np.random.set_state(np.random.get_state())",),
    "np.ma.expand_dims": (f"np.ma.expand_dims({MASKED}, 0)",),
    "np.ma.flatten_structured_array": (f"np.ma.flatten_structured_array(np.ma.array({RECORDS}))",),
    "np.ma.fromflex": (f"np.ma.fromflex({MASKED}.toflex())",),
    "np.ma.make_mask_descr": (f"np.ma.make_mask_descr({RECORDS}.dtype)",),
    "np.ma.polyfit": (f"np.ma.polyfit(v, {MASKED}, 1)",),
    "np.ma.reshape": (f"np.ma.reshape({MASKED}, (2, 2))",),
    "np.ma.swapaxes": ("np.ma.swapaxes(np.ma.array(t), 0, 1)",),
    "np.char.compare_chararrays": (f"np.char.compare_chararrays({WORDS}, {WORDS}, '==', True)",),
    "np.rec.fromfile": ("np.rec.fromfile(io.BytesIO(bytes(8)), 'i4, i4')",),
    "np.rec.fromstring": ("np.rec.fromstring(bytes(8), 'i4, i4')",),
    "np.lib.recfunctions.find_duplicates": (
        f"np.lib.recfunctions.find_duplicates(np.ma.array({RECORDS}), ignoremask=False)",
    ),
    "np.issubdtype": ("np.issubdtype(x.dtype, np.floating)",),
    # -- whose results hold what was there -----------------------------------------------------------
    **{f"np.ma.{name}": (f"np.ma.{name}((0, n))",) for name in ("empty", "masked_all")},
    **{f"np.ma.{name}": (f"np.ma.{name}(np.ma.array(v[:0]))",) for name in ("empty_like", "masked_all_like")},
    # -- whose results tell addresses --------------------------------------------------------------
    "np.ma.ids": ("len(np.ma.ids(v))",),
    "np.lib.array_utils.byte_bounds": ("d = np.lib.array_utils.byte_bounds(x)\nreturn d[1] - d[0]",),
    "ndarray.__array_interface__": ("x.__array_interface__['shape']",),
    # -- of arrays ---------------------------------------------------------------------------------
    "ndarray.dump": ("x.dump(io.BytesIO())",),
    "ndarray.tofile": ("x.tofile(os.devnull)",),
    "ndarray.to_device": ("x.to_device('cpu')",),
    "ndarray.reshape": ("t.reshape(3, 2)",),
    "ndarray.squeeze": ("t[:1].squeeze(0)",),
    "ndarray.resize": ("x.resize(2, 3)",),
    "ndarray.__setstate__": ("x.__setstate__(y.__reduce__()[2])",),
    "ndarray.__array_ufunc__": ("x.__array_ufunc__(np.add, '__call__', x, y)",),
    "ndarray.__array_function__": ("x.__array_function__(np.sum, (np.ndarray,), (x,), {})",),
}
"""Samples for parts that no candidate fits."""

WRITES: Final[Mapping[str, tuple[str, ...]]] = {
    f"ndarray.{text.split()[0]} =": (f"v.{text}\nreturn v",)
    for text in ("real = w", "imag = w", "flat = w", "shape = 2, 2", "dtype = 'u1'", "strides = (8,)")
} | {"ndarray.imag =": ("m = m * 1j\nm.imag = 2\nreturn m",)}
"""Attributes of arrays that can be set."""

OBJECTS: Final[Mapping[str, tuple[str, ...]]] = {
    **{f"np.{name}": () for name in "r_ c_ mgrid ogrid ma.mr_".split()},
    **{f"np.{name}": (f"np.{name}[1:n]",) for name in ("s_", "index_exp")},
    "np.broadcast": ("np.broadcast(t, t[0]).shape",),
    "np.busdaycalendar": ("np.busdaycalendar('1110000').weekmask",),
    "np.char.chararray": ("np.char.chararray((0, 2)).upper()",),
    "np.dtype": ("np.dtype('i4, f8').names",),
    "np.errstate": ("with np.errstate(all='ignore'):\n    t = 1 / x\nreturn t",),
    "np.finfo": ("np.finfo(x.dtype).eps",),
    "np.flatiter": ("x.flat[0]",),
    "np.iinfo": ("np.iinfo(i.dtype).max",),
    "np.lib.Arrayterator": ("[one.sum() for one in np.lib.Arrayterator(t, 2)]",),
    "np.linalg.LinAlgError": (
        "try:\n    t = np.linalg.inv(m * 0)\nexcept np.linalg.LinAlgError:\n    t = m\nreturn t",
    ),
    "np.ma.MaskedArray": ("np.ma.MaskedArray(v, h).sum()",),
    "np.matrix": ("np.matrix([[1, n]])",),
    "np.memmap": ("np.memmap(tempfile.TemporaryFile(), shape=3)",),
    "np.ndarray": ("np.ndarray((0, n))",),
    "np.ndenumerate": ("[at[0] * one for at, one in np.ndenumerate(x)]",),
    "np.ndindex": ("[t[at] for at in np.ndindex(t.shape)]",),
    "np.nditer": ("[one * 2 for one in np.nditer(x)]",),
    "np.poly1d": ("np.poly1d(v)(r)",),
    "np.random.default_rng": ("np.random.default_rng(3)",),
    "np.random.RandomState": ("np.random.RandomState(0).randn(3)",),
    "np.rec.recarray": ("np.rec.recarray((0,), 'i4, f8').f0",),
    "np.vectorize": ("np.vectorize(abs)(x)",),
    **{
        f"np.polynomial.{name}": (f"np.polynomial.{name}(v)(r)",)
        for name in "Polynomial Chebyshev Legendre Hermite HermiteE Laguerre".split()
    },
}
"""Objects that are subscripted, and classes whose instances are made and used; scalar types are ops."""

MOST_USED: Final = (
    *(
        f"np.{name}"
        for name in """
    absolute add all allclose angle any append apply_along_axis apply_over_axes arange arcsinh
    arctan arctan2 arctanh argmax argmin argsort array array_equal asanyarray asarray
    ascontiguousarray atleast_1d atleast_2d atleast_3d bincount bitwise_or block broadcast_arrays
    broadcast_to ceil clip column_stack concatenate conjugate copy corrcoef cos cosh count_nonzero
    cov cumprod cumsum deg2rad diag diagonal diff dot dstack einsum empty empty_like exp exp2
    expand_dims eye fabs fft.fft fft.fft2 fft.fftn fft.hfft fft.ifft fft.ihfft fft.irfft fft.rfft
    fft.rfft2 fft.rfftn flatnonzero floor fmax frexp full full_like gradient histogram hstack hypot
    insert interp invert isclose isfinite isin isinf isnan isscalar issubdtype iterable ldexp
    lexsort linalg.inv linalg.norm linalg.svd linspace log log10 log1p log2 logaddexp logical_and
    logical_not logical_or logical_xor max maximum mean median meshgrid min minimum modf moveaxis
    multiply nanargmax nanargmin nanmax nanmedian nanmin nanprod nanstd nansum nanvar ndim nextafter
    nonzero ones ones_like pad percentile power prod ptp putmask rad2deg radians ravel real
    remainder repeat reshape result_type roll rollaxis round searchsorted shape sign signbit sin
    size sort sqrt square squeeze stack std subtract sum take tan tanh tensordot tile transpose
    true_divide unique unravel_index var vstack where zeros zeros_like
        """.split()
    ),
    *(
        f"ndarray.{name}"
        for name in """
    all any argmax argmin argsort astype copy cumsum fill flatten item max mean min nonzero ravel
    repeat reshape searchsorted setflags sort squeeze std sum take tolist transpose view
        """.split()
    ),
)
"""The functions that pandas, scikit-image, xarray, Matplotlib and Dask call most, under their present names."""
