"""Programs of the corpus rewritten for JAX: ``jax.numpy`` for ``numpy``, ``x = x.at[i].set(v)`` for ``x[i] = v``."""

from __future__ import annotations

import ast
import itertools
import linecache
import sys
import types
from typing import Any

import harness
import jax
import jax.numpy as jnp
import numpy as np

METHODS = {"Add": "add", "Sub": "subtract", "Mult": "multiply", "Div": "divide", "Pow": "power"}
_numbers = itertools.count()


class ToJax(ast.NodeTransformer):
    """Writes stores to items as updates; names of dicts and lists are left alone."""

    def __init__(self, containers: set[str]) -> None:
        self.containers = containers

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            if alias.name == "numpy":
                alias.name = "jax.numpy"
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Tuple):
            return self._unpacked(node)
        target = node.targets[0]
        if len(node.targets) > 1 or not self._is_store(target):
            return node
        return self._update(target, "set", node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        method = METHODS.get(type(node.op).__name__)
        return (
            self._update(node.target, method, node.value) if method and self._is_store(node.target) else node
        )

    def _is_store(self, target: ast.expr) -> bool:
        return (
            isinstance(target, ast.Subscript)
            and isinstance(target.value, ast.Name)
            and target.value.id not in self.containers
        )

    def _unpacked(self, node: ast.Assign) -> Any:
        """``a[i], a[j] = …``: all values first."""
        target = node.targets[0]
        assert isinstance(target, ast.Tuple)
        if not any(map(self._is_store, target.elts)):
            return node
        names = [f"held_{index}" for index in range(len(target.elts))]
        whole = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
        stores = [
            ast.Assign([one], ast.Name(name, ast.Load()))
            for one, name in zip(target.elts, names, strict=True)
        ]
        return [ast.Assign([whole], node.value), *map(self.visit_Assign, stores)]

    def _update(self, target: Any, method: str, value: ast.expr) -> ast.AST:
        array = ast.Name(target.value.id, ast.Load())
        place = ast.Subscript(ast.Attribute(array, "at", ast.Load()), target.slice, ast.Load())
        call = ast.Call(ast.Attribute(place, method, ast.Load()), [value], [])
        return ast.Assign([ast.Name(target.value.id, ast.Store())], call)


def containers_in(tree: ast.AST) -> set[str]:
    """Names that are bound to dicts and lists somewhere."""
    kinds = (ast.Dict, ast.List, ast.ListComp, ast.DictComp)
    return {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, kinds)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def load(name: str) -> types.ModuleType:
    """A fresh copy of a program, rewritten."""
    tree = ast.parse(harness.program_file(name).read_text())
    source = ast.unparse(ast.fix_missing_locations(ToJax(containers_in(tree)).visit(tree)))
    file = f"<jaxed {name} {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    module = types.ModuleType(f"program_{name}_{next(_numbers)}")
    sys.modules[module.__name__] = module
    exec(compile(source, file, "exec"), module.__dict__)
    return module


def to_jax(value: Any) -> Any:
    """Arguments with arrays of JAX for NumPy's arrays and scalars."""
    if isinstance(value, np.ndarray | np.generic):
        return jnp.asarray(value)
    if isinstance(value, jax.Array):
        return value
    if type(value) in (list, tuple):
        return type(value)(map(to_jax, value))
    return {key: to_jax(item) for key, item in value.items()} if type(value) is dict else value


def close(plain: Any, found: Any) -> bool:
    """Return whether results are the same but for the last bits of floats; JAX may make an array of a number."""
    number = int | float | complex | bool
    if isinstance(plain, jax.Array) or isinstance(found, jax.Array):
        if not all(isinstance(one, (jax.Array, np.ndarray, np.generic, number)) for one in (plain, found)):
            return False
        if jnp.shape(plain) != jnp.shape(found) or jnp.result_type(plain).kind != jnp.result_type(found).kind:
            return False
        return bool(np.allclose(np.asarray(plain), np.asarray(found), rtol=1e-4, atol=1e-5, equal_nan=True))
    if isinstance(plain, list | tuple):
        return type(plain) is type(found) and len(plain) == len(found) and all(map(close, plain, found))
    if isinstance(plain, float):
        return type(found) is float and bool(np.allclose(plain, found, rtol=1e-4, equal_nan=True))
    return harness.same(plain, found)
