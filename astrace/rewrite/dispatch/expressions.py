"""The lowering rules for expressions, one method for each kind of node."""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from astrace.locations import SCOPE
from astrace.rewrite.converted import OPERATORS
from astrace.rewrite.dispatch.scopes import Scopes
from astrace.rewrite.names import first_parameter
from astrace.util.parsing import consists_of

SUPER_READS: Final[bool] = sys.version_info >= (3, 12)
BINARY: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
}
UNARY: Final[dict[type[ast.unaryop], str]] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
SIGNED: Final[dict[type[ast.unaryop], tuple[type, ...]]] = {
    ast.USub: (int, float, complex),
    ast.UAdd: (int, float, complex),
    ast.Invert: (int,),
}
"""The constants that can stay operands as they are; an exception of any other is the program's own."""
COMPARE: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Is: "is_",
    ast.IsNot: "is_not",
    ast.In: "in_",
    ast.NotIn: "not_in",
}
LOWERED_ARGUMENTS: Final[dict[str, int]] = {"cond": 1, "while_loop": 1, "for_loop": 1, "with_": 1, "try_": 2}
"""The number of arguments of a control operator that hold the user's expressions; the others are scaffolding."""


def operator(name: str, *arguments: ast.expr, keywords: Sequence[ast.keyword] = ()) -> ast.Call:
    """``ag.name(arguments)``."""
    function = ast.Attribute(ast.Name(OPERATORS, ast.Load()), name, ast.Load())
    return ast.Call(function, list(arguments), list(keywords))


def is_name(node: ast.expr, name: str) -> bool:
    """Return whether an expression is just this name."""
    return isinstance(node, ast.Name) and node.id == name


def is_folded(node: ast.expr) -> bool:
    """Return whether Python's compiler folds an expression of constants, so that its result is a constant like others.

    Example:
        >>> is_folded(ast.parse("'a' + 'b'", mode="eval").body), is_folded(ast.parse("1 / 0", mode="eval").body)
        (True, False)
    """
    code = compile(ast.Expression(node), "<constant>", "eval") if consists_of(node, FOLDED) else None
    return code is not None and {step.opname for step in dis.get_instructions(code)} <= {*LOADING}


