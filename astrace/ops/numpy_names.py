"""NumPy's functions by kind: names only.

A name is the public path below ``numpy``.  What a kind means for the result is said in ``numpy_rows``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


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
VIEWS: Final = _names(
    """
    ravel transpose swapaxes moveaxis rollaxis squeeze expand_dims broadcast_to broadcast_arrays
    diagonal real imag flip fliplr flipud rot90 atleast_1d atleast_2d atleast_3d asarray asanyarray
    ascontiguousarray asfortranarray asarray_chkfinite split array_split hsplit vsplit dsplit
    permute_dims matrix_transpose reshape unstack require astype trim_zeros diag squeeze
    lib.stride_tricks.sliding_window_view lib.stride_tricks.as_strided real_if_close
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
    trapezoid allclose array_equal array_equiv isin in1d packbits unpackbits apply_over_axes
    result_type isscalar isdtype poly polyval polyadd polymul polysub polyder polyint polyfit
    hamming hanning bartlett blackman kaiser tri fft.fft fft.ifft fft.rfft fft.irfft fft.fft2
    fft.ifft2 fft.fftn fft.ifftn fft.rfft2 fft.irfft2 fft.rfftn fft.irfftn fft.hfft fft.ihfft
    fft.fftshift fft.ifftshift linalg.norm linalg.det linalg.inv linalg.solve linalg.qr linalg.svd
    linalg.svdvals linalg.eigh linalg.eigvalsh linalg.cholesky linalg.matrix_rank linalg.pinv
    linalg.matrix_power linalg.slogdet linalg.cond linalg.multi_dot linalg.lstsq linalg.tensorinv
    linalg.tensorsolve linalg.outer linalg.cross linalg.diagonal linalg.trace linalg.matmul
    linalg.tensordot linalg.vecdot linalg.vector_norm linalg.matrix_norm linalg.matrix_transpose
    histogram2d histogramdd histogram_bin_edges
    """
)
DATA_SIZED: Final = _names(
    """
    nonzero flatnonzero argwhere unique unique_all unique_counts unique_inverse unique_values
    extract compress union1d intersect1d setdiff1d setxor1d trim_zeros bincount histogram roots
    """
)
UNKNOWN: Final = _names(
    """
    linalg.eig linalg.eigvals einsum einsum_path ix_ c_ r_ indices fromfunction frombuffer fromiter
    fromstring apply_along_axis vectorize piecewise nditer ndenumerate array2string array_str
    array_repr datetime_as_string busday_count busday_offset is_busday common_type mintypecode
    min_scalar_type can_cast promote_types shares_memory may_share_memory iterable savez
    lib.stride_tricks.as_strided lib.stride_tricks.sliding_window_view unravel_index
    ravel_multi_index diag_indices diag_indices_from tril_indices triu_indices tril_indices_from
    triu_indices_from mask_indices sort_complex bmat
    """
)
IDENTITY: Final = _set("shares_memory may_share_memory")
WRITERS: Final[Mapping[str, tuple[int | str, ...]]] = {
    "copyto": (0,),
    "put": (0,),
    "place": (0,),
    "putmask": (0,),
    "fill_diagonal": (0,),
    "put_along_axis": (0,),
}
WITH_OUT: Final = _set(
    """
    sum prod mean std var min max amin amax any all argmin argmax ptp median quantile percentile
    round around clip cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod nansum
    nanprod nanmean nanstd nanvar nanmin nanmax nanmedian nanpercentile nanquantile nanargmin
    nanargmax dot outer concatenate stack take choose trace compress fix isposinf isneginf matmul
    einsum nan_to_num linalg.multi_dot concat
    """
)
CALLS_BACK: Final = frozenset(
    {"apply_along_axis", "fromfunction", "vectorize", "piecewise", "apply_over_axes", "savez"}
)
