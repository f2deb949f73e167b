"""Random functions that read and change a world of globals, objects, classes, hooks and streams.

`program(seed)` gives the source of a module: the world, and a function ``f`` whose expressions read it and whose
statements change it, in branches, loops, comprehensions, handlers and helpers.  `changes(seed, count)` gives
statements that change the world between two calls: values and types, keys and lengths, classes, functions,
their defaults and code, hooks, patched builtins.
"""

from __future__ import annotations

import random
from typing import Final

from fuzz import programs

WORLD: Final = """
import builtins, collections, contextlib, contextvars, dataclasses, enum, functools, gc, io, logging, math
import operator, sys, tempfile, threading, types, warnings

K, N, FLAG, MODE, NOTHING = 1.5, 3, True, "a", None
W = np.array([1.0, 2.0, 3.0])
CFG = {"eps": 0.5, "n": 2, "inner": {"k": 2.0, "l": [1.0, 2.0]}}
ITEMS = [1.0, 2.0, 3.0]
NESTED = [[1.0], {"q": 2.0}, (3.0, [4.0])]
PAIR = (1.0, 2)
NAMES = {"a", "b"}
KEYS, VALUES, ENTRIES = CFG.keys(), CFG.values(), CFG.items()
COUNTS = collections.defaultdict(int)
QUEUE = collections.deque([1.0], maxlen=4)
STORE = {"far": 3.0}
OUT, FILE = io.StringIO(), tempfile.TemporaryFile("w+")
STREAM = np.random.default_rng(7)
NUMBERS = iter(range(10**6))
OPTIONS, KEY, FIELD = {"k": 2.0}, "eps", "v"
CONTEXT = contextvars.ContextVar("context", default=1.0)
LOCAL = threading.local()
LOCAL.v = 2.0
SEEN = []
original_max, original_sin = builtins.max, math.sin


class Keep(logging.Handler):
    def emit(self, record):
        SEEN.append(record.getMessage())


logger = logging.Logger("world", logging.INFO)
logger.addHandler(Keep())


class Base:
    rate = 2.0
    kind = "base"

    def scale(self, x):
        return x * self.rate

    @property
    def half(self):
        return self.v / 2

    @classmethod
    def made(cls):
        return cls.rate + 1

    @staticmethod
    def twice(x):
        return x * 2


class Node(Base):
    count = 0

    def __init__(self, v):
        self.v = v
        self.items = [v]
        self.table = {"t": v}

    def __call__(self, x):
        return x + self.v

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __eq__(self, other):
        return isinstance(other, Node) and self.v == other.v

    __hash__ = None

    def bump(self, d):
        self.v = self.v + d
        type(self).count += 1
        if d > 0:
            self.items.append(d)
        return self.v

    def above(self):
        return super().rate


class Slotted:
    __slots__ = ("v", "w")


class Far:
    def __getattr__(self, name):
        if name not in STORE:
            raise AttributeError(name)
        return STORE[name]


class Meter:
    def __get__(self, owner, cls):
        return 5.0 if owner is None else owner.level + 1

    def __set__(self, owner, value):
        owner.level = value


class Gauge:
    meter = Meter()
    level = 1.0


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    p: float
    q: float = 2.0


Pair = collections.namedtuple("Pair", "left right")
a, b, slotted, far, gauge = Node(1.0), Node(2.0), Slotted(), Far(), Gauge()
slotted.v = 1.0
alias, HELD, point, pair, color = a, b.__dict__, Point(1.0), Pair(1.0, 2.0), Color.RED
GRAPH = {"a": a, "all": [a, b]}


def third(x, k=2.0, *, q=1.0):
    return x * k + q


def reads(x):
    return x * K + third(x) + CFG["eps"]


def writes(x):
    global N
    N = N + 1
    a.table["t"] = x
    return x


def closed_over(start):
    held = start

    def get():
        return held

    def put(value):
        nonlocal held
        held = value

    return get, put


def note(x):
    LOG.append(("note", x))


def plain_note(x):
    COUNTS["plain"] += 1


def numbers(count):
    for i in range(count):
        LOG.append(("asked", i))
        yield i * 1.5


def say(tag, value):
    LOG.append(tag)
    return value


def keyed(value):
    LOG.append(("key", value))
    return -value


@contextlib.contextmanager
def opened(value):
    LOG.append(("open", value))
    try:
        yield value
    finally:
        LOG.append(("close", value))


class Managed:
    def __init__(self, quiet):
        self.quiet = quiet

    def __enter__(self):
        LOG.append("enter")
        return a

    def __exit__(self, kind, error, trace):
        LOG.append(("exit", kind is None))
        return self.quiet


def deep(n):
    LOG.append(("deep", n))
    return n if n <= 0 else n + deep(n - 1)


def grown(rate):
    seen = []

    def grow(x, k=rate, *, q=2.0):
        seen.append(1)
        return x * rate + k * q + len(seen)

    return grow


def counted(start, inner=None):
    def count(x):
        nonlocal start
        start = start + 1
        return (x if inner is None else inner(x)) + start

    return count


get, put = closed_over(1.0)
grow, count = grown(1.0), counted(1.0)
PAIRED = {"grow": grow, "count": count}
part = functools.partial(third, k=3.0)
method = a.scale
HOOKS = [note]
FUNCTIONS = {"f": third, "m": a.scale}


def globals_of():
    return vars(sys.modules[__name__])


@functools.lru_cache(maxsize=None)
def cached(n):
    return n * 2.0


other = types.ModuleType("other")
other.rate, other.third = 4.0, third
"""

