"""Code of the user's that runs where nothing shows it, and what it changes: tables for `test_hidden_code`."""

from __future__ import annotations

from collections.abc import Mapping

WORLD = '''
import collections, contextlib, functools
import numpy as np

class Box: pass
class Thing:
    def kind(self): return 1
class Other(Thing):
    def kind(self): return 2
def first(*args): return 1
def second(*args): return 2

def reset():
    global NUMBER, MODE, box, items, table, array, KEPT, cell_read, cell_write, thing
    NUMBER, MODE, box, items, table, array, KEPT, thing = 0, "slow", Box(), [0], {"a": 0}, np.zeros(4), [], Thing()
    box.value = 0
    Thing.method = first
    number = 0
    def read(): return number
    def write(value):
        nonlocal number
        number = value
    cell_read, cell_write = read, write

COUNT = 0
exec("""
def change():
    global NUMBER, COUNT, array
    COUNT += 1
    %(change)s

def go(*args):
    change()
    return 1.0
class Hidden:
    method = __add__ = __radd__ = __matmul__ = __neg__ = __abs__ = __getitem__ = __call__ = __float__ = __pow__ = __iadd__ = go
    def __iter__(self): change(); return iter([1.0, 2.0])
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        change()
        return 1.0
    def __bool__(self): change(); return True
    def __len__(self): change(); return 2
    def __eq__(self, other): change(); return True
    def __lt__(self, other): change(); return False
    def __hash__(self): change(); return 7
    def __contains__(self, item): change(); return True
    def __index__(self): change(); return 1
    def __str__(self): change(); return "text"
    def __repr__(self): change(); return "text"
    def __enter__(self): change()
    def __exit__(self, *error): change(); return False
    def __array__(self, *args, **kwargs): change(); return np.ones(2)
    def __setattr__(self, name, value): change()
    def __setitem__(self, key, value): change()
class OfNumpy:
    def __array_ufunc__(self, *args, **kwargs): change(); return 1.0
    def __array_function__(self, *args, **kwargs): change(); return 1.0
def generator():
    change()
    yield 1.0
def give(): return go
def made(): return Hidden()
def made_list(): return [go, Hidden(), OfNumpy()]
def made_generator(): return generator()
@contextlib.contextmanager
def manager():
    change()
    yield
def made_manager(): return manager()
""", globals())
OBJ, FUNCTIONS, DEQUE, OBJECTS = made(), [go, go], collections.deque([go, go]), [made(), made()]

def f(x, k):
    KEPT.append(x)
    held, t, i = x, thing, k - 3
%(body)s

def total(a):
    s = 0.0
    for i in range(len(a)):
        s = s + a[i] * 2.0
    return s
'''

HIDDEN: Mapping[str, tuple[str, str]] = {
    "call": ("", "go(x)"),
    "call of what was given": ("h = give()", "h()"),
    "call from a list that was given": ("h = made_list()", "h[0]()"),
    "call from unpacking": ("h, _, _ = made_list()", "h()"),
    "call from a list": ("", "FUNCTIONS[i]()"),
    "call from a list made here": ("h = [go, go]", "h[i]()"),
    "call from a dict made here": ("h = {0: go, 1: go}", "h[i]()"),
    "call from a deque": ("", "DEQUE[i]()"),
    "call from a deque made here": ("h = collections.deque([go])", "h[0]()"),
    "call from an array": ("h = np.array([go, go], dtype=object)", "h[0]()"),
    "call of a choice": ("h = go if x[0] >= 0 else abs", "h(1)"),
    "call of a partial": ("h = functools.partial(give())", "h()"),
    "method": ("h = made()", "h.method()"),
    "attribute": ("h = made()", "h.anything"),
    "set attribute": ("h = made()", "h.anything = 1"),
    "set item": ("h = made()", "h[0] = 1"),
    "item": ("h = made()", "h[0]"),
    "operator": ("h = made()", "h + 1"),
    "reflected operator": ("h = made()", "x + h"),
    "operator in place": ("h = made()", "h += 1"),
    "operator of an item": ("h = made_list()", "h[1] + 1"),
    "operator of an object outside": ("", "OBJ + 1"),
    "operator of an item outside": ("", "OBJECTS[i] + 1"),
    "operators of items in a loop": ("", "for q in OBJECTS: q + 1"),
    "truth": ("h = made()", "y = 1 if h else 2"),
    "not": ("h = made()", "not h"),
    "length": ("h = made()", "len(h)"),
    "comparison": ("h = made()", "h == 1"),
    "comparison of lists": ("", "[OBJ] == [1]"),
    "comparison of nested lists": ("", "[[OBJ]] == [[1]]"),
    "comparison of nested tuples": ("", "((OBJ,), 1) == ((1,), 1)"),
    "membership": ("h = made()", "1 in h"),
    "membership in a list": ("h = made()", "h in [1, 2]"),
    "hash": ("h = made()", "{h: 1}"),
    "float": ("h = made()", "float(h)"),
    "index": ("h = made()", "x[h]"),
    "text": ("h = made()", "f'{h}'"),
    "text of a nested list": ("", "'%s' % ([OBJ],)"),
    "sorted": ("h = made()", "sorted([h, h])"),
    "key": ("h = give()", "sorted([1.0, 2.0], key=h)"),
    "map": ("h = map(give(), [1])", "list(h)"),
    "iteration": ("h = made()", "for q in h: pass"),
    "list": ("h = made()", "[*h]"),
    "generator": ("h = made_generator()", "sum(h)"),
    "with": ("h = made()", "with h: pass"),
    "with a generator": ("h = made_manager()", "with h: pass"),
    "array": ("h = made()", "np.asarray(h)"),
    "ufunc": ("h = made_list()", "np.add(x, h[2])"),
    "array function": ("h = made_list()", "np.sum(h[2])"),
}
"""What is set up, and the statement that runs the code."""

