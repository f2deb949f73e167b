"""Sources that a capture must not keep, each in a process of its own: ``python tests/helpers/impure_sources.py``.

A row is ``(setup, expression, change)``: statements run once, what the function gives, and statements that change
the source between two calls.  What is found wrong is printed as JSON, by name.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import Any

import harness
import numpy as np

import astrace

Row = tuple[str, str, str]
TZ = "import os, time; os.environ['TZ'] = 'UTC0'; time.tzset()"
LATER = "os.environ['TZ'] = 'XYZ+5'; time.tzset()"
FOLDER = "import os, pathlib, tempfile; P = pathlib.Path(tempfile.mkdtemp(), 'file'); P.write_text('1'); S = str(P)"
MORE = "P.write_text('222')"
OBJECT = "class K: pass\nO = K()"
OTHER = "O = K()"

CHANGED: dict[str, Row] = {
    # the clock and the calendar
    "time.localtime": (TZ, "time.localtime(0).tm_hour", LATER),
    "time.ctime": (TZ, "time.ctime(0)", LATER),
    "time.strftime": (TZ, "time.strftime('%Z')", LATER),
    "time.tzname": (TZ, "time.tzname", LATER),
    "time.timezone": (TZ, "time.timezone", LATER),
    "datetime.fromtimestamp": (f"import datetime; {TZ}", "datetime.datetime.fromtimestamp(0).hour", LATER),
    "calendar.firstweekday": ("import calendar", "calendar.firstweekday()", "calendar.setfirstweekday(3)"),
    # the environment, the working directory, files
    "os.environ[…]": ("import os; os.environ['Q'] = '1'", "os.environ['Q']", "os.environ['Q'] = '2'"),
    "os.environ.get": ("import os", "os.environ.get('Q', '')", "os.environ['Q'] = '2'"),
    "in os.environ": ("import os", "'Q' in os.environ", "os.environ['Q'] = '2'"),
    "len(os.environ)": ("import os", "len(os.environ)", "os.environ['Q'] = '2'"),
    "dict(os.environ)": ("import os", "dict(os.environ).get('Q')", "os.environ['Q'] = '2'"),
    "from os import environ": ("from os import environ; environ['Q'] = '1'", "environ['Q']", "environ['Q'] = '2'"),
    "os.getenv": ("import os", "os.getenv('Q')", "os.environ['Q'] = '2'"),
    "os.path.expandvars": ("import os; os.environ['Q'] = '1'", "os.path.expandvars('$Q')", "os.environ['Q'] = '2'"),
    "os.path.expanduser": ("import os; os.environ['HOME'] = '/a'", "os.path.expanduser('~')", "os.environ['HOME'] = '/b'"),
    "getpass.getuser": ("import getpass, os; os.environ['LOGNAME'] = 'a'", "getpass.getuser()", "os.environ['LOGNAME'] = 'b'"),
    "shutil.which": ("import shutil, os", "shutil.which('sh')", "os.environ['PATH'] = ''"),
    "shutil.get_terminal_size": ("import shutil, os", "shutil.get_terminal_size().columns", "os.environ['COLUMNS'] = '33'"),
    "os.getcwd": ("import os; os.chdir('/')", "os.getcwd()", "os.chdir('/usr')"),
    "pathlib.Path.cwd": ("import os, pathlib; os.chdir('/')", "pathlib.Path.cwd()", "os.chdir('/usr')"),
    "os.path.abspath": ("import os; os.chdir('/')", "os.path.abspath('a')", "os.chdir('/usr')"),
    "Path.resolve": ("import os, pathlib; os.chdir('/')", "pathlib.Path('a').resolve()", "os.chdir('/usr')"),
    "Path.exists": (FOLDER, "P.exists()", "P.unlink()"),
    "Path.read_text": (FOLDER, "P.read_text()", MORE),
    "os.path.exists": (FOLDER, "os.path.exists(S)", "P.unlink()"),
    "os.path.getsize": (FOLDER, "os.path.getsize(S)", MORE),
    "os.stat": (FOLDER, "os.stat(S).st_size", MORE),
    "os.listdir": (FOLDER, "len(os.listdir(P.parent))", "P.unlink()"),
    "os.scandir": (FOLDER, "[one.name for one in os.scandir(P.parent)]", "P.unlink()"),
    "glob.glob": (f"import glob; {FOLDER}", "len(glob.glob(S + '*'))", "P.unlink()"),
    "open": (FOLDER, "open(S).read()", MORE),
    "json.load": (f"import json; {FOLDER}", "json.load(open(S))", MORE),
    "np.loadtxt": (FOLDER, "np.loadtxt(S)", MORE),
    "np.load": (f"{FOLDER}; S += '.npy'; np.save(S, np.ones(2))", "np.load(S)", "np.save(S, np.zeros(2))"),
    "np.fromfile": (f"{FOLDER}; np.ones(2).tofile(S)", "np.fromfile(S)", "np.zeros(2).tofile(S)"),
    "linecache": (f"import linecache; {FOLDER}", "linecache.getline(S, 1)", f"{MORE}; linecache.clearcache()"),
    "subprocess": (
        "import subprocess, os; os.environ['Q'] = '1'", "subprocess.check_output(['sh', '-c', 'echo $Q'])", "os.environ['Q'] = '2'"),
    "select": ("import select, os; R, W = os.pipe()", "bool(select.select([R], [], [], 0)[0])", "os.write(W, b'a')"),
    # the interpreter
    "sys.getrecursionlimit": ("import sys", "sys.getrecursionlimit()", "sys.setrecursionlimit(5000)"),
    "sys.argv[…]": ("import sys; sys.argv[0] = 'a'", "sys.argv[0]", "sys.argv[0] = 'b'"),
    "len(sys.argv)": ("import sys", "len(sys.argv)", "sys.argv.append('b')"),
    "in sys.modules": ("import sys; sys.modules.pop('colorsys', None)", "'colorsys' in sys.modules", "import colorsys"),
    "len(sys.path)": ("import sys", "len(sys.path)", "sys.path.append('b')"),
    "sys.stdout": ("import sys, io", "type(sys.stdout).__name__", "sys.stdout = io.BytesIO()"),
    "sys.getswitchinterval": ("import sys", "sys.getswitchinterval()", "sys.setswitchinterval(0.01)"),
    "sys.get_int_max_str_digits": ("import sys", "sys.get_int_max_str_digits()", "sys.set_int_max_str_digits(5000)"),
    "digits of an int": ("import sys", "str(10**2000)[:3]", "sys.set_int_max_str_digits(640)"),
    "int of digits": ("import sys", "int('1' * 2000) % 7", "sys.set_int_max_str_digits(640)"),
    "gc.isenabled": ("import gc", "gc.isenabled()", "gc.disable()"),
    "gc.get_threshold": ("import gc", "gc.get_threshold()", "gc.set_threshold(500)"),
    "weakref.ref": (f"import weakref\n{OBJECT}\nW = weakref.ref(O)", "W() is None", "del O"),
    "WeakValueDictionary": (
        f"import weakref\n{OBJECT}\nW = weakref.WeakValueDictionary(); W[1] = O", "len(W), 1 in W", "del O"),
    "WeakKeyDictionary": (f"import weakref\n{OBJECT}\nW = weakref.WeakKeyDictionary(); W[O] = 1", "len(list(W))", "del O"),
    "weakref.proxy": (f"import weakref\n{OBJECT}\nO.v = 1; W = weakref.proxy(O)", "W.v", "O.v = 2"),
    "tracemalloc.is_tracing": ("import tracemalloc", "tracemalloc.is_tracing()", "tracemalloc.start()"),
    "signal.getsignal": (
        "import signal", "signal.getsignal(signal.SIGUSR1)", "signal.signal(signal.SIGUSR1, signal.SIG_IGN)"),
    "faulthandler.is_enabled": ("import faulthandler", "faulthandler.is_enabled()", "faulthandler.enable()"),
    # settings
    "locale.setlocale": (
        "import locale; locale.setlocale(locale.LC_ALL, 'C')", "locale.setlocale(locale.LC_ALL)", "locale.setlocale(locale.LC_ALL, 'C.UTF-8')"),
    "locale.getlocale": (
        "import locale; locale.setlocale(locale.LC_ALL, 'C')", "locale.getlocale()", "locale.setlocale(locale.LC_ALL, 'C.UTF-8')"),
    "decimal.getcontext": ("import decimal", "decimal.getcontext().prec", "decimal.getcontext().prec = 9"),
    "Decimal /": ("import decimal", "decimal.Decimal(1) / decimal.Decimal(3)", "decimal.getcontext().prec = 5"),
    "Decimal / of globals": (
        "import decimal; A = decimal.Decimal(1); B = decimal.Decimal(3)", "A / B", "decimal.getcontext().prec = 5"),
    "Decimal.sqrt": ("import decimal", "decimal.Decimal(2).sqrt()", "decimal.getcontext().prec = 5"),
    "Decimal +": ("import decimal", "+decimal.Decimal('1.23456789')", "decimal.getcontext().prec = 3"),
    "create_decimal": ("import decimal", "decimal.getcontext().create_decimal('1.23456789')", "decimal.getcontext().prec = 3"),
    "np.geterr": ("", "np.geterr()['divide']", "np.seterr(divide='ignore')"),
    "np.getbufsize": ("", "np.getbufsize()", "np.setbufsize(1600)"),
    "np.get_printoptions": ("", "np.get_printoptions()['precision']", "np.set_printoptions(precision=4)"),
    "str of an array": ("A = np.array([1.23456789])", "str(A), repr(A), f'{A}'", "np.set_printoptions(precision=3)"),
    "repr of a NumPy number": ("", "repr(np.float64(0.1)), '%r' % (np.float64(0.1),)", "np.set_printoptions(legacy='1.25')"),
    "repr of a NumPy constant": ("V = np.float64(0.1)", "repr(V), f'{V!r}'", "np.set_printoptions(legacy='1.25')"),
    "logging level": ("import logging; G = logging.getLogger('q')", "G.isEnabledFor(10)", "G.setLevel(10)"),
    "logging.getLogger": ("import logging", "logging.getLogger('q').getEffectiveLevel()", "logging.getLogger('q').setLevel(5)"),
    "warnings.filters": ("import warnings", "len(warnings.filters)", "warnings.filters.insert(0, warnings.filters[0])"),
    "mimetypes": ("import mimetypes", "mimetypes.guess_type('a.qqq')[0]", "mimetypes.add_type('x/y', '.qqq')"),
    # threads and contexts
    "threading.active_count": (
        "import threading", "threading.active_count()",
        "import threading; T = threading.Thread(target=threading.Event().wait, daemon=True); T.start()"),
    "contextvar": ("import contextvars; V = contextvars.ContextVar('v', default=1)", "V.get()", "V.set(2)"),
    "copy_context": (
        "import contextvars; V = contextvars.ContextVar('v', default=1)", "V in contextvars.copy_context()", "V.set(2)"),
    "thread-local": ("import threading; T = threading.local(); T.v = 1", "T.v", "T.v = 2"),
    # addresses and hashes
    "id": (OBJECT, "id(O)", OTHER),
    "repr of an object": (OBJECT, "repr(O), str(O), f'{O}', '%s' % O, '{}'.format(O)", OTHER),
    "text of a list": (OBJECT + "\nL = [O]", "str(L)", "L = [K()]"),
    "hash of an object": (OBJECT, "hash(O)", OTHER),
    "repr of a function": ("def h(): pass", "repr(h), f'{h}', '%s' % h", "def h(): return 1"),
    "hash of a function": ("def h(): pass", "hash(h)", "def h(): return 1"),
    "repr of a method": ("L = []", "repr(L.append)", "L = []"),
    # frames and names
    "globals": ("G = 1", "globals()['G']", "G = 2"),
    "vars of an object": (OBJECT, "vars(O)", "O.v = 1"),
    "vars of a module": ("import types; M = types.ModuleType('m'); M.v = 1", "vars(M)['v']", "M.v = 2"),
    "dir": (OBJECT, "'v' in dir(O)", "O.v = 1"),
    # objects of libraries
    "io.StringIO": ("import io; B = io.StringIO('a\\nb')", "B.tell()", "B.readline()"),
    "lru_cache": ("import functools\n@functools.lru_cache\ndef h(a):\n    return a", "h.cache_info().hits", "h(1); h(1)"),
    "a cached global": ("import functools\nG = 1\n@functools.lru_cache\ndef h():\n    return G", "h()", "G = 2; h.cache_clear()"),
    "sqlite": (
        "import sqlite3; D = sqlite3.connect(':memory:'); D.execute('create table t(a)')",
        "D.execute('select count(*) from t').fetchone()", "D.execute('insert into t values (1)')"),
    "array.array": ("import array; A = array.array('d', [1.0])", "A[0]", "A[0] = 2.0"),
    "memoryview": ("B = bytearray(b'ab'); M = memoryview(B)", "M[0], B[0]", "B[0] = 1"),
    "ctypes": ("import ctypes; V = ctypes.c_int(1)", "V.value", "V.value = 2"),
    "SimpleNamespace": ("import types; N = types.SimpleNamespace(v=1)", "N.v", "N.v = 2"),
    "ChainMap": ("import collections; D = {}; N = collections.ChainMap(D, {'a': 1})", "N['a']", "D['a'] = 2"),
    "Counter": ("import collections; N = collections.Counter('aab')", "N['a'], N['z']", "N['a'] = 5"),
    "defaultdict": ("import collections; N = collections.defaultdict(int)", "N['a']", "N['a'] = 5"),
    "OrderedDict": ("import collections; N = collections.OrderedDict(a=1, b=2)", "next(iter(N))", "N.move_to_end('a')"),
    "MappingProxyType": ("import types; D = {'a': 1}; N = types.MappingProxyType(D)", "N['a']", "D['a'] = 2"),
    "configparser": ("import configparser; N = configparser.ConfigParser(); N['s'] = {'a': '1'}", "N['s']['a']", "N['s']['a'] = '2'"),
    "argparse.Namespace": ("import argparse; N = argparse.Namespace(a=1)", "N.a", "N.a = 2"),
    "itemgetter": ("import operator; G = operator.itemgetter(0); L = [1]", "G(L)", "L[0] = 2"),
}  # fmt: skip
"""After a change the next call must give what plain Python gives; twice in a row the same."""

STREAMS: dict[str, tuple[str, str]] = {
    "random.random": ("import random; random.seed(1)", "random.random()"),
    "random.randint": ("import random; random.seed(1)", "random.randint(0, 10**9)"),
    "random.choice": ("import random; random.seed(1)", "random.choice(range(10**9))"),
    "random.Random": ("import random; R = random.Random(3)", "R.random()"),
    "random, from a lambda": ("import random; random.seed(1); G = lambda: random.random()", "G()"),
    "random, in a comprehension": ("import random; random.seed(1)", "[random.random() for _ in range(3)]"),
    "random, as a key": ("import random; random.seed(1)\ndef h(i):\n    return random.random()", "sorted(range(50), key=h)"),
    "random, on one side": ("import random; random.seed(1)", "random.random() if random.random() < 0.5 else -random.random()"),
    "np.random.rand": ("np.random.seed(1)", "np.random.rand()"),
    "np.random.normal": ("np.random.seed(1)", "np.random.normal(0, 1, 2)"),
    "np.random.permutation": ("np.random.seed(1)", "np.random.permutation(9)"),
    "np.random.shuffle": ("np.random.seed(1)\ndef h():\n    a = np.arange(9)\n    np.random.shuffle(a)\n    return a", "h()"),
    "np.random.get_state": ("np.random.seed(1)", "np.random.get_state()[2], np.random.rand()"),
    "Generator": ("R = np.random.default_rng(0)", "R.random(), R.normal(size=3), R.integers(9)"),
    "Generator made inside": ("", "np.random.default_rng(0).random()"),
    "RandomState": ("R = np.random.RandomState(0)", "R.rand(2)"),
    "itertools.count": ("import itertools; C = itertools.count()", "next(C)"),
    "itertools.count, in a loop": (
        "import itertools; C = itertools.count()\ndef h():\n    n = next(C)\n    while n % 5:\n        n = next(C)\n    return n", "h()"),
    "generator": ("G = (i * i for i in range(9))", "next(G)"),
    "iterator": ("I = iter(range(9))", "next(I)"),
    "deque": ("import collections; D = collections.deque(range(9))", "D.popleft()"),
    "queue": ("import queue; Q = queue.Queue(); [Q.put(i) for i in range(9)]", "Q.get()"),
    "StringIO": ("import io; B = io.StringIO('a\\nb\\nc\\nd\\n')", "B.readline()"),
    "methodcaller": ("import io, operator; B = io.StringIO('a\\nb\\nc\\n'); G = operator.methodcaller('readline')", "G(B)"),
    "input": ("import io, sys; sys.stdin = io.StringIO('a\\nb\\nc\\n')", "input()"),
    "sys.stdin": ("import io, sys; sys.stdin = io.StringIO('a\\nb\\nc\\n')", "sys.stdin.readline()"),
    "os.read": ("import os; R, W = os.pipe(); os.write(W, b'abcdef')", "os.read(R, 1)"),
    "socket": ("import socket; A, B = socket.socketpair(); A.send(b'abcdef')", "B.recv(1)"),
    "open, a handle": (f"{FOLDER}; P.write_text('a\\nb\\nc\\n'); H = open(S)", "H.readline()"),
    "os.umask": ("import os; os.umask(0o22)", "os.umask(0o77), os.umask(0o22)"),
    "tempfile": ("import tempfile, os; D = tempfile.mkdtemp()", "len(os.listdir(D)), tempfile.mkstemp(dir=D)[0] > 0"),
}  # fmt: skip
"""Each call takes something away: calls of the capture must take it as plain calls would, and tracing nothing."""

CLOCKS: dict[str, tuple[str, str]] = {
    name: (f"import {name.partition('.')[0]}", f"{name}()")
    for name in (
        "time.time time.time_ns time.monotonic time.monotonic_ns time.perf_counter time.perf_counter_ns time.process_time_ns "
        "datetime.datetime.now datetime.datetime.utcnow datetime.datetime.today datetime.date.today os.times"
    ).split()
} | {
    "from time import time": ("from time import time", "time()"),
    "a clock in a partial": ("import functools, time; T = functools.partial(time.perf_counter)", "T()"),
    "a clock in a property": (
        "import time\nclass K:\n    @property\n    def now(self):\n        return time.perf_counter()\nO = K()", "O.now"),
    "a clock in a default": ("import time", "(lambda now=time.perf_counter(): now)()"),
    "a clock in a list": ("import time; L = [time.perf_counter]", "L[0]()"),
    "a clock in np.vectorize": ("import time; V = np.vectorize(lambda a: time.perf_counter())", "V(1)"),
    "datetime64": ("", "np.datetime64('now')"),
    "logging": ("import logging", "logging.LogRecord('a', 10, 'f', 1, 'm', (), None).created"),
}  # fmt: skip
"""A capture's answer lies between those of the plain calls before and after it."""

