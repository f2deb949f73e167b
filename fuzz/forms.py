"""Templates of statements and expressions about arrays, whose places a generator fills in.

A place is a letter in braces: ``{A}`` an array, ``{V}`` one of one dimension, ``{M}`` of two, ``{N}`` a number,
``{I}`` an index, ``{S}`` a slice, ``{F}`` an array of indices, ``{C}`` a condition, ``{X}`` an expression for
an array, ``{Y}`` one for a view.  Places with the same digit (``{A1}``) are filled in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

HEADER: Final = '''"""A random program about arrays."""

import numpy as np

LOG = []
KEPT = np.arange(4.0)


class Box:
    """Holds an array, as ``self.v``, and what was made of it."""

    def __init__(self, v):
        self.v = v
        self.n = 0

    def row(self, i):
        return self.v[i % len(self.v)]

    def shift(self, d):
        self.n += 1
        self.v += d
        return self.v

    def swap(self, v):
        old, self.v = self.v, v
        return old


def first(x, y, take):
    return x if take else y


def bump(x, d=1):
    x += d
    return x


def plus(x, d=1):
    x = x + d
    return x


def remember(x, seen=[], total=np.zeros(1)):
    seen.append(x)
    total += x.size
    return seen, total


def windows(x, n):
    for i in range(len(x) - n + 1):
        yield x[i : i + n]


def arguments(call):
    """The arguments of a call: the types are the same for all calls but the last, overlaps and values are not."""
    kind = "float64 int64 complex128 float32".split()[LAST if call == 3 else FIRST]
    m = (np.arange(12) * (call + 2) % 7 - 3).reshape(3, 4).astype(kind)
    if call % 2:
        m = np.asfortranarray(m)
    n = (np.arange(12) - 4).reshape(3, 4).astype(kind)
    second = [m, n, m[::-1], n[:, ::-1], m[:2], n.T, m[1:], n[::2]][(SECOND + call * 3) % 8]
    v = [m[0], n[1], m[:, 0], np.arange(4).astype(kind), n[0, ::-1], second[-1]][(VECTOR + call) % 6]
    w = [v, v[::-1], v[1:], v.copy(), m[1], n[:, 1], m[0, :0]][(OTHER + call) % 7]
    k, s = (call + SECOND) % 4, np.float64([1.5, -2.0, 0.0, 3.0][(call + OTHER) % 4])
    idx = np.array([0, 1, 1]) if call % 2 else np.array([1, 0, -1])
    box = Box([m, n, v, second][(OTHER + call) % 4])
    items = [v, w, m[0], v] if call % 2 else [m[2], v, w, n[0]]
    table = {"m": m if call % 2 else n, "v": v, "w": [w, second]}
    return m, second, v, w, k, s, idx, box, items, table


'''
PARAMETERS: Final = "m, second, v, w, k, s, idx, box, items, table"

ARRAYS: Final = (
    "box.v",
    "items[0]",
    "items[k]",
    "items[-1]",
    "table['m']",
    "table['v']",
    "table['w'][0]",
    "KEPT",
)
"""Arrays that are reached through something else than a name."""

NUMBERS: Final = (
    "0", "1", "2", "-1", "0.5", "2.5", "k", "s", "{A}.sum()", "{V}[{I}]", "{A}.flat[0]", "float({V}[0].real)",
    "len({A})", "{A}.size", "{M}[{I}, {I}]", "{A}.max()", "{A}.ndim", "box.n", "np.abs({A}).max()", "{V}[0]",
    "s + k", "abs(s)", "{V}.argmax()", "{A}.mean()", "{V} @ {V}",
)  # fmt: skip
INDICES: Final = (
    "0",
    "1",
    "-1",
    "k",
    "k % 2",
    "-k",
    "k // 2",
    "2",
    "idx[0]",
    "len({V}) - 1",
    "idx[k % 3] % 2",
)
SLICES: Final = (
    ":", "1:", ":-1", "::2", "::-1", "k:", ":k", "-2:", "2:0:-1", "1:1", "k % 2:", "k % 2::2", ":2", "1:3", "-1:-3:-1",
    "slice(1, None)", "slice(None, None, -1)",
)  # fmt: skip
FANCY: Final = (
    "[0, 1]", "[0, 0, 1]", "np.array([1, 0, 1])", "idx", "idx % 2", "[-1, k % 2]", "[[0, 1], [1, 0]]", "np.arange(2)",
    "np.arange(3)[::-1]", "[]", "(idx,)", "np.flatnonzero(idx)", "[k % 2, 0]", "range(2)",
)  # fmt: skip
CONDITIONS: Final = (
    "{N} > {N}", "{A}.sum() > {N}", "({A} > {N}).any()", "k > 1", "s < 0", "{A} is {A}", "np.shares_memory({A}, {A})",
    "{A}.flags.writeable", "len({A}) > k", "{V}[0] == {V}[-1]", "{A}.base is None", "{A}.flags.c_contiguous",
    "np.array_equal({A}, {A})", "{A}.any()", "{A}[{I}].all()", "k % 2", "s", "not k", "k and s > 0", "{N} != {N}",
    "np.may_share_memory({A}, {A})", "{A}.base is {A}", "{A}.ndim > 1", "{A}.dtype == float",
)  # fmt: skip
VIEWS: Final = (
    "{A}", "{A}[{S}]", "{A}[{S}][{S}]", "{A}[...]", "{A}[None]", "{A}[..., None]", "{A}.T", "{M}[:, {I}]", "{M}[{I}]",
    "{M}[{I}, {S}]", "{M}[{S}, {S}]", "{M}[{S}, {I}]", "{A}[..., {S}]", "{A}[..., {I}]", "{A}[{I}, ...]", "{A}[()]",
    "{A}.reshape(-1)", "{A}.reshape(2, -1)", "{A}.ravel()", "{A}.ravel('F')", "{A}.ravel('K')", "{M}.swapaxes(0, 1)",
    "np.reshape({A}, -1, order='F')", "np.ravel({A})", "np.transpose({A})", "{A}.transpose()", "{M}.transpose(1, 0)",
    "{A}.real", "{A}.imag", "np.real({A})", "np.imag({A})", "np.diag({M})", "np.diagonal({M})", "{M}.diagonal(1)",
    "{A}.view()", "{A}.view(np.int64)", "{A}.view(np.uint8)", "{A}.view({A}.dtype)", "np.squeeze({A})", "{A}.squeeze()",
    "np.broadcast_to({V1}, (2, *{V1}.shape))", "np.atleast_1d({A})", "np.atleast_2d({A})", "np.atleast_3d({A})",
    "np.expand_dims({A}, 0)", "np.expand_dims({A}, -1)", "np.moveaxis({M}, 0, 1)", "np.rollaxis({M}, 1)",
    "np.split({A}, 2)[{I}]", "np.array_split({A}, 2)[1]", "np.hsplit({A}, 2)[0]", "np.vsplit({M}, [1])[1]",
    "np.array_split({V}, [1, 2])[k % 3]", "np.asarray({A})", "np.asarray({A}, dtype=float)", "np.asanyarray({A})",
    "np.ascontiguousarray({A})", "np.asfortranarray({A})", "np.require({A}, requirements='C')",
    "np.require({A}, requirements=['W', 'O'])", "{A}.astype(float, copy=False)", "{A}.astype({A}.dtype, copy=False)",
    "{A}.astype(np.int64, copy=False)", "np.array({A}, copy=None)", "np.flip({A})", "np.fliplr({M})", "np.flipud({A})",
    "np.rot90({M})", "np.rot90({M}, k)", "np.trim_zeros({V})", "np.lib.stride_tricks.sliding_window_view({V}, 2)",
    "np.lib.stride_tricks.as_strided({M1}, {M1}.shape[:1], {M1}.strides[:1])", "np.nan_to_num({A}, copy=False)", "np.unstack({M})[0]",
    "np.meshgrid({V}, {V}, copy=False)[k % 2]", "np.broadcast_arrays({A}, {A})[0]", "np.real_if_close({A})",
    "np.matrix_transpose({M})", "{M}.mT", "first({A}, {A}, k)", "first({A}, {A}, {C})", "box.row({I})", "bump({A})",
    "bump({A}, {N})", "({A} if {C} else {A})", "({A} if {C} else {A}[{S}])", "max({V}[:1], {V}[:1])", "list({M})[0]",
    "[r for r in {M}][{I}]", "({A}, {A})[{I}]", "[{A}, {A}][k % 2]", "{{'x': {A}, 'y': {A}}}['x']", "(k or {A})",
    "{A}.__array__()", "{A}.conj()", "np.conj({A})", "+{A}", "{A}.byteswap().view()", "(lambda q: q[{S}])({A})",
    "next(iter({M}))", "remember({A})[1]", "remember({A})[0][-1]", "next(windows({V}, 2))", "[*windows({V}, 2)][-1]", "{A}.data", "np.frombuffer({V}.data)",
    "{A}.getfield(np.uint8)", "np.delete({V}, [])", "np.asarray({V}.tolist())", "{A}.newbyteorder()", "np.c_[{V}, {V}]",
    "{A}.reshape({A}.shape)", "{A}.reshape((1, *{A}.shape))", "np.squeeze({A}[None])", "{A}[tuple([{I}])]",
)  # fmt: skip
VALUES: Final = (
    "{A} + {N}", "{A1} * {A1}", "{A} - {A}", "-{A}", "{A}.copy()", "np.zeros_like({A})", "np.abs({A})", "{A} > {N}",
    "np.cumsum({A})", "{A}[{F}]", "{A1}[{A1} > {N}]", "{A1}[{A1} != {N}]", "np.sort({A})", "{A} * {N}", "np.array({A})",
    "np.where({A1} > {N}, {A1}, {N})", "{A}.take({F})", "{M}[{F}, {I}]", "{M}[{S}, {F}]", "{M}[np.ix_([0, 1], [1, 0])]",
    "np.concatenate([{V}, {V}])", "np.stack([{V1}, {V1}])", "{M} @ {V}", "np.outer({V}, {V})", "{A}.flatten()",
    "np.roll({A}, 1)", "{A}.sum(axis=0)", "np.maximum({A}, {N})", "np.full(3, {N})",
    "np.ones(4)", "np.arange(3.0)", "{A}.flat[1:]", "{A}.flat[{F}]", "plus({A})", "plus({A}, {N})", "np.tile({V}, 2)",
    "np.array([{V}[0], {N}])", "np.diff({V})", "np.repeat({V}, 2)", "{A} // 2", "{A} % 3", "{A}.round()", "np.sign({A})",
    "{A}.astype(float)", "{A}.astype(np.int64)", "np.argsort({V})", "{V}.nonzero()[0]", "np.triu({M})", "np.eye(3)",
    "np.linspace(0, 1, 4)", "np.choose(k % 2, [{V1}, {V1}])", "{M}[{F}]", "{A}[..., {F}]", "np.copy({A})",
    "np.add.accumulate({A})", "np.add.outer({V}, {V})", "np.array([r * 2 for r in {M}])", "np.minimum({A1}, {A1}[::-1])",
    "np.insert({V}, 0, {N})", "np.append({V}, {N})", "np.einsum('i,i->i', {V1}, {V1})", "np.clip({A}, 0, 2)",
    "{A1}[np.zeros({A1}.shape, bool)]", "np.pad({V}, 1)", "np.unique({V})",
)  # fmt: skip
OPERATORS: Final = ("+=", "-=", "*=", "//=", "/=", "%=", "**=", "@=", "&=", "|=", "<<=")
TARGETS: Final = (
    "{A}[{I}]", "{A}[{S}]", "{A}[...]", "{A}[{S}][{S}]", "{A}[{F}]", "{A1}[{A1} > {N}]", "{A1}[{A1} < {N}]",
    "{M}[{I}, {I}]", "{M}[{S}, {I}]", "{M}[{I}, {S}]", "{M}[{S}, {S}]", "{M}[{F}, {I}]", "{M}[{S}, {F}]", "{A}.T[{S}]",
    "{A}[..., {I}]", "{A}[..., {S}]", "{A}[None, {S}]", "{A}[{S}, None]", "{A}.flat[{I}]", "{A}.flat[{S}]", "{A}.real[{S}]",
    "{A}.imag[{S}]", "{M}[np.ix_([0, 1], [1, 0])]", "{A}[()]", "{A}.reshape(-1)[{S}]", "{A}.ravel()[{S}]", "box.v[{S}]",
    "{A}[{F}][{S}]", "{A}[{S}][{F}]", "{A1}[({A1} > {N}) & ({A1} < 3)]", "{M}[{M}[:, 0] > {N}]", "{Y}[{S}]", "{Y}[...]",
    "{A1}[np.abs({A1}) > {N}]", "{M}[{F}, {F}]", "items[0][{S}]", "table['v'][{I}]", "table['w'][1][{S}]", "{A}.flat",
    "{M}[{I}][{S}]", "{A}.real", "{A}.imag", "{A}[True]", "{A}[False]", "{A}[{I}, ..., None]", "{A}.flat[{F}]",
)  # fmt: skip
UPDATES: Final = (
    "np.add({A}, {A}, out={A})", "np.add({A1}, {N}, out={A1})", "np.add({A1}[1:], {A1}[:-1], out={A1}[1:])",
    "np.multiply({A1}, {A1}[::-1], out={A1})", "np.add({A1}, {N}, {A1})", "np.add({A1}, {N}, out=({A1},))",
    "np.negative({A1}, {A})", "np.divmod({A1}, 3, out=({A1}, {A}))", "np.modf({A}, out=({A}, {A}))",
    "np.modf({A1}, {A1}, None)", "np.add({A1}, {N}, out={A}, where={A1} > 0)", "np.sqrt({A}, out={A}, where={A} > 0)",
    "np.copyto({A}, {A})", "np.copyto({A1}, {A1}[::-1])", "np.copyto({A1}, {N}, where={A1} > {N})", "{A}.fill({N})",
    "np.put({A}, {F}, {N})", "np.put({A}, {F}, {V})", "{A}.put({F}, {V})", "np.place({A1}, {A1} > {N}, {V})",
    "np.putmask({A1}, {A1} > {N}, {A})", "np.putmask({A1}, {A1} < {N}, {N})",
    "np.put_along_axis({V}, np.array([0, 1]), {N}, 0)", "np.fill_diagonal({M}, {N})", "np.fill_diagonal({M}, {V})",
    "np.add.at({A}, {F}, {N})", "np.add.at({V}, {F}, {V})", "np.maximum.at({V}, idx, {V}[:3])", "np.negative.at({A}, {F})",
    "np.multiply.at({M}, ({F}, {I}), {N})", "{A}.sort()", "{A}.sort(axis=0)", "{M}[{I}].sort()", "{A}[::-1].sort()",
    "{A}.partition(1)", "np.ndarray.sort({M}[{I}])", "np.clip({A1}, 0, 2, out={A1})", "{A1}.clip(0, 2, out={A1})",
    "np.cumsum({V1}, out={V1})", "np.cumsum({V1}[::-1], out={V1})", "np.take({V1}, [1, 0, 1, 0], out={V})",
    "np.sum({M}, axis=0, out={V})", "{M}.max(axis=0, out={V})", "np.dot({M}, {V}, out={V})", "np.round({A1}, 0, {A1})",
    "np.subtract({A}, {A}, out={A})", "np.matmul({M}, {V}, out={V})", "np.concatenate([{V1}[:2], {V1}[:2]], out={V})",
    "np.random.default_rng(k).shuffle({A})", "np.random.RandomState(1).shuffle({A})", "{A}.itemset(0, {N})",
    "np.add.reduce({M}, axis=0, out={V})", "np.add.accumulate({V1}, out={V1})", "np.nan_to_num({A}, copy=False)",
    "{A}.setflags(write=False)", "{A}.flags.writeable = False", "{A}.__setitem__({I}, {N})", "{A}.__iadd__({N})",
    "np.lib.stride_tricks.as_strided(KEPT, (3, 2), KEPT.strides * 2)[{S}] += {N}", "{A}.byteswap(True)",
    "np.ndarray.__setitem__({A}, {I}, {N})", "np.ndarray.fill({A}, {N})", "np.exp({A}, out={A})", "{A}.resize(3)",
    "np.einsum('i->i', {V})[{S}] = {N}", "np.median({V}, overwrite_input=True)", "np.absolute({A1}, {A1})",
    "{A}.view(np.uint8)[{S}] = 1", "np.random.default_rng(1).standard_normal(out={V})", "memoryview({V})[0] = {V}[1]",
    "np.isnan({A}, out=np.empty(3, bool))", "np.frexp({V}, out=(None, np.zeros(4, np.int32)))", "items[0].shape = -1",
    "np.add.reduceat({V}, [0, 2, 1], out={V}[:3])", "np.multiply.outer({V}, {V}, out={M})", "np.ldexp({V}, 1, out={V})",
)  # fmt: skip
HELD: Final = (
    "box.v = {Y}", "box.v += {N}", "box.v[{S}] += {N}", "box.shift({N})", "items.append({Y})", "items[0] = {Y}",
    "items[k % 2] = {Y}", "items[0] += {N}", "items[{I}][{S}] = {N}", "table['v'] = {Y}", "table['m'] -= {N}",
    "table['v'][{S}] *= {N}", "table.update(z={Y})", "items[0], items[1] = items[1], items[0]", "items.reverse()",
    "table['w'].append({A})", "items[1:] = [{A}, {A}]", "box.n += 1", "{A}[{S}], {A}[{S}] = {A}[{S}], {A}[{S}]",
    "LOG.append({A}.sum())", "LOG.append({Y})", "LOG.append({A}.copy())", "items.pop()", "table.setdefault('q', {Y})",
    "{A1}[0], {A1}[-1] = {A1}[-1], {A1}[0]", "{A1}[[0, 1]] = {A1}[[1, 0]]", "{A1}[{S}], q = {A1}[{S}], {A}", "print({A})",
    "for r in {M}: r += {N}", "for r in {M}.T: r[...] = {V}[0]", "for r in {M}: r[:] = r[::-1]", "items += [{Y}]",
    "for i, r in enumerate({M}): r[0] = i", "for p, q in zip({M}, {M}): p += q", "[bump(r) for r in {M}]",
    "for r in reversed({M}): r -= {V}[0]", "for x in items: x *= 2", "for x in table['w']: x[0] = {N}",
    "for key, x in table.items(): LOG.append((key, np.sum(x) if key != 'w' else 0))", "KEPT[:] = {V}", "KEPT[k] += 1",
    "with np.nditer({A}, op_flags=['readwrite']) as it: [x.__setitem__(..., 2 * x) for x in it]", "box.w = {Y}",
    "for x in np.nditer({A}, op_flags=['readwrite']): x[...] = x + 1", "for i in np.ndindex({M1}.shape): {M1}[i] += 1",
    "for i, x in np.ndenumerate({M1}): {M1}[i] = x + 1", "for x in {A}.flat: LOG.append(x)", "box.swap({Y})[:] = {N}",
    "for part in np.split({A}, 2): part += 1", "for x in windows({V}, 2): x[0] = x[1]", "*items, = items[::-1]",
    "{A1}[1:] -= {A1}[:-1]", "{A1} += {A1}[::-1]", "{A1}[::-1] += {A1}", "{A1}[:] = {A1}.T", "{A1}[1:] = {A1}[:-1]",
    "remember({A})", "LOG.append(len(remember({A})[0]))", "remember({A})[1][0] = 0", "map(bump, items)", "list(map(bump, items))", "any(bump(r).any() for r in {M})",
)  # fmt: skip
LOCAL: Final = (
    "mine = [m, v]",
    "own = Box(v)",
    "named = {'p': w, 'l': [m]}",
    "pair = (v, m[0])",
    "deep = [[v, w], m]",
)
"""Containers that the program makes itself, for arrays."""
CONTAINERS: Final = (
    "mine = [{A}, {Y}]", "mine[0] = {Y}", "mine[k % 2] = {X}", "mine[0] += {N}", "mine[{I}][{S}] = {N}", "mine.append({Y})",
    "mine[0], mine[1] = mine[1], mine[0]", "mine.reverse()", "mine = [x * 2 for x in mine]", "mine[:] = mine[::-1]",
    "for x in mine: x += 1", "for x in mine: x[...] = {N}", "mine += [{Y}]", "mine = mine + [{A}]", "mine = list(mine)",
    "mine = [*mine[:2], {Y}]", "mine.insert(0, {A})", "mine.pop()", "other = mine", "other = mine[:]", "other.append({A})",
    "other[0][{S}] = {N}", "own = Box({Y})", "own.v = {Y}", "own.v += {N}", "own.shift({N})", "own.w = {Y}", "own.swap({Y})",
    "named['p'] = {Y}", "named['p'] += {N}", "named['l'].append({A})", "named = {{'p': {Y}, 'l': mine}}", "named['q'] = own",
    "named['q'].v = {Y}", "pair = {A}, {Y}", "pair = pair[::-1]", "x, y = pair", "pair[0][{S}] = {N}", "(x, y), z = pair, {Y}",
    "deep[0][0] = {Y}", "deep[0][1][{S}] += {N}", "deep = [mine, {Y}]", "deep[0].append({A})", "deep[1] = {Y}", "items = mine",
    "items.append(mine)", "items[-1][0][{S}] = {N}", "table['w'] = mine", "box.own = own", "box.own.v[{S}] += {N}", "box = own",
    "mine, other = [{A}], [{Y}]", "mine = sorted(mine, key=np.size)", "mine = [x for x in mine if x.ndim == 1] or [{V}]",
    "mine = [np.copy(x) for x in items[:3]]", "LOG.append([x.sum() for x in mine])", "LOG.append(mine)", "LOG.append(own)",
    "mine[0], own.v = own.v, mine[0]", "mine = [{V}] * 3", "mine[1:] = [{A}, {Y}]", "del mine[1:]", "mine = [[*r] for r in {M}]",
)  # fmt: skip
TESTS: Final = ("{C}", "{C}", "not ({C})", "{C} and {C}", "{C} or {C}", "0 < {N} < 3")
LOOPS: Final = (
    "for {i} in range(3)", "for {i} in range(k)", "for {i} in range(len({A}))", "for {i} in range(2, -1, -1)",
    "for {r} in {M}", "for {r} in {M}.T", "for {i}, {r} in enumerate({M})", "for {r}, {q} in zip({M}, {M})",
    "for {r} in items", "for {r} in [{A}, {A}]", "for {r} in windows({V}, 2)", "for {r} in {M}[::-1]",
    "for {i}, ({r}, {q}) in enumerate(zip({M}, items))", "for {r} in reversed({M})", "for {r} in ({Y}, {Y})",
    "for {i}, {n} in enumerate({V})", "for {r} in table['w']", "for {r} in np.split({A}, 2)", "for {n} in {V}",
    "for {i} in range(int(abs(s)))", "for {i} in idx", "for {r} in map(bump, {M})", "for {r} in list({M})",
)  # fmt: skip
"""Heads of loops: ``{i}`` is an index, ``{r}`` and ``{q}`` arrays, ``{n}`` a number."""
CAUGHT: Final = ("ValueError", "IndexError", "(ValueError, TypeError)", "Exception", "ValueError as error")
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "N": NUMBERS,
    "I": INDICES,
    "S": SLICES,
    "F": FANCY,
    "C": CONDITIONS,
    "T": TESTS,
    "Y": VIEWS,
    "X": VALUES,
}
