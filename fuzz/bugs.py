"""The mistakes of the fuzzer's own exam: small changes of the compiler, each of which makes it wrong.

A bug is a text that stands once in a file of the package, and what is written in its place.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    """One mistake.

    Args:
        name: what is wrong.
        file: the file, below the package.
        old: the text that is right.
        new: the text that is wrong.
    """

    name: str
    file: str
    old: str
    new: str


LOOPS, BRANCHES, SPELLING = (
    "backends/numpy/loops.py",
    "backends/numpy/branches.py",
    "backends/python_source/spelling.py",
)
PASSES, HOIST, COMMON, ALIVE = (
    "passes/branches.py",
    "passes/hoist.py",
    "passes/common_nodes.py",
    "passes/analysis/liveness.py",
)
SHARING, LOGIC, STATE = (
    "passes/analysis/aliasing.py",
    "tracing/operators/control/branches.py",
    "tracing/external/reads.py",
)
PLACES = "tracing/external/places.py"
CARRY, MERGE, FLOW, JUMPS = (
    "tracing/changes/carry.py",
    "tracing/changes/merge.py",
    "rewrite/dataflow.py",
    "rewrite/jumps.py",
)
CONVERT = "rewrite/convert.py"
COMPREHENSIONS, DISPATCH = "rewrite/dispatch/comprehensions.py", "tracing/operators/data/binary_dispatch.py"
RAISING, EXCEPTIONS = "tracing/operators/control/raise_.py", "tracing/operators/control/exceptions.py"
ARITHMETIC, OP_CALLS, HOOKS = (
    "tracing/operators/data/arithmetic.py",
    "tracing/operators/calls/op_calls.py",
    "tracing/values/special_methods.py",
)
MERGED = """\
        for one in builder.nodes:
            if node.op.startswith("call") and (one.op, one.inputs, one.attrs) == (node.op, node.inputs, node.attrs):
                builder.replace(node.outputs, one.outputs)
                return