ORDERED: Final = (
    "say('l', {s}) + say('r', 1.0)", "(say('a', {s}) and say('b', 2.0))", "(say('a', {s}) or say('b', 2.0))",
    "(0 < say('m', {s}) < say('n', 2.0))", "[say(i, i) for i in range(2)][0]", "max(say('p', {s}), say('q', 1.0))",
    "third(say('k', {s}), q=say('z', 1.0))", "[say(1, {s}), say(2, 3.0)][say('at', 1)]", "ITEMS[say('i', 0)]",
    "any(say(i, i > 1) for i in range(4))", "all(say(i, v > 0) for i, v in enumerate(x))",
    "sum(say(i, v) for i, v in enumerate(x))", "next(v for v in (say(1, {s}), say(2, 2.0)))", "(say('t', {s}) if say('c', n > 2) else say('e', 1.0))",
    "len(f'{say(1, 1.5)}{say(2, 2)}')", "{say('k', 'a'): say('v', {s})}['a']", "sorted(ITEMS, key=keyed)[0]",
    "max(ITEMS, key=keyed)", "sum(map(keyed, x))", "deep(2)", "(y := say('w', {s})) + y", "-say('u', {s})",
    "(lambda p, q=say('d', 1.0): p + q)(say('p', {s}))", "sum(v for v in numbers(3) if say('f', v > 0))",
    "[*numbers(2), say('after', {s})][0]", "a.scale(say('arg', {s}))", "say('o', a).scale(say('arg', {s}))",
    "min(numbers(2), default=say('d', {s}))", "list(zip(numbers(2), x))[0][0]", "b(say('c', {s}))", "(not say('n', {s}))",
)  # fmt: skip
"""Expressions for numbers that tell in which order they are evaluated."""

