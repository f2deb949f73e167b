"""Operators in bundles: how each was made, as data, with the files that it was made from; and operators made again from that.

A bundle holds no code: the classes and functions come from the loading program, by name.  The files lie in the bundle under
their hashes.  Where the bundle is a folder, a path that an operator is made from leads into it; from a zip file, and where
a name is none that every system has, files are put into a folder that lasts as long as the process.
"""

from __future__ import annotations

import io
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from astrace.bundle.codec.json_text import dumps, loads
from astrace.bundle.codec.node_rules import UnmadeOperator
from astrace.bundle.codec.npy import array_of, described, file_of
from astrace.bundle.codec.safetensors import weights_file, weights_of
from astrace.bundle.codes import broken, refused
from astrace.bundle.files.asset_store import AssetStore
from astrace.bundle.files.members import name_fault
from astrace.bundle.limits import LARGEST_JSON
from astrace.pipelines.assets import Asset, AssetFile, Assets
from astrace.pipelines.plain_data import Recorded
from astrace.pipelines.recorded import Bulk
from astrace.pipelines.records import (
    NOTHING_RECORDED,
    OperatorRecord,
    PipelineRecord,
    RecordedArgument,
    recreated,
    wanted,
)
from astrace.pipelines.remade import changed_operator

OPERATORS_MEMBER: Final = "operators.json"
ASSETS_FOLDER: Final = "assets"


def builtin_operators(records: Iterable[OperatorRecord]) -> dict[str, Any]:
    """Return astrace's own operators, which need not be passed, where records name some."""
    if not any(one.kind == "builtin" for one in records):
        return {}
    from astrace.pipelines.pmap import pmap  # it loads much that other bundles have no use for

    return {f"{pmap.__module__}.{pmap.__qualname__}": pmap}


def member_of(asset: Asset, file: AssetFile) -> str:
    """The member that holds a file: under its own name, where every system can have that."""
    name = f"{ASSETS_FOLDER}/{asset.place_of(file)}"
    return f"{ASSETS_FOLDER}/{file.sha256}/content" if name_fault(name) else name


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
    found: dict[str, bytes] = {}
    rows: list[dict[str, Any]] = []
    for asset in pipeline.assets:
        for file in asset.files:
            name = member_of(asset, file)
            found[name] = _content(file)
            users = sorted(
                {f"{use.operator}({use.parameter})" for use in pipeline.assets.uses if use.key == asset.key}
            )
            rows.append({"member": name, "name": asset.place_of(file).partition("/")[2], "of": users})
    _refuse_changed(pipeline)  # with its files as they were captured
    arrays: dict[str, Any] = {}
    for key, array in pipeline.bulk.arrays.items():
        arrays[key] = described(array)
        found[f"operators/{key}.npy"] = file_of(array, arrays[key])
    for key, weights in pipeline.bulk.weights.items():
        found[_weights_member(key)] = weights_file(weights)
    told: set[int] = set()
    data = {
        "operators": [_row(one, told) for one in pipeline.operators],
        "assets": [_asset_row(one) for one in pipeline.assets],
        "arrays": arrays,
        "weights": sorted(pipeline.bulk.weights),
    }
    return {OPERATORS_MEMBER: dumps(data), **found}, rows


def _weights_member(key: str) -> str:
    return f"operators/{key}.safetensors"


HINT: Final = (
    "make its class an operator with astrace.script, and give its constructor data, files and operators"
)
CHANGED_HINT: Final = (
    "give the constructor all that it is made of, and change nothing of that or of a model afterwards"
)


def _refuse_changed(pipeline: PipelineRecord) -> None:
    """Refuse operators that would come back as other ones.

    Raises:
        BundleError: there are some.
    """
    changed = changed_operator(pipeline)
    if changed is not None:
        name, what = changed
        raise refused("AB203", f"the operator {name} can't be saved: {what}", CHANGED_HINT)


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


