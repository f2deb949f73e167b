"""Variants of programs that mean the same: what a compiler must not care about.

Each rewriting changes the source of a program's function and not what it does; the captured variant must do what
the plain original does.  The rewritings are those that find wrong code in other compilers: dead and doubled
control flow, code moved into closures and methods, loops written otherwise, constants kept elsewhere.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator

Rewriting = Callable[[ast.Module, random.Random], bool]
"""Changes a module in place; tells whether it could."""

LEAVES = (
    ast.Return
    | ast.Break
    | ast.Continue
    | ast.Raise
    | ast.Global
    | ast.Nonlocal
    | ast.Import
    | ast.ImportFrom
)
SCOPES = (
    ast.FunctionDef
    | ast.AsyncFunctionDef
    | ast.Lambda
    | ast.ClassDef
    | ast.ListComp
    | ast.SetComp
    | ast.DictComp
    | ast.GeneratorExp
)


def function_of(module: ast.Module) -> ast.FunctionDef:
    """The program's function ``f``."""
    return next(node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == "f")


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a function, those of functions inside left out."""
    for name in ("body", "orelse", "finalbody"):
        held = getattr(node, name, None)
        if isinstance(held, list) and held and isinstance(held[0], ast.stmt):
            yield held
            for statement in held:
                if not isinstance(statement, SCOPES):
                    yield from blocks(statement)
    for handler in getattr(node, "handlers", []):
        yield from blocks(handler)


def is_docstring(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def pick(
    module: ast.Module, rng: random.Random, fits: Callable[[ast.stmt], bool]
) -> tuple[list[ast.stmt], int] | None:
    """A statement that fits: the list that holds it, and its place there."""
    found = [
        (held, index)
        for held in blocks(function_of(module))
        for index, statement in enumerate(held)
        if fits(statement) and not is_docstring(statement)
    ]
    return rng.choice(found) if found else None


def stays(statement: ast.stmt) -> bool:
    """Return whether a statement may be moved into a block of its own: it leaves nothing and declares nothing."""
    return not any(
        isinstance(node, LEAVES | ast.Yield | ast.YieldFrom | ast.NamedExpr) for node in ast.walk(statement)
    )


# -- control flow ------------------------------------------------------------------------------------------


def in_if_true(module: ast.Module, rng: random.Random) -> bool:
    """A statement inside ``if True:``."""
    found = pick(module, rng, lambda one: not isinstance(one, ast.Global | ast.Nonlocal))
    if found is None:
        return False
    held, index = found
    held[index] = ast.If(ast.Constant(True), [held[index]], [])
    return True


def in_loop_of_one(module: ast.Module, rng: random.Random) -> bool:
    """A statement inside a loop of one turn."""
    found = pick(module, rng, stays)
    if found is None:
        return False
    held, index = found
    loop = ast.parse("for _once in range(1):\n    pass").body[0]
    assert isinstance(loop, ast.For)
    loop.body = [held[index]]
    held[index] = loop
    return True


def turned_branch(module: ast.Module, rng: random.Random) -> bool:
    """``if not test`` with the branches the other way round."""
    found = pick(module, rng, lambda one: isinstance(one, ast.If) and bool(one.orelse))
    if found is None:
        return False
    node = found[0][found[1]]
    assert isinstance(node, ast.If)
    node.test = ast.UnaryOp(ast.Not(), node.test)
    node.body, node.orelse = node.orelse, node.body
    return True


def de_morgan(module: ast.Module, rng: random.Random) -> bool:
    """``a and b`` of a test as ``not (not a or not b)``."""
    tests = [
        node
        for node in ast.walk(function_of(module))
        if isinstance(node, ast.If | ast.While) and isinstance(node.test, ast.BoolOp)
    ]
    if not tests:
        return False
    node = rng.choice(tests)
    assert isinstance(node.test, ast.BoolOp)
    other = ast.Or() if isinstance(node.test.op, ast.And) else ast.And()
    parts: list[ast.expr] = [ast.UnaryOp(ast.Not(), value) for value in node.test.values]
    node.test = ast.UnaryOp(ast.Not(), ast.BoolOp(other, parts))
    return True


def while_for_for(module: ast.Module, rng: random.Random) -> bool:
    """``for`` over a range as ``while`` over its items."""

    def fits(one: ast.stmt) -> bool:
        ranged = (
            isinstance(one, ast.For)
            and isinstance(one.iter, ast.Call)
            and isinstance(one.iter.func, ast.Name)
        )
        return bool(ranged and one.iter.func.id == "range")  # type: ignore[attr-defined]

    found = pick(module, rng, fits)
    if found is None:
        return False
    held, index = found
    loop = held[index]
    assert isinstance(loop, ast.For)
    name = f"_r{rng.randrange(1000)}"
    start = ast.parse(f"{name} = range(0)\n{name}k = 0").body
    assert isinstance(start[0], ast.Assign)
    start[0].value = loop.iter
    turn = ast.parse(f"x = {name}[{name}k]\n{name}k += 1").body
    assert isinstance(turn[0], ast.Assign)
    turn[0].targets = [loop.target]
    test = ast.parse(f"{name}k < len({name})", mode="eval").body
    held[index : index + 1] = [*start, ast.While(test, [*turn, *loop.body], loop.orelse)]
    return True


def dead_code(module: ast.Module, rng: random.Random) -> bool:
    """A branch that is never taken before a statement."""
    found = pick(module, rng, lambda one: not isinstance(one, ast.Global | ast.Nonlocal))
    if found is None:
        return False
    held, index = found
    dead = rng.choice(
        [
            "if False:\n    raise AssertionError",
            "while False:\n    pass",
            "for _none in ():\n    raise AssertionError",
        ]
    )
    held[index:index] = ast.parse(dead).body
    return True


# -- where code stands -------------------------------------------------------------------------------------


class _Replace(ast.NodeTransformer):
    """Puts one expression in the place of another."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def expressions(module: ast.Module, fits: Callable[[ast.expr], bool]) -> list[ast.expr]:
    """The expressions of the function's own code that are evaluated once where they stand."""
    found: list[ast.expr] = []

    def walk(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (SCOPES, ast.JoinedStr, ast.MatchValue, ast.AnnAssign, ast.Slice)):
                continue
            if (
                isinstance(child, ast.expr)
                and isinstance(getattr(child, "ctx", ast.Load()), ast.Load)
                and fits(child)
            ):
                found.append(child)
            walk(child)

    for statement in function_of(module).body:
        if not is_docstring(statement) and not isinstance(statement, SCOPES):
            walk(statement)
    return found