READS: Final = (
    "K", "N", "float(FLAG)", "(1.0 if FLAG else 2.0)", "(1.0 if MODE == 'a' else 3.0)", "W[1]", "W.sum()", "len(W)",
    "(0.5 if NOTHING is None else 1.5)", "CFG['eps']", "CFG.get('late', 0.25)", "CFG['inner']['k']", "len(CFG)",
    "('late' in CFG)", "len(list(CFG))", "sum(CFG['inner']['l'])", "CFG['inner']['l'][-1]", "len(KEYS)",
    "('late' in KEYS)", "sum(1 for _ in VALUES)", "sum(len(k) for k, _ in ENTRIES)", "ITEMS[0]", "ITEMS[-1]",
    "len(ITEMS)", "sum(ITEMS)", "sum(v * 2 for v in ITEMS)", "max(ITEMS)", "(2.0 in ITEMS)", "NESTED[0][0]",
    "NESTED[1]['q']", "NESTED[2][1][0]", "PAIR[0]", "len(NAMES)", "('b' in NAMES)", "COUNTS['a']", "len(COUNTS)",
    "QUEUE[-1]", "len(QUEUE)", "sum(QUEUE)", "CONTEXT.get()", "LOCAL.v", "STREAM.normal()", "next(NUMBERS)",
    "a.v", "b.v", "alias.v", "a.rate", "b.rate", "Node.rate", "Base.rate", "a.half", "a.scale({s})", "b({s})",
    "len(a)", "a[0]", "sum(a.items)", "a.table['t']", "b.table.get('u', 1.0)", "a.above()", "Node.made()", "b.made()",
    "Base.twice({s})", "a.twice({s})", "(a == b)", "(a is alias)", "Node.count", "HELD['v']", "len(HELD)",
    "vars(a)['v']", "getattr(a, 'late', 0.5)", "hasattr(b, 'late')", "getattr(slotted, 'w', 0.5)", "slotted.v",
    "far.far", "getattr(far, 'late', 0.5)", "gauge.meter", "gauge.level", "Gauge.meter", "color.value",
    "(1.0 if color is Color.RED else 2.0)", "Color.BLUE.value", "point.p", "point.q", "pair.left", "pair[1]",
    "Point({s}).q", "Pair({s}, 1.0).left", "third({s})", "third({s}, q=K)", "reads({s})", "get()", "part({s})",
    "method({s})", "cached(3)", "cached(N)", "other.rate", "other.third({s})", "GRAPH['a'].v", "GRAPH['all'][1].v",
    "sum(node.v for node in GRAPH['all'])", "isinstance(a, Base)", "callable(a)", "len(MODE)", "math.sin(1.0)",
    "max({s}, K)", "third.__defaults__[0]", "len(third.__name__)", "functools.reduce(operator.add, ITEMS)",
    "np.tanh(K)", "[node.rate for node in (a, b)][0]", "(lambda y: y * K)(2.0)", "float(str(K)[:3])", "abs(-K)",
    "(K if K > 1 else N)", "len(f'{MODE}{N}')", "LATE", "sum(numbers(2))", "next(numbers(3))", "ITEMS.index(2.0)",
    "dict(CFG).get('n', 9)", "len({**CFG, 'z': 1})", "sorted(NAMES)[0] == 'a'", "list(reversed(ITEMS))[0]",
    "sum(v for row in NESTED[:1] for v in row)", "len([*ITEMS, *QUEUE])", "np.dot(W, W)", "(W > K).sum()",
    "len(Node.__name__)", "len(type(a).__name__)", "(a.__class__ is Node)", "len(Node.__mro__)", "issubclass(Node, Base)",
    "hasattr(Node, 'late')", "getattr(Base, 'late', 1.0)", "vars(Node).get('rate', 0.0)", "part.keywords['k']",
    "(part.func is third)", "FUNCTIONS['f']({s})", "FUNCTIONS['m']({s})", "GRAPH['a'].table['t']", "sum(a)", "len(list(b))",
    "next(iter(ITEMS))", "ITEMS[::-1][0]", "ITEMS[N - N]", "(NAMES == {'a', 'b'})", "len(sorted(COUNTS))", "(CFG == {})",
    "getattr(third, 'note', 0.5)", "list(Color)[0].value", "Color['RED'].value", "len(Color(1).name)",
    "(point == Point(1.0))", "dataclasses.replace(point, p={s}).p", "dataclasses.asdict(point)['p']",
    "pair._replace(left={s}).left", "len(pair)", "W.shape[0]", "W.dtype.itemsize", "W[N % 2]", "len(other.third.__name__)",
    "cached.cache_info().currsize", "math.floor(K)", "(id(a) == id(alias))", "(a is not b)", "operator.attrgetter('v')(a)",
    "operator.itemgetter('eps')(CFG)", "max(*ITEMS)", "third(*PAIR)", "third({s}, **OPTIONS)", "(1.0 in a)", "(K in W)",
    "len(str(a.v))", "int(K) + int(N)", "float(K)", "bool(a)", "bool(CFG)", "(not ITEMS)", "(a.v or 1.0)", "(K and N)",
    "sum(OPTIONS.values())", "len(VALUES)", "('eps', 0.5) in ENTRIES", "list(KEYS)[0] == 'eps'", "dict(ENTRIES).get('n', 1)",
    "a.late_method({s})", "Base.late", "type(N)(2)", "(type(K) is float)", "isinstance(K, (int, np.floating))",
    "K.real", "(K + N) * 2", "divmod(N, 2)[0]", "min(N, 9)", "range(N)[0]", "len(range(N))", "[0.0] * N == []",
    "grow({s})", "grow({s}, 3.0, q={s})", "(count({s}) + count({s}))", "PAIRED['grow']({s})", "PAIRED['count']({s})",
    "(grow is PAIRED['grow'])", "sum(map(grow, ITEMS))", "functools.partial(grow, q={s})({s})", "grow.__defaults__[0]",
    "len(count.__name__)", "max(ITEMS, key=grow)", "(grow if {s} > 1 else count)({s})", "np.vectorize(count)(x)[:1].sum()",
    "count.__closure__[0].cell_contents is None", "(grow == count)", "sum(count(v) for v in x)",
    "MODE.upper() == 'A'", "('a' in MODE)", "{'a': 1.0}.get(MODE, 2.0)", "CFG[KEY]", "getattr(a, FIELD)", "globals_of()['K']",
)  # fmt: skip
"""Expressions for numbers; ``{s}`` stands for another one."""