def _row(one: OperatorRecord, told: set[int]) -> list[Any]:
    arguments = [[given.parameter, given.keyword, given.value.to_json(told)] for given in one.arguments]
    state = None if one.state is None else one.state.to_json(told)
    return [one.name, one.target, one.kind, arguments, state]


def _asset_row(one: Asset) -> list[Any]:
    files = [[file.path, file.sha256, file.size, member_of(one, file)] for file in one.files]
    return [one.key, one.name, files, None if one.folders is None else list(one.folders)]


# -- reading -----------------------------------------------------------------------------------------------


def read_records(
    read: Callable[[str], bytes], names: Mapping[str, Any]
) -> tuple[PipelineRecord, dict[str, str]]:
    """The records of a bundle's operators, and the member of each file by its place.

    Args:
        read: gives a member, checked.
        names: the members that there are.

    Raises:
        BundleError: they are not as astrace writes them.
    """
    if OPERATORS_MEMBER not in names:
        return NOTHING_RECORDED, {}
    try:
        data = loads(read(OPERATORS_MEMBER), OPERATORS_MEMBER, LARGEST_JSON)
        if data.keys() != {"operators", "assets", "arrays", "weights"}:
            raise ValueError("its fields are others")
        told: dict[int, Recorded] = {}
        operators = tuple(_record(row, told) for row in data["operators"])
        if len({one.name for one in operators}) != len(operators):
            raise ValueError("two operators have one name")
        members: dict[str, str] = {}
        assets = tuple(_asset(row, members) for row in data["assets"])
        arrays = {
            key: array_of(description, read(f"operators/{key}.npy"), f"operators/{key}.npy")
            for key, description in data["arrays"].items()
        }
        weights = {
            key: weights_of(read(_weights_member(key)), _weights_member(key)) for key in data["weights"]
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise broken("AB111", f"`{OPERATORS_MEMBER}` is not as astrace writes it: {error!r:.200}") from None
    if not set(members.values()) <= names.keys():
        raise broken("AB107", f"`{OPERATORS_MEMBER}` names files that the bundle has not")
    if any(len(read(one.source)) != one.size for asset in assets for one in asset.files):
        raise broken("AB107", f"`{OPERATORS_MEMBER}` tells another size of a file than it has")
    return PipelineRecord(operators, Assets(assets), Bulk(arrays, weights)), members


def _record(row: Any, told: dict[int, Recorded]) -> OperatorRecord:
    match row:
        case [str() as name, str() as target, "function" | "builtin" as kind, [], None]:
            return OperatorRecord(name, target, kind)
        case [str() as name, str() as target, "class" as kind, list() as arguments, state]:
            made = tuple(_argument(one, told) for one in arguments)
            held = None if state is None else Recorded.from_json(state, told)
            return OperatorRecord(name, target, kind, made, state=held)
        case _:
            raise ValueError("an operator is not described as operators are")


def _argument(row: Any, told: dict[int, Recorded]) -> RecordedArgument:
    match row:
        case [str() as parameter, str() as keyword, value]:
            return RecordedArgument(parameter, keyword, Recorded.from_json(value, told))
        case _:
            raise ValueError("an argument is not described as arguments are")


def _asset(row: Any, members: dict[str, str]) -> Asset:
    match row:
        case [str() as key, str() as name, list() as files, None | list() as folders]:
            made = tuple(map(_asset_file, files))
            inside = None if folders is None else tuple(folders)
            if inside is not None and not all(type(one) is str for one in inside):
                raise ValueError("a folder of an asset has a name that is none")
            asset = Asset(key, name, made, inside)
        case _:
            raise ValueError("an asset is not described as assets are")
    for one in made:
        members[asset.place_of(one)] = one.source
    return asset


def _asset_file(row: Any) -> AssetFile:
    match row:
        case [str() as path, str() as digest, int() as size, str() as member] if type(size) is int:
            return AssetFile(path, digest, size, member)
        case _:
            raise ValueError("a file of an asset is not described as such files are")


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