def is_value(node: ast.expr) -> bool:
    """Return whether an expression may be evaluated elsewhere in its statement."""
    odd = ast.Starred | ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await | ast.Constant | ast.Lambda
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    if isinstance(node, ast.Tuple) and any(isinstance(one, ast.Slice) for one in node.elts):
        return False  # only a subscript may hold it
    return not any(isinstance(one, odd) for one in ast.walk(node)) and not names & {
        "super",
        "__class__",
        "locals",
        "globals",
        "eval",
        "exec",
    }


def in_closure(module: ast.Module, rng: random.Random) -> bool:
    """An expression as a function that is called at once."""
    return _wrapped(module, rng, "(lambda: 0)()", lambda new, old: setattr(new.func, "body", old))


def in_tuple(module: ast.Module, rng: random.Random) -> bool:
    """An expression as the item of a tuple."""
    return _wrapped(module, rng, "(0,)[0]", lambda new, old: setattr(new.value, "elts", [old]))


def _wrapped(
    module: ast.Module, rng: random.Random, text: str, put: Callable[[ast.expr, ast.expr], None]
) -> bool:
    found = expressions(module, lambda one: is_value(one) and not isinstance(one, ast.Name))
    if not found:
        return False
    old = rng.choice(found)
    new = ast.parse(text, mode="eval").body
    _Replace(old, new).visit(function_of(module))
    put(new, old)
    return True