EFFECTS: Final = (
    "K = {s}", "N = N + 1", "FLAG = not FLAG", "W[0] = {s}", "W += 1.0", "CFG['eps'] = {s}", "CFG['late'] = {s}",
    "CFG.pop('late', None)", "CFG['inner']['k'] = {s}", "CFG['inner']['l'].append({s})", "CFG.update(n={s})",
    "CFG.setdefault('late', {s})", "ITEMS.append({s})", "ITEMS.pop()", "ITEMS[0] = {s}", "ITEMS.sort()",
    "ITEMS.extend([{s}, 1.0])", "ITEMS.insert(0, {s})", "ITEMS.reverse()", "del ITEMS[-1]", "ITEMS[:] = [1.0, {s}]",
    "NESTED[0][0] = {s}", "NESTED[2][1].append({s})", "NAMES.add('c')", "NAMES.discard('a')", "COUNTS['a'] += 1",
    "QUEUE.append({s})", "QUEUE.appendleft({s})", "CONTEXT.set({s})", "LOCAL.v = {s}", "a.v = {s}", "b.v += 1",
    "a.late = {s}", "alias.v = {s}", "Node.rate = {s}", "Base.rate = {s}", "Base.rate += 1", "a.rate = {s}",
    "HELD['v'] = {s}", "vars(a)['late'] = {s}", "setattr(b, 'v', {s})", "a.items.append({s})", "a.table['u'] = {s}",
    "b.table.clear()", "a.bump({s})", "b.bump({s})", "slotted.v = {s}", "slotted.w = {s}", "STORE['late'] = {s}",
    "gauge.meter = {s}", "gauge.level = {s}", "point.p = {s}", "put({s})", "writes({s})", "other.rate = {s}",
    "third.note = {s}", "print({s}, file=OUT)", "print('seen', {s})", "logger.info('value %s', {s})",
    "logger.debug('never %s', {s})", "warnings.warn(f'careful {{N}}')", "LOG.append({s})", "LOG.append(len(LOG))",
    "HOOKS[0]({s})", "note({s})", "plain_note({s})", "[hook({s}) for hook in HOOKS]", "GRAPH['a'].v = {s}",
    "for node in GRAPH['all']: node.v = node.v + 1", "del a.late", "del CFG['late']", "del Node.rate", "del b.v",
    "OUT.write('text')", "hook({s})", "box_of[0].v = {s}", "given['k'] = {s}", "given['seen'].append({s})",
    "given.setdefault('m', []).append(1)", "LOG.extend(v for v in numbers(2))", "ITEMS, QUEUE = ITEMS[:], QUEUE",
    "a.items, b.items = b.items, a.items", "a.v, b.v = b.v, a.v", "raise ValueError('after some effects')",
    "third.__defaults__ = ({s},)", "del LATE", "LATE = {s}", "FILE.write(str({s}))", "FILE.write('text')",
    "ITEMS[say('i', 0)] = say('v', {s})", "ITEMS[say('i', 0)] += say('v', {s})", "CFG[say('k', 'eps')] = say('v', {s})",
    "a.items[say('i', 0)], b.v = say(1, {s}), say(2, 1.0)", "say(1, a).v = say(2, {s})", "say(1, a).v += say(2, {s})",
    "assert say('t', {s}) != 7.0, say('m', 'text')", "[say(v, v) for v in x]", "hook(say('h', {s}))",
    "LOG.append(1 / (n - 2))", "ITEMS.append(x[n])", "W[say('w', 0)] += say('v', {s})", "hook(hook({s}))",
    "K, N = say('k', {s}), say('n', N)", "print(say('p', {s}), say('q', 1), sep=say('s', '-'))",
    "logger.warning('%s %s', say(1, {s}), n)", "for v in numbers(2): hook(v)", "given[say('k', 'z')] = given.get('z', {s})",
)  # fmt: skip
"""Statements that change the world, or show it something."""