UNIQUE: dict[str, tuple[str, str]] = {
    "uuid.uuid4": ("import uuid", "uuid.uuid4()"),
    "uuid.uuid1": ("import uuid", "uuid.uuid1()"),
    "os.urandom": ("import os", "os.urandom(8)"),
    "secrets": ("import secrets", "secrets.token_hex(8)"),
    "random.Random()": ("import random", "random.Random().random()"),
    "random.SystemRandom": ("import random; R = random.SystemRandom()", "R.random()"),
    "np.random.default_rng()": ("", "np.random.default_rng().random()"),
    "np.random.SeedSequence": ("", "np.random.SeedSequence().entropy"),
    "tempfile.mktemp": ("import tempfile", "tempfile.mktemp()"),
}
"""No two calls give the same."""

THREADS: dict[str, tuple[str, str]] = {
    "threading.get_ident": ("import threading", "threading.get_ident()"),
    "threading.current_thread": ("import threading", "threading.current_thread().name"),
    "threading.local": ("import threading; T = threading.local(); T.v = 1", "T.v"),
    "contextvar": ("import contextvars; V = contextvars.ContextVar('v', default=1); V.set(2)", "V.get()"),
    "decimal context": ("import decimal; decimal.getcontext().prec = 5", "decimal.getcontext().prec"),
}
"""Another thread has its own."""


