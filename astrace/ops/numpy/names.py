"""NumPy's functions by kind: names only.

A name is the public path below ``numpy``.  What a kind means for the result is said in ``rows``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from astrace.ops.registry import Switch


def _names(text: str) -> list[str]:
    return text.split()


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


REDUCTIONS: Final = _names(
    """
    sum prod mean std var min max amin amax any all argmin argmax ptp median quantile percentile
    average nansum nanprod nanmean nanstd nanvar nanmin nanmax nanmedian nanpercentile nanquantile
    nanargmin nanargmax count_nonzero cumsum cumprod nancumsum nancumprod cumulative_sum
    cumulative_prod
    """
)
SAME_SIZE: Final = _names(
    """
    round around clip fix sort argsort partition argpartition flip fliplr flipud roll real_if_close
    nan_to_num angle iscomplex isreal isneginf isposinf sinc i0 unwrap interp heaviside tril triu
    zeros_like ones_like empty_like full_like copy isclose
    """
)
COMBINING: Final = _names(
    """
    concatenate concat stack hstack vstack dstack column_stack block append insert delete tile
    repeat pad resize atleast_1d atleast_2d atleast_3d flip rot90 expand_dims squeeze swapaxes
    moveaxis rollaxis transpose ravel broadcast_to split array_split hsplit vsplit dsplit
    permute_dims matrix_transpose unstack diagonal meshgrid broadcast_arrays kron outer cross inner
    dot vdot tensordot trace diag diagflat real imag asarray asanyarray ascontiguousarray
    asfortranarray asarray_chkfinite array require astype vander take take_along_axis choose select
    where lexsort searchsorted digitize ediff1d diff gradient convolve correlate cov corrcoef
    trapezoid allclose array_equal array_equiv isin in1d packbits unpackbits
    result_type isscalar isdtype poly polyval polyadd polymul polysub polyder polyint
    hamming hanning bartlett blackman kaiser tri fft.fft fft.ifft fft.rfft fft.irfft fft.fft2
    fft.ifft2 fft.fftn fft.ifftn fft.rfft2 fft.irfft2 fft.rfftn fft.irfftn fft.hfft fft.ihfft
    fft.fftshift fft.ifftshift linalg.norm linalg.det linalg.inv linalg.solve linalg.qr linalg.svd
    linalg.svdvals linalg.eigh linalg.eigvalsh linalg.cholesky linalg.matrix_rank linalg.pinv
    linalg.matrix_power linalg.slogdet linalg.cond linalg.multi_dot linalg.tensorinv
    linalg.tensorsolve linalg.outer linalg.cross linalg.diagonal linalg.trace linalg.matmul
    linalg.tensordot linalg.vecdot linalg.vector_norm linalg.matrix_norm linalg.matrix_transpose
    histogram2d histogram_bin_edges histogramdd sort_complex einsum indices diag_indices
    diag_indices_from tril_indices triu_indices tril_indices_from triu_indices_from unravel_index
    ravel_multi_index lib.stride_tricks.sliding_window_view broadcast_shapes datetime_as_string
    busday_count busday_offset is_busday promote_types common_type
    """
)
DATA_SIZED: Final = _names(
    """
    nonzero flatnonzero argwhere unique unique_all unique_counts unique_inverse unique_values
    extract compress union1d intersect1d setdiff1d setxor1d trim_zeros bincount histogram roots
    polydiv linalg.lstsq ix_
    """
)
UNKNOWN: Final = _names("einsum_path fromfunction piecewise savez mask_indices bmat")
SUBSCRIPTED: Final = _names("r_ c_ mgrid ogrid ma.mr_")
"""Objects that are not called: ``np.r_[x, 0]``."""
VALUED: Final = _set(
    """
    clip where full_like array asarray asanyarray append interp isclose allclose nan_to_num searchsorted
    digitize select isin polyval roll round around unravel_index ravel_multi_index broadcast_shapes
    quantile percentile nanquantile nanpercentile
    """
)
"""Functions whose integers are values, never sizes."""
IDENTITY: Final = _set("shares_memory may_share_memory")
WRITERS: Final[Mapping[str, tuple[int | str, ...]]] = {
    "copyto": (0, "dst"),
    "put": (0, "a"),
    "place": (0, "arr"),
    "putmask": (0, "a"),
    "fill_diagonal": (0, "a"),
    "put_along_axis": (0, "arr"),
}
OUT_PLACES: Final[Mapping[int, frozenset[str]]] = {
    1: _set("fix isposinf isneginf"),
    2: _set(
        """
        min max amin amax any all argmin argmax nanmin nanmax nanargmin nanargmax ptp median nanmedian
        round around concatenate concat stack choose dot outer
        """
    ),
    3: _set(
        """
        sum prod mean std var nansum nanprod nanmean nanstd nanvar cumsum cumprod nancumsum nancumprod
        quantile percentile nanquantile nanpercentile clip take compress
        """
    ),
    4: _set(
        """
        fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2
        fft.fftn fft.ifftn fft.rfftn fft.irfftn is_busday
        """
    ),
    5: _set("trace busday_count"),
    6: _set("busday_offset"),
}
"""The positions of ``out`` among the arguments."""
OUT_BY_NAME: Final = _set("cumulative_sum cumulative_prod einsum linalg.multi_dot")
FRESH: Final = _set(
    """
    zeros ones empty full arange linspace logspace geomspace eye identity indices tri vander
    hamming hanning bartlett blackman kaiser zeros_like ones_like empty_like full_like copy
    sum prod mean std var min max amin amax any all argmin argmax ptp median quantile percentile
    nansum nanprod nanmean nanstd nanvar nanmin nanmax nanmedian nanpercentile nanquantile
    nanargmin nanargmax count_nonzero cumsum cumprod nancumsum nancumprod cumulative_sum
    cumulative_prod clip fix sort argsort partition argpartition roll angle iscomplex isreal
    isneginf isposinf sinc i0 unwrap interp tril triu isclose
    concatenate concat stack hstack vstack dstack column_stack block append insert delete tile
    repeat pad resize kron outer cross inner dot vdot tensordot trace diagflat take take_along_axis
    choose select where lexsort searchsorted digitize ediff1d gradient convolve correlate cov
    corrcoef trapezoid allclose array_equal array_equiv isin packbits unpackbits polyval polyadd
    polymul polysub polyfit poly roots fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft
    fft.fftshift fft.ifftshift linalg.norm linalg.det linalg.inv linalg.solve linalg.qr linalg.svd
    linalg.svdvals linalg.eigh linalg.eigvalsh linalg.cholesky linalg.matrix_rank linalg.pinv
    linalg.slogdet linalg.cond linalg.multi_dot linalg.lstsq linalg.tensorinv linalg.tensorsolve
    linalg.outer linalg.cross linalg.trace linalg.matmul linalg.tensordot linalg.vecdot
    linalg.vector_norm linalg.matrix_norm nonzero flatnonzero argwhere unique unique_all
    unique_counts unique_inverse unique_values extract compress union1d intersect1d setdiff1d
    setxor1d bincount
    """
)
"""Functions whose results never share memory with their arguments."""
PLAIN_ARRAYS: Final = _set(
    "zeros ones empty full eye identity tri arange array asarray ascontiguousarray asfortranarray"
)
"""Functions that give one of NumPy's own arrays, of whatever class their arguments are."""
REUSING: Final[Mapping[str, Switch]] = {
    "array": Switch(2, "copy", True),
    "astype": Switch(2, "copy", True),
    "nan_to_num": Switch(1, "copy", True),
    "diff": Switch(1, "n", 1),
    "median": Switch(3, "overwrite_input", False),
    "nanmedian": Switch(3, "overwrite_input", False),
    "quantile": Switch(4, "overwrite_input", False),
    "percentile": Switch(4, "overwrite_input", False),
    "nanquantile": Switch(4, "overwrite_input", False),
    "nanpercentile": Switch(4, "overwrite_input", False),
}
"""Functions that may reuse an argument, or its memory, where another argument says so."""
OVERWRITING: Final = _set("nan_to_num median nanmedian quantile percentile nanquantile nanpercentile")
"""Those of them that write into it."""
CALLS_BACK: Final = _set("apply_along_axis apply_over_axes fromfunction mask_indices piecewise savez")
SHAPED: Final = _set(
    """
    sum prod mean std var any all count_nonzero nansum nanprod nanmean nanstd nanvar cumsum cumprod
    nancumsum nancumprod round around sort argsort flip fliplr flipud roll angle iscomplex isreal
    tril triu zeros_like ones_like empty_like full_like copy isclose clip nan_to_num
    zeros ones empty full eye identity tri array asarray
    concatenate concat stack hstack vstack dstack column_stack atleast_1d atleast_2d atleast_3d
    expand_dims swapaxes moveaxis transpose ravel diagonal trace diag diagflat real imag
    outer inner dot vdot cross kron where diff
    """
)
"""Functions that refuse numbers for nothing but their shapes and dtypes, never for their values."""
TRANSCENDENTAL: Final = _set(
    """
    exp exp2 expm1 log log1p log2 log10 logaddexp logaddexp2 cbrt hypot arctan2
    sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh
    deg2rad rad2deg degrees radians
    """
)
"""Ufuncs that C's library of mathematics computes, and conversions of angles."""
ROUNDING: Final = _set("rint floor ceil trunc")
FLOAT_TESTS: Final = _set("isnan isinf isfinite signbit")
FLOAT_PARTS: Final = _set("fabs sign copysign nextafter fmax fmin heaviside")
WARNING_UFUNCS: Final = TRANSCENDENTAL | _set(
    """
    add subtract multiply divide floor_divide remainder fmod power float_power
    sqrt square reciprocal absolute
    """
)
"""Ufuncs that may warn of their floating-point results."""
SUMMING: Final = _set(
    """
    sum prod mean std var cumsum cumprod nansum nanprod nanmean nanstd nanvar trace diff trapezoid
    """
)
"""Functions of all items, or of those along an axis, whose results are computed from sums, differences or products."""

FITTING: Final = _set(
    """
    dot inner vdot outer tensordot concatenate concat stack vstack hstack dstack column_stack append interp
    linalg.solve linalg.multi_dot linalg.matmul
    """
)
"""Functions of several arrays whose sizes have to fit, and whose result has a rank and a dtype that follow from theirs."""
