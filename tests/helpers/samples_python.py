"""Samples for Python's operators, builtins, ``math`` and objects (see ``samples``)."""

from __future__ import annotations

from typing import Final

from samples_numpy import each

from astrace.ops.python.operators import ARITHMETIC, COMPARISON, INPLACE

BRANCH: Final = "t = None\nif n > 1:\n    t = v\n"


def texts(listed: str) -> tuple[str, ...]:
    """Samples that are listed with semicolons between them."""
    return tuple(text.strip() for line in listed.strip().splitlines() for text in line.split(";"))


PYTHON: Final[dict[str, tuple[str, ...]]] = {
    # -- operators ---------------------------------------------------------------------------------
    **{name: (f"a {sign} b", f"x {sign} y") for name, sign in {**ARITHMETIC, **COMPARISON}.items()},
    "matmul": ("m @ l", "s @ s", "v @ w", "s @ i", "i @ m"),
    **{name: (f"a {ARITHMETIC[plain]}= b\nreturn a",) for name, plain in INPLACE.items()},
    **{name: ("op(a, b)", f"v {ARITHMETIC[INPLACE[name]]}= w\nreturn v") for name in ("ifloordiv", "imod")},
    "imatmul": ("m @= m\nreturn m",),
    "neg": ("-a", "-x"),
    "pos": ("+a", "+x"),
    "invert": ("~a", "~x"),
    "is_": (f"{BRANCH}return t is None",),
    "is_not": (f"{BRANCH}return t is not None", "op(v, None)", "op(n, n)"),
    "in_": ("p in v", "2 in x", "n in v.tolist()"),
    "not_in": ("p not in v",),
    "not_": ("not a", "not (n > 1)", "not v[:1]"),
    # -- builtins ----------------------------------------------------------------------------------
    **each("len", "{}(v.tolist())", "{}(h[h].tolist())", prefix=""),
    **each("int float complex bool", "{}(a)", "{}(x)", "{}(p)", prefix=""),
    **each("abs", "{}(a)", "{}(x)", prefix=""),
    **each("round", "{}(p)", "{}(a, 1)", "{}(x)", "{}(r, n)", "{}(n, -1)", prefix=""),
    **each("divmod", "{}(a, b)", "{}(x, y)", prefix=""),
    "builtins.pow": ("pow(n, 2, 5)", "op(a, b)"),
    **each("max min", "{}(p, q)", "{}(v)", "{}(a, b)", "{}(v.tolist())", "{}(v[:1], w[:1])", prefix=""),
    **each("sum", "{}(v)", "{}(x)", "{}(v.tolist())", "{}([p, q])", "{}(v, p)", "{}(t, start=1)", prefix=""),
    **each("any all", "{}(v)", "{}(v.tolist())", "{}(x)", prefix=""),
    **each("str repr ascii", "{}(a)", "{}(x)", prefix=""),
    **each("format", "{}(r, '.3f')", "{}(g)", prefix=""),
    **each("bin hex oct", "{}(n)", "{}(k)", prefix=""),
    "chr": ("chr(n + 65)",),
    "ord": ("ord(chr(n + 65))",),
    **each("hash", "{}(p)", "{}(g)", prefix=""),
    "hasattr": ("if n > 1:\n    o.other = 1\nreturn hasattr(o, 'other')", "op(n, 'ndim')"),
    **each("callable", f"{BRANCH}return {{}}(t)", "op(n)", prefix=""),
    "isinstance": (f"{BRANCH}return isinstance(t, np.ndarray)",),
    "issubclass": ("op(int, float)",),
    "type": (f"{BRANCH}return type(t)",),
    "id": ("op(None)",),
    "chosen": ("op(-1, v, v)", "op(0, n, n)"),
    "returned": ("op(n, '__len__', 'Items')", "op(n, '__hash__', 'Items')", "op(n, '__index__', 'Items')"),
    **each("iter", "next({}(v))", prefix=""),
    **each("next", "{}(iter(v))", "{}(iter(v[:0]), n)", "{}(iter(v[:0]))", prefix=""),
    **each("sorted list tuple", "{}(v)", "{}(t[0])", "{}(t[:1])", "{}(v.tolist())", prefix=""),
    **each("set frozenset", "{}(v)", "{}([n, 2])", prefix=""),
    "dict": ("dict(np.ones((n, 2)).tolist())", "op([(n, v)], b=w)"),
    "range": ("op(n)", "op(1, n, 2)"),
    "slice": ("op(n)", "op(None, n, 2)"),
    **each("enumerate zip reversed", "op(v)", prefix=""),
    "map": ("op(abs, v)",),
    "filter": ("op(None, v)",),
    "bytes": ("bytes(n)", "op(v)"),
    "memoryview": ("op(v)",),
    # -- math --------------------------------------------------------------------------------------
    **each(
        "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1",
        "{}(p)",
        "{}(g)",
        prefix="math.",
    ),
    **each(
        "log log10 log1p log2 sqrt cbrt erf erfc gamma lgamma degrees radians",
        "{}(p)",
        "{}(g)",
        prefix="math.",
    ),
    **each("ceil floor trunc fabs isfinite isinf isnan frexp modf ulp", "{}(p)", "{}(g)", prefix="math."),
    **each(
        "atan2 copysign fmod hypot nextafter pow remainder isclose", "{}(p, q)", "{}(r, g)", prefix="math."
    ),
    **each("ldexp", "{}(r, n)", "{}(g, 2)", prefix="math."),
    **each("comb perm gcd lcm", "{}(5, n)", "{}(n, 2)", "{}(k, n)", prefix="math."),
    **each("factorial isqrt", "{}(n)", "{}(k)", prefix="math."),
    **each("dist", "{}([r, 1.0], [2.0, p])", "{}(v, w)", prefix="math."),
    **each("fsum prod", "{}(v)", "{}([p, q])", prefix="math."),
    **each(
        "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp", "{}(p)", "{}(g)", prefix="cmath."
    ),
    **each("log log10 sqrt phase polar isfinite isinf isnan", "{}(p)", "{}(g)", prefix="cmath."),
    **each("rect isclose", "{}(p, q)", "{}(r, g)", prefix="cmath."),
    # -- items and attributes ----------------------------------------------------------------------
    "get_item": texts("""
        x[0]; x[-1:]; x[...]; x[None]; x[()]; x[x > 0]; v[n]; v[k]; v[h]; v[i]; v[[0, 2]]; v[::-1]; v[9]
        v[True]; v[:n]; v[1:3]; v[n:-1]; t[1, 2]; t[:, 1:]; t[0, ::2]; t[..., n - 1]; t[:, None, 0]; t[t > 0]
        t[0, 0, 0]; t[[0, 1], [1, 2]]; t[0, [0, n % 3]]; s[0, :, [1, 2]]; v[h][0]; i[i % 2]
        (v, p)[n % 2]; divmod(p, 2)[0]; v.tolist()[0]; v.tolist()[n % 2]; v.tolist()[1:]
    """),
    "set_item": (
        *("x[...] = y\nreturn x", "v[0] = p\nreturn v", "v[h] = 1\nreturn v", "v[i] = w[:3]\nreturn v"),
        *("t[:, n % 3] = 0\nreturn t", "v[::2] = v[1::2]\nreturn v", "v[n] = g\nreturn v"),
    ),
    "delete_item": ("d = {n: v, 5: w}\ndel d[n]\nreturn d", "d = v.tolist()\ndel d[n]\nreturn d"),
    "get_attr": (
        *("x.real", "x.imag", "x.T", "x.size", "x.nbytes", "t.mT", "g.real", "g.size", "x.flags.writeable"),
        *("z.real", "n.numerator", "x.strides", "op(v, 'nothing')"),
    ),
    "read_global": ("op({'held': v}, 'held')", "op({}, 'len')", "op({}, 'nothing')"),
    "read_cell": ("op(CELL, 'one')", "op(n, 'nothing')"),
    "set_attr": ("o.held = v\nreturn o.held", "op(v, 'nothing', 1)"),
    "set_field": ("op(o, 'held', v)",),
    "tell_lookup": ("op(f, 'held', v)",),
    "delete_attr": ("op(o, 'held')", "op(v, 'nothing')"),
    "dim": ("v.shape[0] + 1", "len(v)", "t.shape[-1]", "op(t, 1)"),
    # -- calls and exceptions ----------------------------------------------------------------------
    "call_pure": ("op(max, n, 2, key=abs)", "op(np.dot, v, v)", "op(len, n)"),
    "call": ("print(v, n)", "print(n, end='')", "op(max, n, 2, key=abs)"),
    "call_method": ("v.tolist().count(n)", "'{} {}'.format(n, v)", "op(v, 'sum', axis=0)"),
    # -- arrays of JAX -----------------------------------------------------------------------------
    "device_call": ("jnp.sin(v)", "jnp.where(jnp.asarray(v) > n, 1.0, v)", "op(jnp.add, v, n)"),
    "device_apply": (
        "jax.grad(lambda x: (x * n).sum())(jnp.asarray(v))",
        "jax.value_and_grad(lambda x: (x * n).sum())(jnp.asarray(v))",
    ),
    "device_method": ("jnp.asarray(v).sum()", "jnp.asarray(v).reshape(-1, 1)"),
    "device_update": ("jnp.asarray(v).at[0].set(n)", "jnp.asarray(v).at[n:].add(1)"),
    "raise_": (
        "if n > 1:\n    raise ValueError(n)\nreturn n",
        "if n > 0:\n    raise ValueError from KeyError(n)\nreturn n",
    ),
    "reraise": (
        "try:\n    t = v[n]\nexcept IndexError:\n    if n > 5:\n        raise\n    t = 0\nreturn t",
        "if n > 1:\n    raise\nreturn n",
    ),
    "copied": ("op(KeyError(1))",),
    "another": ("op('ab' * 2)", "op(2.5)", "op(1000)", "op(b'abc')", "op(1 + 2j)"),
    # -- containers and strings --------------------------------------------------------------------
    "make_list": ("d = []\nfor one in v:\n    d.append(one)\nreturn d", "op(x, y)", "op()"),
    "make_tuple": ("op(x, p)", "op()"),
    "make_namedtuple": ("op(Point, v, p)",),
    "make_dict": ("op('a', v, n, p)", "op()"),
    "make_set": ("op(n, p)", "op(v)"),
    "make_object": ("op(Box, ('held',), v)",),
    "append": ("d = []\nfor one in v:\n    d.append(one * 2)\nreturn d", "op([n], v)"),
    "unpack": (
        *(
            "first, *rest = v\nreturn first, rest",
            "one, two = t\nreturn two, one",
            "one, two = v\nreturn one",
        ),
        *("one, *rest, last = v.tolist()\nreturn rest, last", "*rest, last = t\nreturn rest, last"),
    ),
    "spread": ("[*x.tolist(), n]", "[n, *[one for one in v]]", "op(v)"),
    "call_spread": ("np.add(*[one for one in v[:2]])", "max(*[one for one in v], n)", "op(max, [1, n])"),
    "call_mapping": (
        "dict(**{one: n for one in 'ab'[:n]}, z=n)",
        "dict(z=a, **{one: n for one in 'ab'[:n]})",
    ),
    # -- by keys -----------------------------------------------------------------------------------
    "sorted_by": (
        "sorted(v, key=lambda one: abs(one - 2))",
        "sorted([x, y], key=lambda one: one.sum(), reverse=n > 1)",
    ),
    "max_by": ("max(v, key=lambda one: abs(one))", "max(e[n:], key=lambda one: -one, default=None)"),
    "min_by": ("min(v, key=lambda one: abs(one))", "min(x, y, key=lambda one: one.sum())"),
    "format_value": ("f'{a}'", "f'{r:.3f}'", "f'{n!r:>4}'"),
    "join_strings": ("f'{n} and {v}'",),
    # -- names without a value ---------------------------------------------------------------------
    "check_defined": (
        "op(v, 'one', False)",
        "if n > 1:\n    t = v\nreturn t",
        "for one in v[n:]:\n    pass\nreturn one",
    ),
    "check_next": ("next(one for one in v if one > 1)", "next(one for one in v if one > 9)"),
    "check_bound": ("return [k for k in range(2 ** (n - 1))]", "op(n)"),
    "check_step": ("return [k for k in range(0, 5, n)]", "op(n)"),
    "check_iterator": ("op(io.StringIO('one'))", "op(v)", "op(n)"),
    "check_unchanged": ("op(1, 1, 'path')", "op(v, 1, 'path')"),
    "check_still": ("op(type(None))",),
    "promised": (
        "op(y, result_spec(np.zeros((1, 1, 1))), 'f')",
        "op(n, result_spec(0), 'f')",
        "op(a, result_spec(0.5), 'f')",
    ),
    "check_array": ("op(y, (2, 3, 4), np.dtype('f8'))", "op(x, (), np.dtype('f8'))"),
}