def functions(setup: str, expression: str) -> tuple[Any, Any, dict[str, Any]]:
    """The plain function, the compiled one, and the module they are in."""
    names: dict[str, Any] = {"np": np, "__name__": "world"}
    harness.run_with_source(f"{setup}\ndef f(x):\n    return {expression}\n", names)
    return names["f"], astrace.compile(names["f"]), names


def shown(function: Any) -> Any:
    """Return a result as something that can be compared and that keeps its parts."""
    try:
        value = function(1.0)
    except Exception as error:
        return type(error).__name__, str(error)
    return repr(value), harness.shape_of(value)


def changed(name: str) -> list[str]:
    setup, expression, change = CHANGED[name]
    plain, compiled, names = functions(setup, expression)
    compiled.stages(1.0)
    before = shown(plain)
    found = [] if shown(compiled) == before == shown(compiled) else ["the first call is wrong"]
    harness.run_with_source(change, names)
    compiled.stages(1.0)
    if before == shown(plain):
        found.append("the change changes nothing")
    return found if shown(compiled) == shown(plain) == shown(compiled) else [*found, "stale"]


def stream(name: str) -> list[str]:
    plain, _, _ = functions(*STREAMS[name])
    expected = [shown(plain) for _ in range(3)]
    _, compiled, _ = functions(*STREAMS[name])
    found = []
    for _ in range(3):
        compiled.stages(1.0)
        compiled.explain(1.0)
        found.append(shown(compiled))
    return [] if found == expected else [f"{found} instead of {expected}"]