STATE: Mapping[str, tuple[str, str]] = {
    "a global": ("NUMBER", "NUMBER = COUNT"),
    "an attribute": ("box.value", "box.value = COUNT"),
    "an item": ("items[0]", "items[0] = COUNT"),
    "a length": ("len(items)", "items.append(7)"),
    "a key": ("table.get('a')", "table['a'] = COUNT"),
    "an array": ("array[0]", "array[0] = COUNT"),
    "another array": ("array[0]", "array = np.full(4, float(COUNT))"),
    "an argument": ("float((x * 2).sum())", "KEPT[0][0] = COUNT"),
    "a cell": ("cell_read()", "cell_write(COUNT)"),
    "a flag": ("(1 if MODE == 'slow' else 2)", "globals()['MODE'] = 'fast'"),
    "a method": ("t.method()", "setattr(Thing, 'meth' + 'od', second)"),
    "a class": ("t.kind()", "object.__setattr__(thing, '__class__', Other)"),
}
"""What is read before and after, and how it is changed."""

PLACES: Mapping[str, str] = {
    "straight on": """
    {setup}
    before = {read}
    {statement}
    between = {read}
    {statement}
    return before, between, {read}
""",
    "a loop": """
    {setup}
    out = []
    for j in range(k):
        out.append({read})
        {statement}
    return out, {read}
""",
    "written before": """
    {setup}
    box.value = 50; items[0] = 51; table['a'] = 52; array[0] = 53
    {statement}
    return {read}
""",
}

RESHAPED: Mapping[str, str] = {
    "shape": "{a}.shape = (2, -1) if {a}.ndim == 1 else (-1,)",
    "dtype": "{a}.dtype = 'i8' if {a}.dtype == 'f8' else 'f8'",
    "smaller dtype": "{a}.dtype = 'f4' if {a}.dtype == 'f8' else 'f8'",
    "resize": "{a}.resize(max({a}.size // 2, 1), refcheck=False)",
    "written": "{a}[:] = {a}[::-1] + 1",
}
"""What hidden code does to an array that it knows."""

USED: Mapping[str, str] = {
    "straight on": """
    {setup}
    a = {array}
    before = total(a), (a * 2.0 + 1.0).sum()
    {statement}
    return before, total(a), (a * 2.0 + 1.0).sum(), a.shape, str(a.dtype)
""",
    "a loop": """
    {setup}
    a, s = {array}, 0.0
    for j in range(k):
        s = s + total(a)
        {statement}
    return s, a.ndim
""",
    "a branch": """
    {setup}
    a = {array}
    if x[1] > 0:
        {statement}
    return total(a), a.shape
""",
    "a handler": """
    {setup}
    a, found = {array}, None
    try:
        {statement}
        raise ValueError
    except ValueError:
        found = a.ndim, len(a), (a + 1).shape
    return found, a.ndim
""",
    "its rank": """
    {setup}
    a = {array}
    {statement}
    return a.ndim
""",
    "its type": """
    {setup}
    a = {array}
    {statement}
    return str(a.dtype), np.iscomplexobj(a)
""",
    "a branch by its rank": """
    {setup}
    a = {array}
    for j in range(k):
        {statement}
        if a.ndim == 1:
            x = x + 1
    return x
""",
    "handed on": """
    {setup}
    a = {array}
    {statement}
    return a
""",
}
"""How an array is used around that."""