FOLDED: Final = (ast.BinOp, ast.UnaryOp, ast.Constant)
LOADING: Final = ("RESUME", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST")
"""The instructions of code that gives a constant."""


def constant(value: Any) -> ast.Constant:
    """A constant."""
    return ast.Constant(value)


def tuple_of(items: Iterable[ast.expr]) -> ast.Tuple:
    """A tuple display."""
    return ast.Tuple(list(items), ast.Load())


MOST_ARGUMENTS: Final = 30
"""From so many arguments on a method that is called is bound first (``STACK_USE_GUIDELINE`` of Python's compiler)."""


def binds_nothing(node: ast.Call) -> bool:
    """Return whether Python's compiler makes a method call of a call of an attribute.

    Example:
        >>> calls = "x.m(1, key=2)", "x.m(*a)", "x.m(**a)"
        >>> [binds_nothing(ast.parse(text, mode="eval").body) for text in calls]
        [True, False, False]
    """
    starred = any(isinstance(one, ast.Starred) for one in node.args)
    spread = any(keyword.arg is None for keyword in node.keywords)
    count = len(node.args) + len(node.keywords) + bool(node.keywords)
    return not (starred or spread) and count < MOST_ARGUMENTS


def lambda_of(names: Sequence[str], body: ast.expr) -> ast.Lambda:
    """``lambda names: body``."""
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    return ast.Lambda(arguments, body)


class Expressions(ast.NodeTransformer):
    """Lowers expressions.

    Args:
        scopes: what names mean; kept up to date while walking.
    """

    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes
        self._unique = 0

    def visit(self, node: ast.AST) -> Any:
        """Lower a node; what replaces it stands where it stood."""
        lowered = super().visit(node)
        new = lowered is not node and isinstance(lowered, ast.expr)
        if new and isinstance(node, ast.expr) and hasattr(node, "lineno"):
            lowered.lineno = node.lineno
        return lowered

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return node

    def expr(self, node: ast.expr) -> ast.expr:
        """Lower an expression."""
        return self.visit(node)

    def all(self, nodes: Iterable[ast.expr]) -> list[ast.expr]:
        """Lower expressions one after the other."""
        return [self.expr(node) for node in nodes]

    def thunk(self, node: ast.expr) -> ast.Lambda:
        """``lambda: node``, lowered: an operand that may not be evaluated."""
        return lambda_of([], self.expr(node))

    def fresh(self, base: str) -> str:
        """A name that no text of the user's has."""
        self._unique += 1
        return f"{base}.{self._unique}"

    # -- names and reads ---------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == OPERATORS or not isinstance(node.ctx, ast.Load):
            return node
        meaning = self.scopes.meaning(node.id)
        name = constant(self.scopes.mangled(node.id))
        match meaning:
            case "global" | "cell":
                return operator(f"read_{meaning}", ast.Name(SCOPE, ast.Load()), name)
            case "local" | "free" if node.id in self.scopes.undefined or self.scopes.is_late(node.id):
                return operator("defined", node, name, constant(meaning == "free"))
            case _:
                return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if is_name(node.value, OPERATORS):
            return node
        return operator("attr", self._owner(node.value), constant(self.scopes.mangled(node.attr)))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return operator("item", self.expr(node.value), self._key(node.slice))

    def _key(self, node: ast.expr) -> ast.expr:
        """Lower the key between the brackets; several indices are lowered one by one, without their tuple."""
        plain = isinstance(node, ast.Tuple) and not any(isinstance(one, ast.Starred) for one in node.elts)
        return tuple_of(self.all(node.elts)) if plain and isinstance(node, ast.Tuple) else self.expr(node)

    def visit_Slice(self, node: ast.Slice) -> ast.expr:
        none = constant(None)
        parts = (
            self.expr(part) if part is not None else none for part in (node.lower, node.upper, node.step)
        )
        return operator("slice_", *parts)

    # -- operators ---------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if is_folded(node):
            return node
        name = constant(BINARY[type(node.op)])
        return operator("binary", name, self.expr(node.left), self.expr(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        operand = self.expr(node.operand)
        if isinstance(node.op, ast.Not):
            return operator("not_", operand)
        if isinstance(operand, ast.Constant) and isinstance(operand.value, SIGNED[type(node.op)]):
            return ast.UnaryOp(node.op, operand)
        return operator("unary", constant(UNARY[type(node.op)]), operand)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        first, *rest = node.values
        return operator(name, self.expr(first), *map(self.thunk, rest))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        left = self.expr(node.left)
        names = [constant(COMPARE[type(op)]) for op in node.ops]
        if len(names) == 1:
            return operator("compare", names[0], left, self.expr(node.comparators[0]))
        links = zip(names, map(self.thunk, node.comparators), strict=True)
        return operator("chain", left, *(tuple_of(link) for link in links))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return operator("if_exp", self.expr(node.test), self.thunk(node.body), self.thunk(node.orelse))

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        value, name = self.expr(node.value), node.target.id
        meaning = self.scopes.meaning(name)
        if meaning in ("global", "cell"):
            return operator(f"store_{meaning}", value, ast.Name(SCOPE, ast.Load()), constant(name))
        return ast.NamedExpr(node.target, self.assigned(name, operator("named", constant(name), value)))

    def assigned(self, name: str, value: ast.expr) -> ast.expr:
        """A value on its way into a local name."""
        if not self.scopes.is_shared(name):
            return value
        return operator("assigned", value, lambda_of([], ast.Name(name, ast.Load())))

    # -- calls and functions -----------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = node.func
        if isinstance(function, ast.Attribute) and is_name(function.value, OPERATORS):
            return self._operator_call(node, function.attr)
        if is_name(node.func, "super") and not node.args and not node.keywords:
            return self._super(node.func)
        callee, items = self._callee(node), self._items(node.args)
        return operator("call", callee, *items, keywords=self._keywords(node.keywords))

    def _callee(self, node: ast.Call) -> ast.expr:
        """What is called; Python looks up a method without binding it, which is no plain attribute."""
        function = node.func
        if not isinstance(function, ast.Attribute) or not binds_nothing(node):
            return self.expr(function)
        name = constant(self.scopes.mangled(function.attr))
        return ast.copy_location(operator("method", self._owner(function.value), name), function)

    def _items(self, nodes: Sequence[ast.expr]) -> list[ast.expr]:
        """Arguments: a starred one may stand for any number."""
        alone = [ast.keyword("alone", constant(True))] if len(nodes) == 1 else []
        return [
            ast.Starred(operator("star", self.expr(node.value), keywords=alone), ast.Load())
            if isinstance(node, ast.Starred)
            else self.expr(node)
            for node in nodes
        ]

    def _operator_call(self, node: ast.Call, name: str) -> ast.expr:
        """A call that the rewriting put in: the user's expressions in it are lowered, carried names are not."""
        count = LOWERED_ARGUMENTS.get(name, len(node.args))
        if name == "evaluate":
            given = [*self.all(node.args), ast.Name(SCOPE, ast.Load())]
            return operator(name, *given, keywords=self._keywords(node.keywords))
        if name == "try_":
            handlers = [self._handler(handler) for handler in elements_of(node.args[1])]
            arguments = [node.args[0], tuple_of(handlers), *node.args[2:]]
        elif name == "while_loop":
            arguments = [self._test(node.args[0]), *node.args[1:]]
        else:
            arguments = [*self.all(node.args[:count]), *node.args[count:]]
        return ast.Call(node.func, arguments, node.keywords)

    def _handler(self, handler: ast.expr) -> ast.expr:
        kind, *others = elements_of(handler)
        return tuple_of([self._test(kind), *others])

    def _test(self, thunk: ast.expr) -> ast.expr:
        """A loop's test or a handler's classes: a lambda in the text, but no function of the user's."""
        if not isinstance(thunk, ast.Lambda):
            return self.expr(thunk)
        self.scopes.stack.append(replace(self.scopes.function(thunk), region=True))
        body = self.expr(thunk.body)
        self.scopes.stack.pop()
        return ast.Lambda(thunk.args, body)

    def _owner(self, node: ast.expr) -> ast.expr:
        """What an attribute is looked up on; ``super()`` there is part of the instruction, and reads a name."""
        is_super = isinstance(node, ast.Call) and is_name(node.func, "super")
        if is_super and SUPER_READS and self.scopes.meaning("super") == "global":
            return self._super(node.func, reads=True) if not (node.args or node.keywords) else self.expr(node)
        return self.expr(node)

    def _super(self, function: ast.expr, *, reads: bool = False) -> ast.expr:
        """``super()``, for which Python looks at the class around the method and at its first parameter."""
        first: list[ast.expr] = [ast.Name(name, ast.Load())] if (name := self._first_parameter) else []
        if reads and first:
            first = [operator("defined", *first, constant(self.scopes.mangled(name)), constant(False))]
        return operator("super_", self.expr(function), ast.Name(SCOPE, ast.Load()), *first)

    _first_parameter = "self"

    def _keywords(self, keywords: Sequence[ast.keyword]) -> list[ast.keyword]:
        """Keywords: of those behind ``**`` the operator has to see whether one is given twice."""
        values = [self.expr(keyword.value) for keyword in keywords]
        if all(keyword.arg for keyword in keywords):
            return [ast.keyword(keyword.arg, value) for keyword, value in zip(keywords, values, strict=True)]
        parts = [
            tuple_of([constant(keyword.arg), value]) if keyword.arg else operator("spread_keywords", value)
            for keyword, value in zip(keywords, values, strict=True)
        ]
        merged = parts[0] if len(parts) == 1 else operator("merged_keywords", *parts)
        return [ast.keyword(None, merged)]

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return node
        return ast.Starred(operator("spread", self.expr(node.value)), ast.Load())

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        defaults = self.all(node.args.defaults)
        keyword_defaults = [self.expr(default) if default else None for default in node.args.kw_defaults]
        outer, self._first_parameter = self._first_parameter, first_parameter(node)
        self.scopes.stack.append(self.scopes.function(node))
        body = self.expr(node.body)
        self.scopes.stack.pop()
        self._first_parameter = outer
        node.args.defaults, node.args.kw_defaults = defaults, keyword_defaults
        return operator("local_function", ast.Lambda(node.args, body), constant(False))

    # -- displays and strings ----------------------------------------------------------------------

    def visit_List(self, node: ast.List) -> ast.expr:
        return self._spliced("list", node.elts) or operator("make_list", tuple_of(self.all(node.elts)))

    def visit_Set(self, node: ast.Set) -> ast.expr:
        return self._spliced("set", node.elts) or operator("make_set", tuple_of(self.all(node.elts)))

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            return ast.Tuple(self.all(node.elts), node.ctx)
        if all(isinstance(one, ast.Constant) for one in node.elts):
            return node  # Python makes such a tuple only once
        return self._spliced("tuple", node.elts) or operator("make_tuple", tuple_of(self.all(node.elts)))

    def _spliced(self, kind: str, elements: list[ast.expr]) -> ast.expr | None:
        """A display that has a ``*``."""
        if not any(isinstance(one, ast.Starred) and isinstance(one.ctx, ast.Load) for one in elements):
            return None
        rest = [constant(False), constant(False), constant(True)] if kind == "set" else []
        parts = [
            operator("starred", self.expr(element.value), *rest)
            if isinstance(element, ast.Starred)
            else self.expr(element)
            for element in elements
        ]
        return operator("splice", constant(kind), tuple_of(parts))

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        """Lower each item of a dict display: a key and a value, or the one mapping behind ``**``."""
        items = [
            operator("mapping", self.expr(value))
            if key is None
            else tuple_of([self.expr(key), self.expr(value)])
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return operator("make_dict" if None not in node.keys else "splice_dict", tuple_of(items))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """``ag.join_strings("text", ag.format_value(value, conversion, spec), …)``: formatted one by one."""
        return operator("join_strings", *map(self._piece, node.values))

    def _piece(self, node: ast.expr) -> ast.expr:
        if not isinstance(node, ast.FormattedValue):
            return node
        spec = self.expr(node.format_spec) if node.format_spec is not None else constant("")
        return operator("format_value", self.expr(node.value), constant(node.conversion), spec)


def unpack(target: ast.expr, value: ast.expr) -> ast.expr:
    """``ag.unpack(value, before, after)``: ``after`` is given where one of the targets is starred."""
    elements = elements_of(target)
    stars = [index for index, element in enumerate(elements) if isinstance(element, ast.Starred)]
    if not stars:
        return operator("unpack", value, constant(len(elements)))
    return operator("unpack", value, constant(stars[0]), constant(len(elements) - stars[0] - 1))


def elements_of(node: ast.expr) -> list[ast.expr]:
    """The elements of a tuple or list display."""
    assert isinstance(node, ast.Tuple | ast.List), ast.dump(node)
    return node.elts
