"""``break``, ``continue`` and ``return`` made structural: no statement jumps afterwards.

Two moves, in the order of preference (they are AutoGraph's idea, done in one walk):

* **nest**: what follows an ``if`` with a branch that always leaves moves into the other branch, so the
  common early exit needs no flag;
* **flag**: where a statement may or may not leave, the jump sets a flag and what follows is put under
  ``if not flag``.

A ``finally`` that jumps takes the place of whatever was on its way, an exception or another jump; it is written
out twice, as a handler and behind the body.  An exception that is raised on the way of a jump, by a ``finally`` or at
the end of a ``with``, takes its place, too: who catches it unsets the flags.

Afterwards ``return`` stands only where the function ends, and a loop that can be left names its flag.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from astrace.rewrite.conditions import Fresh
from astrace.rewrite.desugar import map_bodies
from astrace.rewrite.statements import (
    Body,
    Define,
    For,
    Function,
    Handler,
    If,
    Jump,
    Plain,
    Return,
    Statement,
    Try,
    While,
    With,
    assignment,
    expression,
    statement,
)


def lower_jumps(function: Function, fresh: Fresh) -> Function:
    """A function without ``break`` and ``continue``, whose ``return`` statements stand at its end.

    Args:
        function: a desugared function.
        fresh: gives names that the function does not use.
    """
    return replace(function, body=_function(function.body, function.code.lineno, fresh))


def _function(body: Body, line: int, fresh: Fresh) -> Body:
    """Lower the body of one function; nested functions are lowered on their own."""
    scope = _Scope(fresh)
    lowered = _ended(scope.lower(body, "return"), line)
    first = 1 if body and _is_docstring(body[0]) else 0
    return (*lowered[:first], *scope.prologue(line), *lowered[first:])


def _is_docstring(statement: Statement) -> bool:
    match statement:
        case Plain(code=ast.Expr(value=ast.Constant(value=str()))):
            return True
        case _:
            return False


def _ended(body: Body, line: int) -> Body:
    return body if leaves(body) else (*body, Return(expression("None"), body[-1].line if body else line))


def exits(body: Body) -> set[str]:
    """The kinds of jump by which a body may be left: ``break``, ``continue``, ``return``."""
    return {kind for statement in body for kind in _exits(statement)}


def _exits(statement: Statement) -> set[str]:
    match statement:
        case Return():
            return {"return"}
        case Jump():
            return {statement.kind}
        case If():
            return exits(statement.then) | exits(statement.orelse)
        case While() | For():
            return (exits(statement.body) & {"return"}) | exits(statement.orelse)
        case With():
            return exits(statement.body)
        case Try():
            handled = (kind for handler in statement.handlers for kind in exits(handler.body))
            return exits(statement.body) | exits(statement.orelse) | exits(statement.final) | set(handled)
        case _:
            return set()


def _overtaken(body: Body) -> set[str]:
    """Return the jumps out of a body that run code on their way, which may raise: ``finally``, the end of ``with``."""
    found: set[str] = set()
    for one in body:
        match one:
            case With():
                found |= exits(one.body)
            case Try():
                handled = [handler.body for handler in one.handlers]
                parts = [one.body, one.orelse, *handled]
                found |= {kind for part in parts for kind in (exits(part) if one.final else _overtaken(part))}
            case If():
                found |= _overtaken(one.then) | _overtaken(one.orelse)
            case While() | For():
                found |= (_overtaken(one.body) & {"return"}) | _overtaken(one.orelse)
            case _:
                pass
    return found


def leaves(body: Body) -> bool:
    """Return whether the end of a body is never reached."""
    if not body:
        return False
    match body[-1]:
        case Return() | Jump():
            return True
        case If() as last:
            return leaves(last.then) and leaves(last.orelse)
        case Plain() as last:
            return isinstance(last.code, ast.Raise)
        case _:
            return False


@dataclass(slots=True)
class _Loop:
    """The flags of the loop whose body is being lowered.

    Args:
        stop: the name of the flag that ends the loop.
        skip: the name of the flag that ends the iteration.
        mixed: it may be left both by ``break`` and by ``return``, so ``stop`` does not tell them apart.
        stops: ``stop`` is used.
        skips: ``skip`` is used.
    """

    stop: str
    skip: str
    mixed: bool
    stops: bool = False
    skips: bool = False


@dataclass(slots=True)
class _Scope:
    """The flags of one function, and what is around the place being lowered.

    Args:
        fresh: gives unused names.
        loops: the loops around, innermost last.
        protected: how many ``with`` and ``try`` statements are around.
        returned: the name of the flag that a ``return`` was reached, if it is used.
        result: the name that holds the value to return, if it is used.
        falls_off: the function may also end without a value.
        pending: the kinds of jump that the ``finally`` being lowered may take the place of.
    """

    fresh: Fresh
    loops: list[_Loop] = field(default_factory=list[_Loop])
    protected: int = 0
    returned: str = ""
    result: str = ""
    falls_off: bool = False
    pending: frozenset[str] = frozenset()

    def prologue(self, line: int) -> Body:
        """The flags' first values, if any flag is used."""
        flag = (statement(f"{self.returned} = False", line),) if self.returned else ()
        start = "None" if self.falls_off else "ag.UNSET"
        return (*flag, statement(f"{self.result} = {start}", line)) if self.result else flag

    def lower(self, body: Body, end: str) -> Body:
        """Lower a body.

        Args:
            body: statements that may jump.
            end: what reaching the end means: ``return`` (the function ends), ``continue`` (the iteration ends) or
                ``next`` (something follows).
        """
        done: list[Statement] = []
        rest = body
        while rest:
            first, rest = _nest(rest[0], () if isinstance(rest[0], Return | Jump) else rest[1:])
            done.extend(self._statement(first, "next" if rest else end))
            kinds = _exits(first)
            if isinstance(first, Return | Jump):
                break
            if isinstance(first, While | For):
                rest = self._after_loop(first, done[-1], rest, end)
            elif kinds and not _is_tail(done[-1]):
                done.extend(self._guarded(kinds, rest, end, first.line))
                break
        return tuple(done)

    def _statement(self, old: Statement, end: str) -> Body:
        match old:
            case Return():
                return (old,) if end == "return" else self._return(old)
            case Jump():
                return self._jump(old, end)
            case If():
                return (self._if(old, end),)
            case While() | For():
                return (self._loop(old),)
            case Define():
                return (replace(old, body=_function(old.body, old.line, self.fresh)),)
            case Try() if exits(old.final):
                return self._jumping_final(old)
            case _:
                self.protected += 1
                lowered = map_bodies(old, lambda body: self.lower(body, "next"))
                self.protected -= 1
                return self._caught(old, lowered)

    def _caught(self, old: Statement, new: Statement) -> Body:
        """A lowered ``try`` or ``with``: an exception that it catches takes the place of a jump that was on its way."""
        unset = self._unset(_overtaken(old.body), old.line) if isinstance(old, Try | With) else ()
        match new:
            case Try() if unset:
                handlers = (replace(one, body=(*unset, *one.body)) for one in new.handlers)
                return (replace(new, handlers=tuple(handlers)),)
            case With() if unset:
                failed, line = self.fresh("failed"), new.line
                body = (*new.body, statement(f"{failed} = False", line))
                after = If(expression(failed), unset, (), line)
                return (statement(f"{failed} = True", line), replace(new, body=body), after)
            case _:
                return (new,)

    def _unset(self, kinds: set[str], line: int) -> Body:
        """Unset the flags of jumps of some kinds."""
        flags = [self._returned()] if "return" in kinds else []
        if self.loops and kinds - {"continue"}:
            flags.append(self.loops[-1].stop)
            self.loops[-1].stops = True
        if "continue" in kinds:
            flags.append(self.loops[-1].skip)
            self.loops[-1].skips = True
        return tuple(statement(f"{flag} = False", line) for flag in flags)

    def _jumping_final(self, old: Try) -> Body:
        """Lower ``try: body finally: final`` where ``final`` may jump, which ends any exception or other jump."""
        line, failed = old.line, self.fresh("failed")
        self.protected += 1
        body = self.lower(old.body, "next")
        outer, self.pending = self.pending, self.pending | exits(old.body)
        handler = self.lower((*old.final, statement("raise", line)), "next")
        final = self.lower(old.final, "next")
        self.protected, self.pending = self.protected - 1, outer
        caught = Handler(None, None, (statement(f"{failed} = True", line), *handler), line)
        attempt = Try(body, (caught,), (), (), line, old.comments)
        normally = If(expression(f"not {failed}"), final, (), line)
        return (statement(f"{failed} = False", line), attempt, normally)

    def _if(self, old: If, end: str) -> If:
        tail = end == "return" and "return" in _exits(old)
        then, orelse = self.lower(old.then, end), self.lower(old.orelse, end)
        if tail:
            then, orelse = _ended(then, old.line), _ended(orelse, old.line)
        return replace(old, then=then, orelse=orelse, tail=tail)

    def _return(self, old: Return) -> Body:
        """A ``return`` that is not where the function ends: remember the value, set the flags."""
        remember = assignment(self._result(), old.value, old.line, old.comments)
        flagged = not self.loops or self.protected or any(loop.mixed for loop in self.loops)
        flag = (statement(f"{self._returned()} = True", old.line),) if flagged else ()
        return (remember, *flag, *self._stop(old.line))

    def _result(self) -> str:
        self.result = self.result or self.fresh("result")
        return self.result

    def _returned(self) -> str:
        self.returned = self.returned or self.fresh("returned")
        return self.returned

    def _stop(self, line: int) -> Body:
        """Leave the loop around, if there is one."""
        if not self.loops:
            return ()
        self.loops[-1].stops = True
        return (statement(f"{self.loops[-1].stop} = True", line),)

    def _jump(self, old: Jump, end: str) -> Body:
        if old.kind == "leave":  # the flags are set already
            return ()
        instead = self._take_back(old)
        if old.kind == "break":
            return (*instead, *self._stop(old.line))
        if end == "continue":
            return ()
        self.loops[-1].skips = True
        return (*instead, statement(f"{self.loops[-1].skip} = True", old.line))

    def _take_back(self, jump: Jump) -> Body:
        """Unset the flags of the jumps that one in a ``finally`` takes the place of."""
        flags = [self._returned()] if "return" in self.pending else []
        if jump.kind == "continue" and self.pending - {"continue"}:
            flags.append(self.loops[-1].stop)
            self.loops[-1].stops = True
        return tuple(statement(f"{flag} = False", jump.line) for flag in flags)

    def _loop(self, old: While | For) -> Statement:
        loop = _Loop(self.fresh("stop"), self.fresh("skip"), {"break", "return"} <= exits(old.body))
        self.loops.append(loop)
        outer, self.pending = self.pending, frozenset()
        body = self.lower(old.body, "continue")
        self.pending = outer
        self.loops.pop()
        flags = [(loop.skip, loop.skips), (loop.stop, loop.stops)]
        starts = tuple(statement(f"{name} = False", old.line) for name, used in flags if used)
        return replace(old, body=(*starts, *body), orelse=(), stop=loop.stop if loop.stops else None)

    def _after_loop(self, old: While | For, new: Statement, rest: Body, end: str) -> Body:
        """Return the statements after a loop: its ``else``, and leaving for a ``return`` in it."""
        assert isinstance(new, While | For)
        line = old.line
        if old.orelse and new.stop is not None:
            rest = (If(expression(f"not {new.stop}"), old.orelse, (), line), *rest)
        elif old.orelse:
            rest = (*old.orelse, *rest)
        kinds = exits(old.body)
        if "return" not in kinds:
            return rest
        flag = self._returned() if "break" in kinds or new.stop is None else new.stop
        if end == "return":
            self.falls_off = self.falls_off or not rest
            leave: Body = (Return(expression(self._result()), line),)
        elif self.loops:
            leave = (*self._stop(line), Jump("leave", line))
        else:
            leave = (statement(f"{self._returned()} = True", line), Jump("leave", line))
        return (If(expression(flag), leave, (), line), *rest)

    def _guarded(self, kinds: set[str], rest: Body, end: str, line: int) -> Body:
        """Lower the statements after one that may have left."""
        if end == "return":
            self.falls_off = self.falls_off or not rest
            leave = If(expression(self._returned()), (Return(expression(self._result()), line),), (), line)
            return self.lower((leave, *rest), end)
        if not rest:
            return ()
        flags = " or ".join(self._flags(kinds))
        return (If(expression(f"not ({flags})"), self.lower(rest, end), (), line),)

    def _flags(self, kinds: set[str]) -> list[str]:
        """The flags that say whether a statement left by any of ``kinds``."""
        flags = [self.loops[-1].skip] if "continue" in kinds else []
        if kinds - {"continue"}:
            flags.append(self.loops[-1].stop if self.loops else self._returned())
        return flags


def _is_tail(statement: Statement) -> bool:
    return isinstance(statement, If) and statement.tail


def _nest(first: Statement, rest: Body) -> tuple[Statement, Body]:
    """Move the statements after an ``if`` into the branch that continues, where the other always leaves."""
    if not isinstance(first, If) or not rest or not _exits(first):
        return first, rest
    if leaves(first.then):
        follow = () if leaves(first.orelse) else rest
        return replace(first, orelse=(*first.orelse, *follow)), ()
    if leaves(first.orelse):
        return replace(first, then=(*first.then, *rest)), ()
    return first, rest
