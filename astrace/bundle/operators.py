"""Operators in bundles: how each was made, as data, with the files that it was made from; and operators made again from that.

A bundle holds no code: the classes and functions come from the loading program, by name.  The files lie in the bundle under
their hashes.  Where the bundle is a folder, a path that an operator is made from leads into it; from a zip file, and where
a name is none that every system has, files are put into a folder that lasts as long as the process.
"""

from __future__ import annotations

import io
import types
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from astrace.bundle.codec.json_text import dumps
from astrace.bundle.codec.node_rules import UnmadeOperator
from astrace.bundle.codec.npy import described, file_of
from astrace.bundle.codec.safetensors import weights_file
from astrace.bundle.codes import broken, refused
from astrace.bundle.files.asset_store import AssetStore
from astrace.bundle.operator_data import (
    OPERATORS_MEMBER,
    NamedFiles,
    array_member,
    asset_members,
    manifest_rows,
    rows_of,
    weights_member,
)
from astrace.pipelines.assets import AssetFile, Assets, check_folder
from astrace.pipelines.records import OperatorRecord, PipelineRecord, recreated, wanted
from astrace.pipelines.remade import changed_operator
from astrace.pipelines.views import overlapping_arguments


def builtin_operators(records: Iterable[OperatorRecord]) -> dict[str, Any]:
    """Return astrace's own operators, which need not be passed, where records name some."""
    if not any(one.kind == "builtin" for one in records):
        return {}
    from astrace.pipelines.pmap import pmap  # it loads much that other bundles have no use for

    return {f"{pmap.__module__}.{pmap.__qualname__}": pmap}


# -- writing -----------------------------------------------------------------------------------------------


def operator_members(pipeline: PipelineRecord) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """The members of a graph's operators, and what the manifest says of their files.

    Raises:
        BundleError: an operator can't be made again.
        AssetError: a file was changed since it was captured.
    """
    if not pipeline.operators:
        return {}, []
    for one in pipeline.operators:
        if one.problem:
            raise refused("AB203", f"the operator {one.name} can't be saved: {one.problem}", HINT)
    _refuse_namesakes(pipeline)
    named = NamedFiles.by(pipeline.operators)
    held = Assets(tuple(one for one in pipeline.assets if one.place in named.assets), pipeline.assets.uses)
    found: dict[str, bytes] = {}
    for asset in held:
        members = asset_members(asset)
        found |= {members[one.path]: _content(one) for one in asset.files}
    for use in held.uses:
        if use.key in {one.key for one in held}:
            check_folder(held[use.key], use.path, use.asked)
    _refuse_changed(pipeline)  # with its files as they were captured
    arrays: dict[str, Any] = {}
    for key in named.arrays:
        array = pipeline.bulk.arrays[key]
        arrays[key] = described(array)
        found[array_member(key)] = file_of(array, arrays[key])
    weights = {key: pipeline.bulk.weights[key] for key in named.weights}
    found |= {weights_member(key): weights_file(one) for key, one in weights.items()}
    written = replace(pipeline, assets=held, bulk=replace(pipeline.bulk, weights=weights))
    return {OPERATORS_MEMBER: dumps(rows_of(written, arrays)), **found}, manifest_rows(written)


HINT: Final = (
    "make its class an operator with astrace.script, and give its constructor data, files and operators"
)
CHANGED_HINT: Final = (
    "give the constructor all that it is made of, and change nothing of that or of a model afterwards"
)


VIEW_HINT: Final = (
    "give both the whole array, and take the part of it in the constructor; "
    "of an array that nobody changes a.flags.writeable = False says so"
)


def _refuse_changed(pipeline: PipelineRecord) -> None:
    """Refuse operators that would come back as other ones.

    Raises:
        BundleError: there are some.
    """
    for found, hint in ((overlapping_arguments, VIEW_HINT), (changed_operator, CHANGED_HINT)):
        changed = found(pipeline)
        if changed is not None:
            name, what = changed
            raise refused("AB203", f"the operator {name} can't be saved: {what}", hint)


def _refuse_namesakes(pipeline: PipelineRecord) -> None:
    """Refuse different classes, or functions, of one name: made in a function that was called twice, defined anew.

    Raises:
        BundleError: there are some, and who loads the bundle could not tell them apart.
    """
    targets = {one.name: one.target for one in pipeline.operators}
    known: dict[str, tuple[str, Any]] = {}
    for name, value in pipeline.names.values():
        code = value if isinstance(value, types.FunctionType) else type(value)
        first, other = known.setdefault(targets[name], (name, code))
        if other is not code:
            message = f"the operators {first} and {name} are different ones that are both called {targets[name]!r:.80}"
            raise refused("AB203", message, "give them different names: set __qualname__")