def clock(name: str) -> list[str]:
    plain, compiled, _ = functions(*CLOCKS[name])
    compiled.stages(1.0)
    times = [function(1.0) for function in (plain, compiled, plain, compiled, plain)]
    return [] if times == sorted(times) and len({type(time) for time in times}) == 1 else [str(times)]


def unique(name: str) -> list[str]:
    plain, compiled, _ = functions(*UNIQUE[name])
    values = [function(1.0) for function in (plain, compiled, compiled, plain)]
    return [] if len(set(values)) == 4 and len(set(map(type, values))) == 1 else [str(values)]


def thread(name: str) -> list[str]:
    plain, compiled, _ = functions(*THREADS[name])
    found: list[Any] = []

    def both() -> None:
        found.append((shown(plain), shown(compiled), shown(compiled)))

    for _ in range(2):
        one = threading.Thread(target=both)
        one.start()
        one.join()
        both()
    return [str(one) for one in found if len(set(map(repr, one))) > 1]


CHECKS: dict[str, Callable[[str], list[str]]] = {
    **dict.fromkeys(CHANGED, changed),
    **{f"{name}: stream": lambda key: stream(key.removesuffix(": stream")) for name in STREAMS},
    **{f"{name}: clock": lambda key: clock(key.removesuffix(": clock")) for name in CLOCKS},
    **{f"{name}: unique": lambda key: unique(key.removesuffix(": unique")) for name in UNIQUE},
    **{f"{name}: thread": lambda key: thread(key.removesuffix(": thread")) for name in THREADS},
}


def in_a_process(name: str) -> list[str]:
    """Return the faults of a row, found by a copy of this process, so that they leave no trace."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            found = CHECKS[name](name)
        except BaseException as error:
            found = [f"{type(error).__name__}: {error}"]
        os.write(writing, json.dumps(found).encode()[:4000])
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as told:
        return json.loads(told.read() or '["the process ended"]')


if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())
    astrace.compile(shown)(1.0)  # loads what captures need, once for all processes
    chosen = sys.argv[1:] or list(CHECKS)
    print(json.dumps({name: found for name in chosen if (found := in_a_process(name))}, indent=1))