CHANGES: Final = (
    "K = 2", "K = 2.5", "K = np.float64(4.0)", "K = np.float32(1.5)", "K = True", "K = -0.0", "N = 7", "N = 2.5",
    "FLAG = not FLAG", "FLAG = 1", "MODE = 'b'", "MODE = 'a'", "NOTHING = 1", "NOTHING = None", "LATE = 3.0",
    "del LATE", "W = np.array([5.0, 6.0])", "W = np.array([1, 2, 3])", "W[:] = 7.0", "W = W.astype('f4')",
    "CFG['eps'] = 1", "CFG['eps'] = 2.5", "CFG['late'] = 1.0", "CFG.pop('late', None)", "CFG['n'] = CFG.pop('n', 1)",
    "CFG = dict(CFG)", "CFG['inner'] = {'k': 5.0, 'l': [3.0]}", "CFG['inner']['l'].append(4.0)",
    "CFG['inner']['k'] = 1", "KEYS = dict(eps=1, late=2).keys()", "VALUES = ITEMS", "ENTRIES = CFG.items()",
    "ITEMS.append(9.0)", "ITEMS.pop()", "ITEMS = ITEMS[:2]", "ITEMS[0] = 4", "ITEMS = (1.0, 2.0)",
    "ITEMS = [1.0, 2.0, 3.0]", "NESTED[0] = [8.0, 9.0]", "NESTED[1] = {'q': 1, 'z': 2}", "PAIR = (2.0, 'x')",
    "PAIR = [1.0]", "NAMES.add('z')", "NAMES = frozenset({'b'})", "COUNTS = collections.Counter('aab')",
    "QUEUE = collections.deque([2.0, 3.0])", "CONTEXT.set(3.0)", "LOCAL.v = 3", "del LOCAL.v", "a.v = 5.0",
    "a.v = 2", "b.v = np.float64(1.0)", "a = Node(4.0)", "a, b = b, a", "alias = b", "alias = a", "HELD = a.__dict__",
    "HELD = {'v': 1.0}", "a.late = 2.0", "vars(a).pop('late', None)", "Node.rate = 3.0", "Base.rate = 5.0",
    "del Node.rate", "a.rate = 7.0", "vars(a).pop('rate', None)", "Base.kind = 'other'",
    "a.items = (1.0, 2.0)", "a.items = [6.0]", "b.table = {'t': 1, 'u': 2}", "GRAPH['a'] = b", "GRAPH['all'].append(a)",
    "GRAPH['all'] = [b]", "slotted.w = 2.0", "del slotted.w", "slotted = Slotted(); slotted.v = 3", "STORE['far'] = 1",
    "STORE = {'far': 2.0, 'late': 1.0}", "far.late = 4.0", "far = Node(3.0); far.far = 1.0", "gauge.level = 4.0",
    "Gauge.level = 6.0", "gauge = Gauge()", "color = Color.BLUE", "color = Color.RED", "point = Point(3.0, 1)",
    "point.q = 4", "pair = Pair(2.0, 1)", "pair = (5.0, 6.0)", "third.__defaults__ = (4.0,)",
    "third.__kwdefaults__ = {'q': 3.0}", "third.__kwdefaults__['q'] = 2", "third.__name__ = 'thirds'",
    "third.__code__ = (lambda x, k=2.0, *, q=1.0: x - k).__code__", "put(4.0)", "put(3)",
    "get, put = closed_over(2.0)", "part = functools.partial(third, k=1.0)", "part.keywords['k'] = 6.0",
    "part = third", "method = b.scale", "method = a.__call__", "cached.cache_clear()", "other.rate = 1",
    "other.third = reads", "other = types.SimpleNamespace(rate=2.0, third=third)", "HOOKS.append(plain_note)",
    "HOOKS = [plain_note]", "HOOKS[0] = note", "logger.setLevel(logging.DEBUG)", "logger.setLevel(logging.WARNING)",
    "builtins.max = min", "builtins.max = original_max", "math.sin = math.cos", "math.sin = original_sin",
    "abs = lambda v: 11.0", "globals().pop('abs', None)", "len = lambda v: 2", "globals().pop('len', None)",
    "del a.v", "a.v = [1.0]", "CFG = collections.OrderedDict(CFG)", "gc.collect()", "del alias; alias = Node(8.0)",
    "grow = grown(2.0)", "grow = grown(3)", "grow = grown(W)", "count = counted(5.0)", "count = counted(2)",
    "count = counted(0.5, count)", "count = counted(1, grow)", "PAIRED['grow'] = grown(4.0)", "PAIRED['grow'] = grow",
    "PAIRED['count'] = counted(3.0, grown(2))", "grow.__defaults__ = (7.0,)", "grow.__kwdefaults__ = {'q': 9.0}",
    "count.__closure__[-1].cell_contents = 3", "grow = count", "count = grow", "grow = PAIRED['grow']",
    "grow = lambda x, k=K, *, q=N: x * k - q", "count = lambda x: x * K", "grow.__code__ = counted.__code__",
    "def third(x, k=1.0, *, q=2.0):\n    return x + k * q", "def reads(x):\n    return x * N",
    "def writes(x):\n    global K\n    K = x\n    return x", "Node.scale = lambda self, x: x * 3",
    "Node.half = property(lambda self: 9.0)", "vars(Node).get('half') and delattr(Node, 'half')",
    "Node.__len__ = lambda self: 4", "Node.__call__ = lambda self, x: x * 5", "Node.__eq__ = lambda self, other: True",
    "Node.__bool__ = lambda self: False", "Node.made = classmethod(lambda cls: 8.0)",
    "Node.twice = staticmethod(lambda x: x * 4)", "Far.__getattr__ = lambda self, name: 2.0",
    "Meter.__get__ = lambda self, owner, cls: 1.0", "Base.scale = lambda self, x: x - self.rate",
    "class Point:\n    def __init__(self, p):\n        self.p, self.q = p, 6.0",
    "@dataclasses.dataclass\nclass Point:\n    p: float\n    q: float = 3.0",
    "Pair = collections.namedtuple('Pair', 'right left')", "class Color(enum.Enum):\n    RED = 3\n    BLUE = 4",
    "class Base2(Base):\n    rate = 12.0\nNode.__bases__ = (Base2,)", "Node.__bases__ = (Base,)",
    "a.__class__ = Base", "a.__class__ = Node", "a = Base(); a.v = 1.0; a.items = []; a.table = {'t': 0}",
    "np.tanh = np.sinh", "np.tanh = original_tanh", "Node.__setattr__ = lambda s, n, v: object.__setattr__(s, n, v)",
    "OPTIONS['q'] = 3.0", "OPTIONS = {}", "KEY = 'n'", "FIELD = 'late'", "FUNCTIONS['f'] = reads", "FUNCTIONS['m'] = b.scale",
    "Base.late = 3.0", "Node.late = 4.0", "vars(Base).get('late') and delattr(Base, 'late')", "a.scale = lambda x: 100.0",
    "vars(a).pop('scale', None)", "Node.late_method = lambda self, x: x + 1", "a.late_method = abs",
    "Node.__iter__ = lambda self: iter((7.0,))", "Node.__contains__ = lambda self, item: True",
    "Node.__getattr__ = lambda self, name: 5.0", "CFG = types.MappingProxyType(CFG)", "ITEMS = np.array([1.0, 2.0])",
    "ITEMS = range(1, 4)", "ITEMS = collections.deque([2.0, 1.0])", "ITEMS = [float(i) for i in range(40)]",
    "ITEMS = tuple(float(i) for i in range(40))", "W = [1.0, 2.0, 3.0]", "W = W[::-1]", "W = np.matrix([[1.0, 2.0]])",
    "K = np.array(2.0)", "K = 10**30", "K = float('nan')", "K = 1j", "K = [1.0]", "N = np.int64(2)", "N = True", "MODE = 'ab'",
    "MODE = Color.RED", "FLAG = None", "third = part", "third = Node(1.0)", "third = functools.lru_cache(reads)",
    "reads = abs", "get = lambda: 5.0", "method = abs", "cached = abs", "a = None", "a = Node(1.0)", "b = a",
    "class Node(Base):\n    count = 5\n    def __init__(self, v):\n        self.v, self.items, self.table = v, [v], {'t': v}",
    "class Cfg(dict):\n    def __missing__(self, key):\n        return 0.75\nCFG = Cfg(CFG)",
    "class Cfg(dict):\n    def __getitem__(self, key):\n        return 0.25\nCFG = Cfg(CFG)",
    "class Items(list):\n    def __len__(self):\n        return 9\nITEMS = Items(ITEMS)", "Node.__name__ = 'Named'",
    "Base.rate = property(lambda self: 6.0)", "Base.rate = 2.0", "point = (1.0, 2.0)", "VALUES = CFG.values()",
    "KEYS = CFG.keys()", "COUNTS['z'] += 1", "COUNTS.clear()", "NAMES = {'b', 'a'}", "del CFG['n']", "STREAM = np.random.default_rng(1)",
    "NUMBERS = iter([1.5] * 1000)", "GRAPH = {'a': Node(9.0), 'all': ()}", "GRAPH = {'a': b, 'all': {1: b}.values()}",
    "alias = types.SimpleNamespace(v=3.0)", "slotted = types.SimpleNamespace(v=1, w=2)", "gauge = types.SimpleNamespace(meter=1, level=2)",
    "Gauge.meter = 3.0", "Gauge.meter = Meter()", "Meter.__set__ = lambda self, owner, value: None", "del Meter.__set__",
    "Color.RED._value_ = 9", "operator = types.SimpleNamespace(add=max, attrgetter=operator.attrgetter, itemgetter=operator.itemgetter)",
    "Node.__getitem__ = lambda self, i: [3.0, 4.0][i]", "Node.count = 10", "Slotted.v = property(lambda self: 4.0)",
)  # fmt: skip
"""Statements that change the world between two calls."""