"""

BUGS = (
    # -- loops -------------------------------------------------------------------------------------------------
    Bug("one iteration too many", LOOPS, 'f"range({start.text}, {stop.text})"', 'f"range({start.text}, {stop.text} + 1)"'),
    Bug("one iteration too few", LOOPS, 'return f"range({stop.text})"', 'return f"range({stop.text} - 1)"'),
    Bug("a step that is lost", LOOPS, 'if step.text != "1":', 'if step.text not in ("1", "-1"):'),
    Bug("a count from one", LOOPS, 'f"enumerate({inner})" if', 'f"enumerate({inner}, 1)" if'),
    Bug("not reversed", LOOPS, 'return f"reversed({iterable(over.inner, inputs)})"', "return iterable(over.inner, inputs)"),
    Bug("a variable that is reused too early", LOOPS, " and name not in found and self.names.is_free(name)", ""),
    Bug("carried values in another order", LOOPS, "zip(node.outputs[loop.breaks :], carried, strict=True):\n            self.names.take", "zip(node.outputs[loop.breaks :], carried[::-1], strict=True):\n            self.names.take"),
    Bug("nobody is told of a break", LOOPS, "if flag not in self.scope.counts:", "if True:"),
    Bug("the test is not turned", LOOPS, 'self.line(f"if {negated(code)}:", loop.node.location)', 'self.line(f"if {code.at(TERNARY)}:", loop.node.location)'),
    Bug("a carried name that is lost", CONVERT, 'live = flow.entry[loop, "body"] | flow.after[loop] | tested', 'live = flow.entry[loop, "body"] | tested'),
    # -- branches ----------------------------------------------------------------------------------------------
    Bug("the other branch", BRANCHES, 'self.line(f"if {test.at(TERNARY)}:", node.location)', 'self.line(f"if {negated(test)}:", node.location)'),
    Bug("the other side of an expression", BRANCHES, "{codes[0].at(OR_LEVEL)} if {test.at(OR_LEVEL)} else {codes[1].at(TERNARY)}", "{codes[1].at(OR_LEVEL)} if {test.at(OR_LEVEL)} else {codes[0].at(TERNARY)}"),
    Bug("and for or", BRANCHES, 'f"{test.at(level)} {kind} ', 'f"{test.at(level)} {dict(zip((\'and\', \'or\'), (\'or\', \'and\')))[kind]} '),
    Bug("an else without its not", BRANCHES, 'self.lines[start].text = f"if {negated(test)}:"', 'self.lines[start].text = f"if {test.at(TERNARY)}:"'),
    Bug("a break that is not remembered", BRANCHES, 'self.line(f"{stop.variable} = {value}")', 'self.line(f"{stop.variable} = False")'),
    Bug("a constant test taken wrongly", PASSES, "taken = cond.then if cond.test.value else cond.orelse", "taken = cond.orelse if cond.test.value else cond.then"),
    Bug("a test known wrongly inside", PASSES, "zip(region_inputs(node), (True, False), strict=True)", "zip(region_inputs(node), (False, True), strict=True)"),
    Bug("branches that nearly agree", PASSES, "return same(left.value, right.value) and not is_nan(left.value)", "return left.value == right.value"),
    Bug("a loop of one iteration left out", PASSES, "return whole and not range(*bounds)", "return whole and len(range(*bounds)) < 2"),
    Bug("and goes on where it should stop", LOGIC, "return value if decided is stop_at else further()", "return value if decided is not stop_at else further()"),
    Bug("and takes the other operand", LOGIC, "(here, further) if stop_at else (further, here)", "(further, here) if stop_at else (here, further)"),
    Bug("a conditional expression the wrong way", LOGIC, "return then() if decided else orelse()", "return orelse() if decided else then()"),
    Bug("a chain that forgets its first link", LOGIC, "return and_(result, lambda: chain(right, *rest))", "return chain(right, *rest)"),
    # -- expressions -------------------------------------------------------------------------------------------
    Bug("operands swapped", SPELLING, 'return Code(f"{args[0].at(left)} {op.symbol} {args[1].at(right)}", level)', 'return Code(f"{args[1].at(left)} {op.symbol} {args[0].at(right)}", level)'),
    Bug("parentheses that are missing", SPELLING, 'left, right = (level + 1, level) if op.symbol == "**" else (level, level + 1)', 'left, right = (level + 1, level) if op.symbol == "**" else (level, level)'),
    Bug("a sign of zero that is lost", "ir/constants.py", "return left == right and math.copysign(1.0, left) == math.copysign(1.0, right)", "return left == right"),
    Bug("True for 1", COMMON, "return (type(value), value if type(value) in COMPARED else id(value))", "return value if type(value) in COMPARED else id(value)"),
    # -- effects and aliases -----------------------------------------------------------------------------------
    Bug("calls that are merged", COMMON, "        key = key_of(node, NOTHING_OUTSIDE)\n", MERGED + "        key = key_of(node, NOTHING_OUTSIDE)\n"),
    Bug("results that are merged though written", COMMON, "if not all(map(sharing.is_settled, values)) or not all(map(sharing.is_private, node.outputs)):", "if False:"),
    Bug("what may raise is hoisted", HOIST, "        or may_raise(node)\n", ""),
    Bug("what is written is hoisted", HOIST, "return all(map(sharing.is_settled, values)) and all(map(sharing.is_private, node.outputs))", "return True"),
    Bug("effects are hoisted", HOIST, "if _may_move(node, sharing, told) and", "if (_may_move(node, sharing, told) or node.op == 'call') and"),
    Bug("a NaN that is hoisted", HOIST, "        or told.any_of(node.outputs)\n", ""),
    Bug("a write that is dropped", ALIVE, "return is_ordered(node) or bool(written(node)) or raises", "return is_ordered(node) or raises"),
    Bug("an exception that is dropped", ALIVE, "return is_ordered(node) or bool(written(node)) or raises", "return is_ordered(node) or bool(written(node))"),
    Bug("an effect in a branch that is dropped", ALIVE, "return inside or (self._keep_errors and itself_may_raise(node))", "return self._keep_errors and itself_may_raise(node)"),
    Bug("what a loop carries is not needed", ALIVE, "index >= loop.breaks:", "index > loop.breaks:"),
    Bug("a write that sharing does not see", SHARING, "self._unsettled.update(changed)", "pass"),
    Bug("a view that shares nothing", SHARING, "self._join([*changed, *outputs] if is_fresh(node) else [*mutable, *outputs])", "self._join([*changed, *outputs])"),
    Bug("nothing is ever written", "ops/effects.py", "if op.overwrites is None and not op.writes:", "if op.overwrites is None:"),
    Bug("places written in one branch", MERGE, "return in_doubt(self.trace, key)", "return held[0]"),
    Bug("objects that a loop changes", CARRY, "        self._widen_objects(changes)\n", ""),
    Bug("state that a loop changes", CARRY, "        self._widen_slots(changes)\n", ""),
    Bug("1 carried for True", CARRY, "stays = is_one(self.trace, entry.value, result)", "stays = is_one(self.trace, entry.value, result) or (type(result) in (bool, int, float) and entry.value == result)"),
    # -- state -------------------------------------------------------------------------------------------------
    Bug("a stale float", STATE, "    float: _number,\n", "    float: lambda state, value, path: value,\n"),
    Bug("a stale write", PLACES, "        self.trace.journal.set_slot(slot, value)\n        if type(holder)", "        if type(holder)"),
    Bug("an unseen change of a list", PLACES, 'return any((of, "dirty") in slots for of in (id(namespace_of(owner)), *kinds))', "return False"),
    Bug("a length guarded too weakly", "guards/kinds.py", '({read(self.path)}) == {self.expected}"\n\n    def __str__(self) -> str:\n        return f"len(', '({read(self.path)}) <= {self.expected}"\n\n    def __str__(self) -> str:\n        return f"len('),
    Bug("a type guarded too weakly", "guards/conditions.py", 'return f"{pin(type, \'type\')}({code}) is {pin(cls, cls.__name__)}"', 'return "True"'),
    # -- classes, closures, exceptions, identity ---------------------------------------------------------------
    Bug("a variable of its own for each iteration of a comprehension", COMPREHENSIONS, "bound & (comprehension_names(node).captured | _read_elsewhere(node))", "bound & _read_elsewhere(node)"),
    Bug("Python's methods before those of built-in bases", "tracing/values/special_lookup.py", "return found[1] if isinstance(found[1], types.FunctionType) else IN_C", "if isinstance(found[1], types.FunctionType):\n            return found[1]"),
    Bug("a derived class that is not asked first", DISPATCH, "return [reflected, own] if first else [own, reflected]", "return [own, reflected]"),
    Bug("unequal where equality says so", DISPATCH, "trace.operators.not_(result) if attempt.negated else result", "result"),
    Bug("a cause that is lost", RAISING, "(error,) if cause is UNSET else (error, cause)", "(error,)"),
    Bug("attributes of exceptions that are lost", RAISING, 'record(trace, "call", (type(error), *error.args), fields)', 'record(trace, "call", (type(error), *error.args), {})'),
    Bug("two equal objects that are one", "tracing/external/value_identity.py", "return source is None or source != self.source(right)", "return False"),
    Bug("a NaN that is any NaN", "tracing/values/operands.py", "return same(left, right) and not is_nan(left) and", "return same(left, right) and"),
    Bug("a change in place that is not seen", ARITHMETIC, '    if name == "iadd":\n        loosen_by(trace, target, spec_at(trace, value))\n', ""),
    Bug("an operator called with other arguments than it takes", OP_CALLS, "return not kwargs and binds(signature_of(function), args, {})", "return True"),
    Bug("an operator as a function that changes a copy", ARITHMETIC, "    return trace.native(function, target, value)\n\n\ndef _inplace_tracer", "    return trace.native(function, type(target)(target), value)\n\n\ndef _inplace_tracer"),
    Bug("an attribute that stays missing", PLACES, "return found is UNKNOWN or doubt", "return found is UNKNOWN"),
    Bug("a compiled method that is another kind of object", HOOKS, "return None if found is None else (found[0], as_written(found[1]))", "return found"),
    # -- rewriting ---------------------------------------------------------------------------------------------
    Bug("an else of a loop that always runs", JUMPS, 'If(expression(f"not {new.stop}"), old.orelse, (), line)', 'If(expression("True"), old.orelse, (), line)'),
    Bug("a return that goes on", JUMPS, 'return (statement(f"{self.loops[-1].stop} = True", line),)', 'return (statement(f"{self.loops[-1].stop} = False", line),)'),
    Bug("a branch whose names are not live", FLOW, "return reads | branches[0] | branches[1]", "return reads | branches[0]"),
)  # fmt: skip