def in_inner_function(module: ast.Module, rng: random.Random) -> bool:
    """The whole body in a function inside."""
    function = function_of(module)
    if any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Nonlocal) for node in ast.walk(function)):
        return False
    inner = copy.deepcopy(function)
    inner.name = "_inner"
    inner.decorator_list = []
    given = _call_of(function)
    if given is None:
        return False
    inner.args.defaults, inner.args.kw_defaults = [], [None] * len(inner.args.kwonlyargs)
    function.body = [inner, ast.Return(given)]
    return True


def in_method(module: ast.Module, rng: random.Random) -> bool:
    """The body as a method of a class."""
    function = function_of(module)
    if (
        any(isinstance(node, ast.Yield | ast.YieldFrom | ast.Nonlocal) for node in ast.walk(function))
        or function.decorator_list
    ):
        return False
    given = _call_of(function)
    if given is None:
        return False
    holder = ast.parse("class _Holder:\n    pass").body[0]
    assert isinstance(holder, ast.ClassDef)
    method = copy.deepcopy(function)
    method.name = "run"
    method.args.defaults, method.args.kw_defaults = [], [None] * len(method.args.kwonlyargs)
    if method.args.posonlyargs:
        return False
    method.args.args.insert(0, ast.arg("_self"))
    holder.body = [method]
    given.func = ast.parse("_HOLDER.run", mode="eval").body
    function.body = [ast.Return(given)]
    place = module.body.index(function)
    module.body[place:place] = [holder, *ast.parse("_HOLDER = _Holder()").body]
    return True


def _call_of(function: ast.FunctionDef) -> ast.Call | None:
    """A call of the inner function with the function's own parameters."""
    args = function.args
    if args.vararg is not None or args.kwarg is not None:
        return None
    positional = [ast.Name(one.arg, ast.Load()) for one in (*args.posonlyargs, *args.args)]
    named = [ast.keyword(one.arg, ast.Name(one.arg, ast.Load())) for one in args.kwonlyargs]
    return ast.Call(ast.Name("_inner", ast.Load()), list(positional), named)


# -- where constants are kept ------------------------------------------------------------------------------


def constant_elsewhere(module: ast.Module, rng: random.Random) -> bool:
    """A number kept in a global, in an attribute, in an item, or in a default."""
    found = expressions(module, lambda one: isinstance(one, ast.Constant) and type(one.value) in (int, float))
    if not found:
        return False
    old = rng.choice(found)
    assert isinstance(old, ast.Constant)
    name = f"_K{rng.randrange(1000)}"
    kept, read = rng.choice(
        [
            (f"{name} = 0", name),
            (f"{name} = {{'k': 0}}", f"{name}['k']"),
            (f"class {name}:\n    k = 0", f"{name}.k"),
            ("", name),
        ]
    )
    function = function_of(module)
    _Replace(old, ast.parse(read, mode="eval").body).visit(function)
    if not kept:
        function.args.kwonlyargs.append(ast.arg(name))
        function.args.kw_defaults.append(ast.Constant(old.value))
        return True
    made = ast.parse(kept).body
    for node in ast.walk(made[0]):
        if isinstance(node, ast.Constant) and node.value == 0 and type(node.value) is int:
            node.value = old.value
    place = module.body.index(function)
    module.body[place:place] = made
    return True


REWRITINGS: dict[str, Rewriting] = {
    one.__name__: one
    for one in (
        in_if_true, in_loop_of_one, turned_branch, de_morgan, while_for_for, dead_code, in_closure, in_tuple,
        in_inner_function, in_method, constant_elsewhere,
    )
}  # fmt: skip


def variant(source: str, rng: random.Random, most: int = 3) -> tuple[str, list[str]]:
    """A variant of a program, by up to some rewritings; its source, and their names."""
    module = ast.parse(source)
    done: list[str] = []
    for name in rng.sample(list(REWRITINGS), len(REWRITINGS)):
        if len(done) >= most:
            break
        before = copy.deepcopy(module)
        if REWRITINGS[name](module, rng):
            done.append(name)
            ast.fix_missing_locations(module)
            try:
                compile(module, "<variant>", "exec")
            except SyntaxError:  # a rewriting that does not fit here
                module = before
                done.pop()
    return ast.unparse(module), done
