"""Arrays as small pictures: a curve of an array of one axis, a thumbnail of an image.

It takes an array and gives data; how they are drawn is known to ``output``.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from astrace.observe.snapshots.summaries import Curve, Preview, Thumbnail

BANDS: Final = 96
"""The number of bands of a curve."""
SIDE: Final = 56
"""The longest side of a thumbnail, in pixels."""
SHORTEST: Final = 8
"""The number of elements from which an array is drawn as a curve."""
SMALLEST: Final = 4
"""The shortest side of what is taken for an image."""
Array = np.ndarray[Any, Any]


def preview(array: Array) -> Preview | None:
    """A picture of an array of numbers; ``None`` for what is no curve and no image."""
    if array.dtype.kind not in "biuf" or not array.size:
        return None
    if array.ndim == 1:
        return _curve(array) if array.size >= SHORTEST else None
    image = image_of(array)
    return None if image is None else _thumbnail(image)


def image_of(array: Array) -> Array | None:
    """The image that an array holds, or the first one of several; channels are its last axis.

    Taken for images are arrays of two axes, of three with 3 or 4 channels first or last, and stacks of those.

    Example:
        >>> image_of(np.zeros((10, 3, 8, 9))).shape
        (8, 9, 3)
    """
    while array.ndim > 3 and len(array):
        array = array[0]
    if array.ndim == 3:
        if array.shape[2] in (1, 3, 4) and min(array.shape[:2]) >= SMALLEST:
            return array[:, :, 0] if array.shape[2] == 1 else array
        if array.shape[0] in (3, 4) and min(array.shape[1:]) >= SMALLEST:
            return np.moveaxis(array, 0, 2)
        array = array[0] if len(array) else array
    return array if array.ndim == 2 and min(array.shape) >= SMALLEST else None


def _curve(array: Array) -> Curve:
    size = array.size
    if size <= BANDS:
        lows = highs = array
    else:
        starts = np.linspace(0, size, BANDS, endpoint=False).astype(np.intp)
        lows, highs = np.fmin.reduceat(array, starts), np.fmax.reduceat(array, starts)
    return Curve(_finite(lows), _finite(highs))


def _finite(values: Array) -> tuple[float | None, ...]:
    with np.errstate(all="ignore"):
        numbers = [float(one) for one in values]
    return tuple(one if math.isfinite(one) else None for one in numbers)


def _thumbnail(image: Array) -> Thumbnail:
    step = math.ceil(max(image.shape[:2]) / SIDE)
    small = image[::step, ::step]
    height, width = small.shape[:2]
    channels = small.shape[2] if small.ndim == 3 else 1
    return Thumbnail(width, height, channels, _as_bytes(small).tobytes())


def _as_bytes(image: Array) -> Array:
    """The image with its values between 0 and 255; NaN is black."""
    if image.dtype == np.uint8:
        return np.ascontiguousarray(image)
    with np.errstate(all="ignore"):
        numbers = np.nan_to_num(image.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
        known = np.isfinite(image.astype(np.float64))
        low = numbers[known].min() if known.any() else 0.0
        high = numbers[known].max() if known.any() else 0.0
        scaled = (numbers - low) * (255.0 / (high - low)) if high > low else np.full(image.shape, 128.0)
        return np.nan_to_num(np.clip(np.where(known, scaled, 0.0), 0, 255)).astype(np.uint8)
