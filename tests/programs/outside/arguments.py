"""Other Python arguments, shapes and dtypes: what the first ones decided is decided again."""

import types

import numpy as np
from cases import case

SHORT, LONG = (np.arange(3.0),), (np.arange(5.0) + 1,)


# -- Python arguments --------------------------------------------------------------------------------------


@case((np.ones(3), 2), (np.ones(3), 5))
def whole_number(x, n):
    return x * n


@case((np.ones(3), True), (np.ones(3), False))
def flag(x, training):
    return x * 0.5 if training else x  # frozen: flag


@case((np.ones(3), None), (np.ones(3), np.zeros(3)))
def none_or_array(x, mask):
    return x if mask is None else x * mask  # frozen: none_or_array


@case(({"a": np.ones(2)},), ({"a": np.ones(2), "b": np.ones(2)},))
def keys_of_dict(d):
    return sum(d.values())  # frozen: keys_of_dict


@case((np.ones(3), {"w": 2.0}), (np.ones(3), {"w": 2.0, "bias": 1.0}))
def key_that_is_optional(x, params):
    if "bias" in params:  # frozen: key_that_is_optional
        x = x + params["bias"]
    return x * params["w"]


@case((np.arange(3.0), frozenset({"neg"})), (np.arange(3.0), frozenset({"square"})))
def members_of_set(x, options):
    if "neg" in options:  # frozen: members_of_set
        return -x
    return x * x if "square" in options else x


@case((np.ones(3), np.sin), (np.ones(3), np.cos))
def function(x, g):
    return g(x)  # frozen: function


@case((np.array([3, 4]), 1), (np.array([3, 4]), True))
def equal_but_of_other_type(x, n):
    return x * 2 if n is True else x  # frozen: equal_but_of_other_type


@case((np.ones(3),), (np.ones(3), 3.0))
def default_left_out_at_first(x, k=1.0):
    return x * k


@case((np.ones(2), types.SimpleNamespace(k=1.0)), (np.ones(2), types.SimpleNamespace(k=5.0)))
def object_with_settings(x, settings):
    return x * settings.k


# -- shapes ------------------------------------------------------------------------------------------------


@case(SHORT, LONG)
def length(x):
    return x / len(x)


@case(SHORT, LONG)
def loop_over_positions(x):
    s = 0.0
    for i in range(x.shape[0]):
        s = s + x[i]
    return s * 1.0


@case(SHORT, LONG)
def size(x):
    return x * x.size


@case(SHORT, LONG)
def loop_over_items(x):
    s = 0.0
    for v in x:
        s = s + v
    return s * 1.0


@case(SHORT, LONG)
def shorter_part_of_zip(x):
    return sum(a * b for a, b in zip(x, [1.0, 2.0, 3.0, 4.0, 5.0], strict=False)) * 1.0


@case(SHORT, LONG)
def padding(x):
    return np.concatenate([x, np.zeros(8 - x.shape[0])])


@case((np.arange(3.0),), (np.arange(6.0).reshape(2, 3),))
def branch_on_rank(x):
    return x.sum() if x.ndim == 1 else x.sum() * 2  # frozen: branch_on_rank


@case((np.ones((1, 3)),), (np.ones((4, 3)),))
def dimension_of_size_one(x):
    return x.sum() if x.shape[0] == 1 else x.sum() / x.shape[0]


@case((np.ones((2, 2)),), (np.ones((3, 3)),))
def unit_matrix_of_that_size(x):
    return (x * 1.0).trace() + np.eye(x.shape[0]).sum()


# -- dtypes ------------------------------------------------------------------------------------------------


@case((np.ones(2, dtype="float32"),), (np.ones(2, dtype="float64"),))
def branch_on_dtype(x):
    return x * 2 if x.dtype == "float32" else x * 3  # frozen: branch_on_dtype


@case((np.array([3.0, 4.0]),), (np.array([3, 4]),))
def division_by_kind(x):
    return x / 2 if x.dtype.kind == "f" else x // 2  # frozen: division_by_kind


@case((np.ones(2, dtype="float32"), 2.0), (np.ones(2, dtype="float32"), np.float64(2.0)))
def python_or_numpy_scalar(x, s):
    return x * s


@case((np.ones(2),), (np.array([True, False]),))
def truth_where_number_was(x):
    return x * 1.0 if x.dtype.kind != "b" else x.astype(float) + 5  # frozen: truth_where_number_was