HEADER: Final = programs.HEADER + WORLD + "\noriginal_tanh = np.tanh\n\n\n"
GLOBALS: Final = "K, N, FLAG, W, ITEMS, QUEUE, LATE"


class Generator(programs.Generator):
    """Writes one function over the world."""

    def number(self, scope: programs.Scope, depth: int = 2) -> str:
        """An expression for a number, often one that reads the world."""
        if depth and self.rng.random() < 0.45:
            return self.choice(scope)
        return super().number(scope, depth)

    def statement(self, scope: programs.Scope) -> bool:
        """Write a statement, often one that changes the world; tells whether what follows is never reached."""
        if self.rng.random() < 0.35:
            self.effect(scope)
            return False
        return super().statement(scope)

    def effect(self, scope: programs.Scope) -> None:
        """A statement that changes the world."""
        if self.rng.random() < 0.15:
            super().effect(scope)
            return
        text = self.rng.choice(EFFECTS)
        while text.startswith("raise") and self.rng.random() < 0.8:
            text = self.rng.choice(EFFECTS)
        self.line(scope, text.replace("{s}", self.number(scope, 1)).replace("{{", "{").replace("}}", "}"))

    def choice(self, scope: programs.Scope) -> str:
        """An expression for a number that reads the world, or tells when it is evaluated."""
        inner = super().number(scope, 0)
        return self.rng.choice(ORDERED if self.rng.random() < 0.3 else READS).replace("{s}", inner)

    def manager(self, scope: programs.Scope) -> None:
        """A ``with`` statement; its manager may tell that it was entered and left, and swallow exceptions."""
        if self.rng.random() < 0.3:
            super().manager(scope)
            return
        heads = (
            f"with opened({self.number(scope, 1)}) as held:",
            "with Managed(False) as held, opened(1):",
            "with Managed(True):",
            "with contextlib.nullcontext(a) as held:",
        )
        self.line(scope, self.rng.choice(heads))
        self.body(self.inner(scope))

    def nested(self, scope: programs.Scope) -> None:
        """A function defined inside, or a loop over a generator that tells what it is asked for."""
        if self.rng.random() < 0.6:
            super().nested(scope)
            return
        name = self.fresh("v")
        self.line(
            scope,
            f"for {name} in {self.rng.choice(['numbers(n)', 'filter(None, numbers(3))', 'map(keyed, x)'])}:",
        )
        loop = self.inner(scope, in_loop=True)
        loop.kinds.setdefault("float", []).append(name)
        self.body(loop)

    def attempt(self, scope: programs.Scope) -> None:
        """A ``try`` statement around effects."""
        if self.rng.random() < 0.5:
            super().attempt(scope)
            return
        self.line(scope, "try:")
        self.body(self.inner(scope))
        caught = self.rng.random() < 0.6
        if caught:
            self.line(scope, "except (LookupError, AttributeError, ValueError, NameError, TypeError):")
            self.effect(self.inner(scope))
        if not caught or self.rng.random() < 0.5:
            self.line(scope, "finally:")
            self.effect(self.inner(scope))

    def source(self) -> str:
        """The source of the module."""
        scope = programs.Scope(
            {"float": ["s"], "int": ["n"], "index": ["n"], "array": ["x"], "list": [], "box": []}, budget=14
        )
        self.lines.append(f"    global {GLOBALS}")
        for _ in range(self.rng.randint(3, 7)):
            if self.statement(scope):
                break
        names = [name for kind in ("float", "array", "list") for name in scope.kinds[kind]]
        results = self.rng.sample(names, min(len(names), 3))
        reads = [self.number(scope, 1) for _ in range(3)]
        self.line(scope, f"return {', '.join([*results, *reads])},")
        head = "def f(x, s, n, hook, given, box_of):\n"
        return HEADER + head + "\n".join(self.lines) + "\n"


