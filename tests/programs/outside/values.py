"""Another array of the same kind: nothing follows from the values of the first one."""

import json
import math
import statistics

import numpy as np
from cases import case

X = (np.array([1.0, 2.0, 3.0]),)
NEGATIVE = (np.array([-4.0, 5.0, 6.0]),)


@case(X, NEGATIVE)
def branch_on_value(x):
    if x[0] > 0:
        return x * 2
    return x - 1


@case((np.array([2.0]),), (np.array([5.0]),))
def number_of_turns(x):
    y = x
    for _ in range(int(x[0])):
        y = y + 1
    return y


@case(X, NEGATIVE)
def item_method(x):
    return x * x[0].item()


@case((np.array([0.0, 2.0, 3.0]),), (np.array([2.0, 5.0, 6.0]),))
def index_from_value(x):
    return x[int(x[0])] * x


@case(X, NEGATIVE)
def through_asarray(x):
    return x + np.asarray(x)


@case(X, NEGATIVE)
def through_math(x):
    return x * math.exp(x[0] / 10)


@case(X, NEGATIVE)
def through_text(x):
    return x + float("%.1f" % x[0])


@case(X, (np.array([9.0, 5.0, 6.0]),))
def builtin_max(x):
    return x * max(x)


@case(X, NEGATIVE)
def builtin_all(x):
    return x if all(v > 0 for v in x) else -x


@case(X, NEGATIVE)
def chained_comparison(x):
    return x if 0 < x[0] < 2 else x * 0


@case((np.array([[1.0, 2.0], [2.0, 1.0]]),), (np.eye(2),))
def path_chosen_by_error(x):
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        return x * 0


@case(X, NEGATIVE)
def membership(x):
    return x if float(x[0]) in (1.0, 2.0) else -x


@case((np.array([1.0, 2.0]),), (np.array([np.nan, 2.0]),))
def guarded_against_nan(x):
    if np.isnan(x).any():
        x = np.nan_to_num(x)
    return x


@case(X, NEGATIVE)
def early_break(x):
    s = 0.0
    for i in range(3):
        if x[i] < 0:
            break
        s = s + x[i]
    return s * 1.0


@case(X, (np.array([2.0, 5.0, 6.0]),))
def bound_of_slice(x):
    return x[: int(x[0])].sum() * 1.0


@case(X, NEGATIVE)
def through_bytes(x):
    return x + np.frombuffer(np.asarray(x).tobytes(), dtype=np.asarray(x).dtype)


@case(X, NEGATIVE)
def through_library_function(x):
    return x - statistics.mean(float(v) for v in x)


@case(X, NEGATIVE)
def through_memoryview(x):
    return x * memoryview(np.ascontiguousarray(x))[0]


@case(X, NEGATIVE)
def raises_for_some_values(x):
    if x.min() < 0:
        raise ValueError
    return np.sqrt(x)


@case(X, NEGATIVE)
def normalised_by_its_mean(x):
    m = float(np.mean(np.asarray(x)))
    return x - m


@case(X, NEGATIVE)
def through_json(x):
    return x + np.array(json.loads(json.dumps([float(v) for v in x])))


@case((np.array([0.5]),), (np.array([3.7]),))
def rare_branch(x):
    if x[0] > 3.2:
        return -x
    return x


@case((np.array([2]),), (np.array([3]),))
def parity(x):
    return x // 2 if int(x[0]) % 2 == 0 else 3 * x + 1


@case((np.array([1.0, 2.0]),), (np.array([3.0, 4.25]),))
def one_exact_sum(x):
    return -x if x.sum() == 7.25 else x


@case((np.ones(3),), (np.full(3, 1e7),))
def large_magnitude(x):
    return np.log(x) if abs(x).max() > 1e6 else x


@case((np.array([3.0, 1.0, 2.0, 9.0, 5.0, 4.0, 8.0, 7.0]),), (np.arange(8.0),))
def sorted_input(x):
    return x * 2 if (x[1:] > x[:-1]).all() else x


@case((np.array([1, 2]),), (np.array([42, 2]),))
def one_exact_label(x):
    return x * 0 if (x == 42).any() else x


@case((np.ones(2),), (np.array([-3.5, 60.0]),))
def nested_branch(x):
    if x[0] < -3:
        if x[1] > 50:
            return x * 0
    return x


@case((np.array([0.0]),), (np.array([-0.0]),))
def sign_of_zero(x):
    return x + (1.0 if np.signbit(np.asarray(x)[0]) else 2.0)


@case((np.array([1.0, 2.0]),), (np.array([2.0, 2.0]),))
def all_equal(x):
    return x * 0 if float(x.std()) == 0 else x / x.std()