def _content(file: AssetFile) -> bytes:
    target = io.BytesIO()
    file.copy_to(target)
    return target.getvalue()


# -- reading -----------------------------------------------------------------------------------------------


def make_operators(pipeline: PipelineRecord, given: Any, store: AssetStore) -> PipelineRecord:
    """Make the operators of a bundle again.

    Args:
        pipeline: their records.
        given: what the loading program passes: classes and functions, alone or by name.
        store: gives the paths of the files.

    Returns:
        The records with the operators, and with the files where they lie now.

    Raises:
        BundleError: some are missing; or the records are broken.
    """
    ready = {one.name: given[one.name] for one in pipeline.operators if _is_made(one.name, given)}
    records = [one for one in pipeline.operators if one.name not in ready]
    classes = _found(wanted(records), given) | builtin_operators(records)
    try:
        made = recreated(records, classes, store.path_of, pipeline.bulk, ready)
    except (LookupError, TypeError, ValueError) as error:
        if not _is_own(error):
            raise
        raise broken("AB111", f"an operator can't be made again: {error}") from None
    names = {id(value): (name, value) for name, value in made.items()}
    bulk = replace(pipeline.bulk, classes=classes)
    return PipelineRecord(pipeline.operators, store.assets(pipeline.assets), bulk, names, tuple(ready))


def unmade_operators(pipeline: PipelineRecord) -> PipelineRecord:
    """The records with something that stands for each operator."""
    made = [(one.name, UnmadeOperator()) for one in pipeline.operators]
    return replace(pipeline, names={id(value): (name, value) for name, value in made})


def _is_own(error: BaseException) -> bool:
    """Return whether an exception comes from the records, not from a constructor of the program's."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or trace.tb_frame.f_globals.get("__name__", "").startswith("astrace.pipelines.")


def _is_made(name: str, given: Any) -> bool:
    """Return whether the program passes an operator itself, by its name in the graph."""
    return isinstance(given, Mapping) and name in given and not isinstance(given[name], type)


def _found(names: Iterable[str], given: Any) -> dict[str, Any]:
    """The classes and functions that are wanted, by qualified name.

    Raises:
        BundleError: some are missing; all of them are listed.
    """
    passed = _by_name(given)
    labels = given if isinstance(given, Mapping) else {}
    found = {name: labels[name] if name in labels else _match(name, passed) for name in names}
    missing = [name for name, value in found.items() if value is None]
    if missing:
        listed = ", ".join(f"{name!r:.80}" for name in missing[:20])
        last = missing[0].rpartition(".")[2]
        hint = f"pass them: astrace.load(path, operators=[{last}, ...]), on the command line --operators pkg.mod:NAME"
        raise broken("AB115", f"the bundle needs the operators {listed}", hint)
    return found


def require(names: Iterable[str], given: Any) -> None:
    """Refuse a bundle that needs operators which were not passed.

    Raises:
        BundleError: it does; all that are missing are listed.
    """
    made = (
        [name for name, value in given.items() if not isinstance(value, type)]
        if isinstance(given, Mapping)
        else []
    )
    if not made:  # else the records tell which classes are not needed
        _found(names, given)


def _by_name(given: Any) -> dict[str, list[Any]]:
    """What the program passes, by its qualified name, its own name, and the name that the program has for it."""
    pairs = list(given.items()) if isinstance(given, Mapping) else [("", one) for one in given]
    found: dict[str, list[Any]] = {}
    for label, value in pairs:
        qualified = str(getattr(value, "__qualname__", ""))
        full = f"{getattr(value, '__module__', '')}.{qualified}"
        for name in dict.fromkeys((label, full, qualified, str(getattr(value, "__name__", "")))):
            found.setdefault(name, []).append(value)
    return found


def _match(name: str, passed: Mapping[str, list[Any]]) -> Any:
    """What is passed for a qualified name: by all of it, or by its last parts where only one thing has these.

    Raises:
        BundleError: several things have all of it.
    """
    parts = name.split(".")
    for first in range(len(parts)):
        values = passed.get(".".join(parts[first:]), [])
        if values and all(one is values[0] for one in values):
            return values[0]
        if values and first == 0:
            hint = f"pass the one that is meant by this name: operators={{{name!r}: ...}}"
            raise broken("AB115", f"several of the operators that were passed are called {name!r:.80}", hint)
    return None
