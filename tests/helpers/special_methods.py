"""Special methods, ways to ask for them, and places where they are asked for: the table of ``test_special_methods``.

``CASES`` has methods of a class ``D`` and expressions that ask instances ``a`` and ``b`` of it; ``CONTEXTS`` the places.
``log`` counts in a global what was called, so that what is read anew after each call can be seen.
"""

from typing import Final

CASES: Final[dict[str, tuple[str, list[str]]]] = {
    "mul": ("def __mul__(self, o):\n  log('mul')\n  return D(self.v * val(o))", ["(a * b).v", "(a * 2).v"]),
    "rmul": (
        "def __rmul__(self, o):\n  log('rmul')\n  return D(val(o) * self.v)",
        ["(2 * a).v", "(2.5 * a).v"],
    ),
    "iadd": (
        "def __iadd__(self, o):\n  log('iadd')\n  self.v = self.v + val(o)\n  return self",
        ["aug(a, b)", "aug(a, 3)"],
    ),
    "neg": ("def __neg__(self):\n  log('neg')\n  return D(-self.v)", ["(-a).v"]),
    "abs": ("def __abs__(self):\n  log('abs')\n  return abs(self.v)", ["abs(a)"]),
    "pow": ("def __pow__(self, o, m=None):\n  log('pow')\n  return self.v ** 2", ["a ** 2", "pow(a, 2)"]),
    "divmod": ("def __divmod__(self, o):\n  log('divmod')\n  return divmod(self.v, 2)", ["divmod(a, 2)"]),
    "matmul": ("def __matmul__(self, o):\n  log('mm')\n  return self.v * 10", ["a @ b", "a @ 2"]),
    "getattr": (
        "def __getattr__(self, name):\n  if name.startswith('_'): raise AttributeError(name)\n  log('getattr')\n  return (name, self.v)",
        ["a.zz", "getattr(a, 'yy')", "hasattr(a, 'xx')", "getattr(a, 'ww', 3)"],
    ),
    "getattribute": (
        "def __getattribute__(self, name):\n  log('gattr')\n  return object.__getattribute__(self, name)",
        ["a.v", "getattr(a, 'v')"],
    ),
    "setattr": (
        "def __setattr__(self, name, value):\n  log('setattr')\n  object.__setattr__(self, name, value)",
        ["seta(a, 4)", "D(5).v"],
    ),
    "delattr": (
        "def __delattr__(self, name):\n  log('delattr')\n  object.__delattr__(self, name)",
        ["dela(a)"],
    ),
    "getitem": (
        "def __getitem__(self, key):\n  log('getitem')\n  if key == 3: raise IndexError(key)\n  return (key, self.v)",
        ["a[1]", "a['x']", "list(a)", "2 in a", "[y for y in a]", "(lambda p, q, r: p)(*a)"],
    ),
    "setitem": (
        "def __setitem__(self, key, value):\n  log('setitem')\n  self.v = key + value",
        ["seti(a, 4)"],
    ),
    "delitem": ("def __delitem__(self, key):\n  log('delitem')\n  self.v = key", ["deli(a, 4)"]),
    "contains": (
        "def __contains__(self, x):\n  log('contains')\n  return x == self.v",
        ["1 in a", "2 in a", "2 not in a"],
    ),
    "iter": (
        "def __iter__(self):\n  log('iter')\n  return iter([self.v, 2, 3])",
        [
            "list(a)",
            "[q for q in a]",
            "sum(a)",
            "2 in a",
            "unp(a)",
            "dict.fromkeys(a)",
            "sorted(a)",
            "max(*a)",
            "[*a]",
            "tuple(zip(a, a))",
            "list(map(str, a))",
        ],
    ),
    "next": (
        "def __next__(self):\n  log('next')\n  self.v = self.v + 1\n  if self.v > 5: raise StopIteration\n  return self.v",
        ["next(a)", "next(a, 9)"],
    ),
    "iternext": (
        "def __iter__(self):\n  log('it')\n  return self\n def __next__(self):\n  log('next')\n  self.v = self.v + 1\n  if self.v > 5: raise StopIteration\n  return self.v",
        ["list(a)", "[q for q in a]", "sum(a)"],
    ),
    "len": (
        "def __len__(self):\n  log('len')\n  return 3",
        ["len(a)", "bool(a)", "1 if a else 2", "not a", "a and 5"],
    ),
    "bool": (
        "def __bool__(self):\n  log('bool')\n  return self.v > 1",
        [
            "bool(a)",
            "1 if a else 2",
            "not a",
            "a and 5",
            "any([a])",
            "all([a, b])",
            "list(filter(None, [a, b])) == []",
        ],
    ),
    "hash": (
        "def __hash__(self):\n  log('hash')\n  return 7",
        ["hash(a)", "len({a: 1})", "len({a, b})", "a in {a: 2}"],
    ),
    "eq": (
        "def __eq__(self, o):\n  log('eq')\n  return self.v == val(o)",
        [
            "a == b",
            "a == 1",
            "1 == a",
            "a != b",
            "a in [b, a]",
            "[a, b].index(b)",
            "[a] == [b]",
            "(a, 1) != (b, 1)",
        ],
    ),
    "lt": (
        "def __lt__(self, o):\n  log('lt')\n  return self.v < val(o)",
        ["a < b", "a > b", "1 > a", "sorted([b, a])[0].v", "max(a, b).v", "min([a, b]).v"],
    ),
    "repr": (
        "def __repr__(self):\n  log('repr')\n  return 'D<%s>' % self.v",
        [
            "repr(a)",
            "str(a)",
            "f'{a}'",
            "f'{a!r}'",
            "'%s' % a",
            "'%r' % (a,)",
            "'{}'.format(a)",
            "repr([a])",
            "str((a, b))",
            "format(a)",
        ],
    ),
    "str": (
        "def __str__(self):\n  log('str')\n  return 'S%s' % self.v",
        ["str(a)", "f'{a}'", "'%s' % a", "'{}'.format(a)", "format(a)", "', '.join([str(a)])"],
    ),
    "format": (
        "def __format__(self, spec):\n  log('format')\n  return 'F' + spec + str(self.v)",
        ["format(a)", "f'{a:>5}'", "f'{a}'", "'{:x}'.format(a)", "format(a, 'q')"],
    ),
    "with": (
        "def __enter__(self):\n  log('enter')\n  return self.v\n def __exit__(self, *e):\n  log('exit')\n  return False",
        ["wi(a)", "wi2(a)"],
    ),
    "call": (
        "def __call__(self, x, k=1):\n  log('call')\n  return self.v + x + k",
        ["a(1)", "a(1, k=3)", "list(map(a, [1, 2]))", "max([3, 1], key=a)", "callable(a)"],
    ),
    "index": (
        "def __index__(self):\n  log('index')\n  return 1",
        [
            "[5, 6, 7][a]",
            "list(range(a))",
            "hex(a)",
            "int(a)",
            "float(a)",
            "[1,2,3][a:]",
            "'abc'[a]",
            "complex(a)",
        ],
    ),
    "int": ("def __int__(self):\n  log('int')\n  return 42", ["int(a)"]),
    "float": (
        "def __float__(self):\n  log('float')\n  return 2.5",
        ["float(a)", "math.sqrt(a)", "complex(a)"],
    ),
    "round": (
        "def __round__(self, n=None):\n  log('round')\n  return (self.v, n)",
        ["round(a)", "round(a, 2)"],
    ),
    "trunc": (
        "def __trunc__(self):\n  log('trunc')\n  return 3\n def __floor__(self):\n  log('fl')\n  return 4\n def __ceil__(self):\n  log('ce')\n  return 5",
        ["math.trunc(a)", "math.floor(a)", "math.ceil(a)"],
    ),
    "complex": ("def __complex__(self):\n  log('complex')\n  return 1j", ["complex(a)"]),
    "reversed": ("def __reversed__(self):\n  log('rev')\n  return iter([3, self.v])", ["list(reversed(a))"]),
    "lenhint": (
        "def __iter__(self):\n  return iter([1])\n def __length_hint__(self):\n  log('hint')\n  return 5",
        ["operator.length_hint(a)", "list(a)"],
    ),
    "invert": (
        "def __invert__(self):\n  log('inv')\n  return ~self.v\n def __pos__(self):\n  log('pos')\n  return self.v",
        ["~a", "+a"],
    ),
    "property": (
        "@property\n def w(self):\n  log('w')\n  return self.v\n @w.setter\n def w(self, x):\n  log('setw')\n  self.v = x\n @w.deleter\n def w(self):\n  log('delw')",
        ["a.w", "setw(a, 3)", "delw(a)", "getattr(a, 'w')", "hasattr(a, 'w')"],
    ),
    "method": (
        "def m(self, x=1):\n  log('m')\n  return self.v + x\n @staticmethod\n def s(x):\n  log('s')\n  return x * 2\n @classmethod\n def c(cls, x):\n  log('c')\n  return cls(x)",
        [
            "a.m()",
            "a.m(x=4)",
            "D.m(a, 3)",
            "a.s(3)",
            "D.s(3)",
            "a.c(4).v",
            "D.c(5).v",
            "list(map(a.m, [1, 2]))",
        ],
    ),
    "new": (
        "def __new__(cls, v, *r):\n  log('new')\n  self = object.__new__(cls)\n  self.v = v\n  return self",
        ["D(3).v", "D(4, 5).v"],
    ),
    "initsub": ("def __init_subclass__(cls, **k):\n  log('initsub')\n  cls.z = 3", ["sub(D)"]),
    "classgetitem": (
        "def __class_getitem__(cls, k):\n  log('cgi')\n  return (cls.__name__, k)",
        ["D[3]", "D['x']"],
    ),
    "ufunc": (
        "def __array_ufunc__(self, ufunc, method, *args, **kw):\n  log('ufunc')\n  return (ufunc.__name__, method, len(args))",
        ["np.add(a, 1)", "np.ones(2) + a", "np.sin(a)", "np.add.reduce(a)"],
    ),
    "afunction": (
        "def __array_function__(self, f, types, args, kw):\n  log('af')\n  return f.__name__",
        ["np.concatenate([a, b])", "np.mean(a)"],
    ),
    "array": (
        "def __array__(self, dtype=None, copy=None):\n  log('array')\n  return np.array([1.0, 2.0])",
        ["np.asarray(a).sum()", "np.sum(a)"],
    ),
    "missing": ("pass", ["M()['q']", "M(a=1)['a']"]),
    "desc": ("pass", ["a.d", "setd(a, 3)", "deld(a)", "D.d"]),
    "reduce": ("def __reduce__(self):\n  log('reduce')\n  return (D, (9,))", ["copy.copy(a).v"]),
    "copy": (
        "def __copy__(self):\n  log('copy')\n  return D(8)\n def __deepcopy__(self, memo):\n  log('dc')\n  return D(7)",
        ["copy.copy(a).v", "copy.deepcopy(a).v"],
    ),
    "dir": ("def __dir__(self):\n  log('dir')\n  return ['x']", ["dir(a)"]),
    "sizeof": (
        "def __bytes__(self):\n  log('bytes')\n  return b'q'\n def __fspath__(self):\n  log('fs')\n  return 'path'",
        ["bytes(a)", "os.fspath(a)"],
    ),
    "match": (
        "__match_args__ = ('v',)\n def __eq__(self, o):\n  log('eq')\n  return self.v == val(o)",
        ["ma(a)"],
    ),
    "instcheck": ("pass", ["isinstance(a, I)", "issubclass(D, I)", "isinstance(3, I)"]),
    "metacall": ("pass", ["Q(3)", "len(Q)", "Q + 1", "Q.zz", "[q for q in Q]", "1 in Q"]),
    "slots": ("__slots__ = ('u', 'v')\n def m(self):\n  log('m')\n  self.u = 3\n  return self.u", ["a.m()"]),
    "init": (
        "def __init__(self, v, k=2):\n  log('init')\n  self.v = v * k",
        ["D(3).v", "D(3, k=4).v", "[D(i).v for i in range(3)]"],
    ),
    "radd": ("def __radd__(self, o):\n  log('radd')\n  return 5", ["sum([a])", "1 + a", "[1] + [2]"]),
    "iadds": (
        "def __imul__(self, o):\n  log('imul')\n  self.v = self.v * o\n  return self\n def __ior__(self, o):\n  log('ior')\n  return o",
        ["augs(a, 3)", "operator.imul(a, 2).v", "operator.ior(a, 4)"],
    ),
}