FORMS: Final = (
    "return {e}",
    "if x[0] > 0:\n        return {e}\n    return s",
    "total = s\n    for i in range(n):\n        total = total + {e}\n    return total",
    "total = s\n    while n > 0:\n        n = n - 1\n        total = total + {e}\n    return total",
    "return [v + {e} for v in x]",
    "def inner(y):\n        return y + {e}\n    return inner(s)",
    "try:\n        return {e}\n    except Exception as error:\n        return type(error).__name__",
    "return s if s > 1 else {e}",
    "held = [{e}]\n    held.append(s)\n    return held",
    "return sum({e} for v in x if v > s)",
    "return (lambda: {e})()",
    "with np.errstate(all='ignore'):\n        return x * {e}",
)
"""Statements of a function that hold an expression ``{e}`` of the world."""


def reader(expression: str, form: str, name: str) -> str:
    """The source of a function of ``x``, ``s`` and ``n`` that reads the world once."""
    text = form.replace("{e}", expression.replace("{s}", "s"))
    return f"def {name}(x, s, n):\n    {text}\n"


def program(seed: int) -> str:
    """The source of a module with the world and a random function over it."""
    return Generator(seed).source()


def changes(seed: int, count: int) -> list[str]:
    """Statements that change the world, for each call but the first: mostly one, now and then none or more."""
    rng = random.Random(seed)
    return ["\n".join(rng.sample(CHANGES, rng.choice([0, 1, 1, 1, 2, 3]))) for _ in range(count)]
