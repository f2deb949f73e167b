"""``astrace save|inspect|verify`` and ``astrace run bundle``: graphs as bundles, from the command line.

Exit codes: 0 all is well, 1 a bundle was refused or a recorded example gives something else, 2 the command is wrong,
3 a target could not be loaded or captured.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
import traceback
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from astrace.errors import InvalidArgument, NotCaptured, SignatureMismatch
from astrace.integrations.cli_arguments import arguments
from astrace.integrations.cli_targets import find
from astrace.util.terminal import printable

if TYPE_CHECKING:
    from astrace.bundle.contents import ReadBundle
    from astrace.bundle.portable_graph import PortableGraph
    from astrace.pipelines.recorded import Recorded
    from astrace.pipelines.records import OperatorRecord

SAME, DIFFERENT, NOT_CAPTURED = 0, 1, 3
WIDTH: Final = 16
LONGEST_NUMBER: Final = 40
"""Characters of a recorded number that is shown as people write it."""
MOST_CONSTANTS: Final = 40


def add_command(commands: Any) -> None:
    """Add the commands to those of a parser."""
    save = _command(commands, "save", "capture a function and save it as a bundle", _save)
    save.add_argument("target", help="pkg.mod:function or file.py:function")
    example = (
        "a call, such as '[1.0, 2.0], 3' or 'float64[100]'; lists of numbers are arrays; the first is captured,"
        " all are recorded"
    )
    save.add_argument("--args", action="append", default=[], metavar="LITERALS", help=example)
    save.add_argument(
        "-o", "--output", required=True, metavar="PATH", help="where to: a folder, or a file .zip"
    )
    inspect = _command(commands, "inspect", "show what is in a bundle", _inspect)
    inspect.add_argument("bundle", help="the bundle")
    verify = _command(commands, "verify", "check a bundle, and make its recorded calls again", _verify)
    verify.add_argument("bundle", help="the bundle")
    verify.add_argument("--allow-empty", action="store_true", help="exit with 0 where no calls are recorded")
    _add_operators(verify)


def _command(commands: Any, name: str, what: str, run: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=f"{what.capitalize()}."
    )
    parser.set_defaults(run=run)
    return parser


def _add_operators(parser: argparse.ArgumentParser) -> None:
    what = "an operator, a list of them, or a dict by name, for bundles that need some: pkg.mod:NAME; the module is imported; may be given several times"
    parser.add_argument("--operators", metavar="TARGET", action="append", default=[], help=what)


# -- save --------------------------------------------------------------------------------------------------


def _save(options: argparse.Namespace) -> int:
    """The command ``save``."""
    from astrace.api.trace import trace

    found = find(options.target)
    function, calls = found.value, [arguments(text, found.module) for text in options.args]
    if not callable(function) or isinstance(function, type):
        raise InvalidArgument(f"save: {options.target} is no function; write pkg.mod:function")
    if not calls:
        raise InvalidArgument("save: give an example call with --args; '' is a call without arguments")
    _check_calls(function, calls)
    try:
        graph = trace(function, *calls[0])
    except NotCaptured as error:
        print(f"astrace: save: {options.target} can't be captured whole\n  {error}", file=sys.stderr)
        return NOT_CAPTURED
    graph.save(options.output, examples=calls)
    print(f"saved {printable(graph.name)} to {options.output} ({_size(_total(Path(options.output)))})")
    return SAME


def _check_calls(function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> None:
    """Make sure that example calls fit a function.

    Raises:
        InvalidArgument: one does not.
    """
    from astrace.compiler.target import Target

    target = Target.of(function)
    for call in calls:
        try:
            target.example("save: --args", call, {})
        except TypeError as error:
            raise InvalidArgument(str(error)) from None


def _total(path: Path) -> int:
    return (
        path.stat().st_size
        if path.is_file()
        else sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    )


# -- inspect -----------------------------------------------------------------------------------------------


def _inspect(options: argparse.Namespace) -> int:
    """The command ``inspect``."""
    from astrace.bundle.load import read

    bundle = read(options.bundle, unmade=True)
    print("\n".join(described(options.bundle, bundle)))
    return SAME


def described(path: str, bundle: ReadBundle) -> Iterator[str]:
    """What ``inspect`` says of a bundle, line by line."""
    manifest, graph = bundle.manifest, bundle.graph
    size = sum(member.size for member in manifest.members.values())
    yield _row("bundle", f"{path} ({len(manifest.members) + 1} files, {_size(size)})")
    yield _row("function", f"{manifest.name}{manifest.signature}")
    yield _row("made with", ", ".join(f"{name} {version}" for name, version in manifest.versions.items()))
    yield _row("examples", f"{len(bundle.examples)} recorded")
    if manifest.standalone.startswith("none"):
        yield _row("standalone.py", manifest.standalone)
    if bundle.metadata:
        yield _row("metadata", ", ".join(map(str, bundle.metadata)))
    needed = [row["name"] for row in manifest.required_operators]
    if needed:
        yield _row("needs operators", ", ".join(needed))
    yield from _list("operators", map(_operator, bundle.pipeline.operators))
    yield from _list(
        "files of operators",
        (f"{row.get('name')} of {', '.join(row.get('of', []))}: {row['member']}" for row in manifest.assets),
    )
    yield from _list("expects", map(str, graph.guards))
    yield from _list("operations", _counted(bundle))
    yield from _list("constants", _constants(bundle))
    yield from _list("taken for granted", map(str, manifest.taken_for_granted))
    yield from _list(
        "files", (f"{member.size:>12,}  {name}" for name, member in sorted(manifest.members.items()))
    )


def _operator(record: OperatorRecord) -> str:
    """What ``inspect`` says of an operator: how it is made again."""
    words = (f"{one.parameter}={_argument(one.value)}" for one in record.arguments)
    arguments = f"({', '.join(words)})" if record.kind == "class" else ""
    return f"{record.name} = {record.target}{arguments}"


def _argument(value: Recorded) -> str:
    if value.kind in ("record", "estimator"):
        return f"<{value.value}>"
    if value.kind in ("shared", "model") and value.items:
        return _argument(value.items[0])
    if value.kind == "layer":
        return f"<torch.nn.{value.value}>"
    if value.kind in ("int", "float"):
        return _number(value.kind, str(value.value))
    if value.items or value.kind in ("array", "scalar", "asset"):
        return f"<{value.kind}>"
    return (
        repr(value.value)
        if value.kind == "str"
        else str(value.value if value.value is not None else value.kind)
    )


def _number(kind: str, text: str) -> str:
    """A number as people write it, if it is one and a short one."""
    try:
        known = int(text, 16) if kind == "int" else float.fromhex(text)
        return str(known) if len(text) < LONGEST_NUMBER else text
    except (ValueError, OverflowError):
        return text


def _row(name: str, text: str) -> str:
    return f"{name:<{WIDTH}}{printable(text)}"


def _list(title: str, rows: Iterator[str]) -> Iterator[str]:
    found = list(rows)
    if found:
        yield title
        yield from (f"  {printable(row)}" for row in found)


def _counted(bundle: ReadBundle) -> Iterator[str]:
    from astrace.ir.walk import nodes

    counts = Counter(node.op for node in nodes(bundle.graph.block))
    yield from (
        f"{count:>6}  {op}" for op, count in sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    )


def _constants(bundle: ReadBundle) -> Iterator[str]:
    """The constants that are no literals, with their origin."""
    from astrace.ir.constants import show
    from astrace.ir.walk import constants

    found = dict.fromkeys([*(bundle.graph.frozen or ()), *constants(bundle.graph.block)])
    told = [one for one in found if one.origin.kind != "literal"]
    for one in told[:MOST_CONSTANTS]:
        where = one.origin.location
        line = "" if where is None else f", {where.file}:{where.line}"
        path, value = one.origin.path or "?", show(one.value)
        folded = one.origin.kind == "folded"
        yield (
            f"{value} from {path}  (folded{line})"
            if folded
            else f"{path} = {value}  ({one.origin.kind}{line})"
        )
    if len(told) > MOST_CONSTANTS:
        yield f"and {len(told) - MOST_CONSTANTS} more"


# -- verify and run ----------------------------------------------------------------------------------------


def _verify(options: argparse.Namespace) -> int:
    """The command ``verify``."""
    from astrace.bundle.codes import refused
    from astrace.bundle.verify import differences

    graph = _loaded(options.bundle, options.operators)
    found = differences(graph)
    for one in found:
        print(f"{options.bundle}: {printable(one)}")
    if not graph.examples and not options.allow_empty:
        hint = "record some: graph.save(path, examples=[...])"
        raise refused("AB302", f"{options.bundle} records no calls, so that none was made again", hint)
    if not found:
        print(f"{options.bundle}: whole; {len(graph.examples)} recorded calls give the same to the bit")
    return DIFFERENT if found else SAME


def _loaded(path: str, targets: Sequence[str]) -> PortableGraph:
    """The graph of a bundle, with the operators that all targets name."""
    from astrace.bundle.load import load

    passed: dict[str, Any] = {}
    for target in targets:
        passed |= _operators_of(target)
    return load(path, operators=passed)


def _operators_of(target: str) -> dict[str, Any]:
    """What a target names, by name.

    Raises:
        InvalidArgument: it is no operator, nor several.
    """
    found: Any = find(target).value
    if isinstance(found, Mapping):
        return dict(found)
    several = [found] if isinstance(found, type | types.FunctionType) else found
    if not isinstance(several, list | tuple):
        message = f"--operators: {target} is neither an operator, nor a list of them, nor a dict by name"
        raise InvalidArgument(message)
    return {f"{getattr(one, '__module__', '')}.{getattr(one, '__qualname__', '')}": one for one in several}


def run_bundle(path: str, words: Sequence[str]) -> int:
    """The command ``run`` for a bundle: call it and print what it returns.

    Args:
        path: the bundle.
        words: what follows it on the command line.

    Raises:
        InvalidArgument: the words are not understood, or there is nothing at the path.
    """
    if not os.path.lexists(path):
        raise InvalidArgument(f"run: there is no bundle {path!r}")
    parser = argparse.ArgumentParser(
        prog="astrace run bundle", description="Call a graph and print the result."
    )
    parser.add_argument("--args", metavar="LITERALS", help="the arguments of the call")
    _add_operators(parser)
    options = parser.parse_args(words)
    given = arguments(options.args or "")
    graph = _loaded(path, options.operators)
    parameters = list(graph.signature.parameters.values())[len(graph.first) :]
    needed = [one.name for one in parameters if _is_needed(one)]
    if options.args is None and needed:
        raise InvalidArgument(f"run: {path} is called with {', '.join(needed)}: give them with --args")
    try:
        result = graph(*given)
    except SignatureMismatch as error:
        raise InvalidArgument(error.message) from None
    except Exception as error:  # the graph's own, told as Python tells it
        sys.stderr.writelines(traceback.format_exception_only(error))
        return DIFFERENT
    print(repr(result))
    return SAME


def _is_needed(parameter: inspect.Parameter) -> bool:
    """Return whether each call has to give an argument for a parameter."""
    is_one = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return is_one and parameter.default is parameter.empty


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1e6:,.2f} MB"