DEFINITIONS: Final = """
import astrace, math, operator, copy, os, functools
import numpy as np
LOG = []
N = 0
def log(t):
    global N
    N += 1
    LOG.append(t)
def val(o):
    return o.v if isinstance(o, D) else o
def hold(fn):
    return fn
def aug(a, o):
    c = a
    a += o
    return a is c, a.v
def augs(a, o):
    c = a
    a *= o
    a |= o
    return a, c.v
def seta(a, x):
    a.v = x
    setattr(a, 'v2', x)
    return a.v, a.v2
def dela(a):
    a.q = 1
    del a.q
    return hasattr(a, 'q')
def seti(a, x):
    a[x] = 5
    return a.v
def deli(a, x):
    del a[x]
    return a.v
def setw(a, x):
    a.w = x
    a.w += 1
    return a.v
def delw(a):
    del a.w
    return a.v
def setd(a, x):
    a.d = x
    return a.v
def deld(a):
    del a.d
    return a.v
def unp(a):
    p, *q = a
    return p, q
def wi(a):
    with a as x:
        y = x
    return y
def wi2(a):
    try:
        with a:
            raise ValueError(a.v)
    except ValueError as e:
        return str(e)
def sub(D):
    return E.z
def ma(a):
    match a:
        case D(1): return 'one'
        case D(v=x): return x
class D:
 def __init__(self, v):
  self.v = v
 %(methods)s
 %(desc)s
class E(D):
    pass
class Desc:
 def __get__(self, o, cls=None):
  log('get')
  return (o is None) or o.v
 def __set__(self, o, x):
  log('set')
  o.v = x
 def __delete__(self, o):
  log('delete')
  o.v = 'gone'
 def __set_name__(self, cls, name):
  log('sn')
class M(dict):
 def __missing__(self, key):
  log('missing')
  return key * 2
class Meta(type):
 def __instancecheck__(cls, x):
  log('ic')
  return True
 def __subclasscheck__(cls, x):
  log('sc')
  return True
class I(metaclass=Meta): pass
class MQ(type):
 def __call__(cls, x):
  log('mcall')
  return x
 def __len__(cls):
  log('mlen')
  return 4
 def __add__(cls, o):
  log('madd')
  return 6
 def __getattr__(cls, name):
  if name.startswith('_'): raise AttributeError(name)
  log('mga')
  return name
 def __iter__(cls):
  log('mit')
  return iter([1, 2])
 def __contains__(cls, x):
  log('mco')
  return True
class Q(metaclass=MQ): pass
%(after)s
def opaque_id(x):
    return x
"""

CONTEXTS: Final[dict[str, str]] = {
    "plain": "def f(a, b, k):\n    return {e}, N\n",
    "made": "def f(x, y, k):\n    a, b = D(1 + k), D(2)\n    n = N\n    return {e}, N - n, a.v\n",
    "branch": "def f(a, b, k):\n    r = None\n    n = N\n    if k > 0:\n        r = {e}\n    return r, N - n\n",
    "chosen": "def f(p, q, k):\n    n = N\n    a, b = (p, q) if k > 0 else (q, p)\n    r = {e}\n    return r, N - n, p.v, q.v\n",
    "loop": "def f(a, b, k):\n    out = []\n    for i in range(k + 1):\n        n = N\n        out.append(({e}, N - n))\n    return out\n",
    "whiled": "def f(p, q, k):\n    a, b = D(1), D(2)\n    r = None\n    while k > 0:\n        r = {e}\n        k = k - 1\n    return r, N, a.v\n",
    "try": "def f(a, b, k):\n    n = N\n    try:\n        r = {e}\n        1 // k\n    except (TypeError, ValueError, ZeroDivisionError, AttributeError) as err:\n        r = type(err).__name__\n    return r, N - n\n",
    "gen": "def g(a, b, k):\n    for i in range(k):\n        yield {e}\ndef f(a, b, k):\n    return list(g(a, b, k)), N\n",
    "opaque": "def f(a, b, k):\n    n = N\n    a, b = copy.copy(a), copy.copy(b)\n    return {e}, N - n\n",
}
