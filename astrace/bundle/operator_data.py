"""`operators.json`: the records of a graph's operators as JSON data, and back.

Takes records, gives rows; takes the members of a bundle and gives records.  What is read is written again and compared, so
nothing is taken that astrace would not have written: no unknown field, no second spelling, no file that nothing names.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from astrace.bundle.codec.json_text import dumps, loads
from astrace.bundle.codec.npy import array_of
from astrace.bundle.codec.safetensors import weights_of
from astrace.bundle.codes import broken
from astrace.bundle.files.members import name_fault
from astrace.bundle.limits import LARGEST_JSON
from astrace.pipelines.assets import Asset, AssetFile, Assets, folder_key
from astrace.pipelines.plain_data import KINDS, Recorded, walked
from astrace.pipelines.recorded import Bulk
from astrace.pipelines.records import (
    NOTHING_RECORDED,
    OperatorRecord,
    PipelineRecord,
    RecordedArgument,
    with_shared,
)

OPERATORS_MEMBER: Final = "operators.json"
ASSETS_FOLDER: Final = "assets"
FIELDS: Final = frozenset({"operators", "assets", "arrays", "weights"})


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """What is named by the values in records.

    Args:
        assets: the places of assets, each with the operators and parameters that name it: ``Tokenise(vocabulary)``.
        arrays: the hashes of arrays.
        weights: the hashes of weights.
    """

    assets: Mapping[str, tuple[str, ...]]
    arrays: frozenset[str]
    weights: frozenset[str]

    @staticmethod
    def by(operators: tuple[OperatorRecord, ...]) -> NamedFiles:
        """What the records of operators name."""
        users: dict[str, set[str]] = {}
        found: dict[str, set[str]] = {"array": set(), "scalar": set(), "state": set()}
        for user, part in _named_parts(operators):
            if part.kind == "asset":
                users.setdefault(str(part.value), set()).add(user)
            elif part.kind in found:
                found[part.kind].add(str(part.value))
        assets = {place: tuple(sorted(names)) for place, names in users.items()}
        return NamedFiles(assets, frozenset(found["array"] | found["scalar"]), frozenset(found["state"]))


def _named_parts(operators: tuple[OperatorRecord, ...]) -> Iterator[tuple[str, Recorded]]:
    """The values of operators and their parts, each with what is made from it; those that are shared for each of them."""
    for one in operators:
        given = [(f"{one.name}({argument.parameter})", argument.value) for argument in one.arguments]
        state = [] if one.state is None else [(one.name, one.state)]
        for user, value in (*given, *state):
            yield from ((user, part) for part in walked([value]))


def array_member(key: str) -> str:
    """The member that holds an array."""
    return f"operators/{key}.npy"


def weights_member(key: str) -> str:
    """The member that holds the weights of a model."""
    return f"operators/{key}.safetensors"


def asset_members(asset: Asset) -> dict[str, str]:
    """The member that holds each file of an asset, by path: under its own name where every system can have that.

    Args:
        asset: a file or a folder; of names in it that are one but for upper and lower case, none is had by every system.

    Example:
        >>> files = tuple(AssetFile(path, f"hash of {path}", 1, "") for path in ("a", "A", "b"))
        >>> list(asset_members(Asset("key", "data", files, ())).values())
        ['assets/hash of a/content', 'assets/hash of A/content', 'assets/key/data/b']
    """
    parts = [one.path.split("/") for one in asset.files]
    above = {"/".join(one[:count]) for one in parts for count in range(1, len(one) + 1)}
    spelled = Counter(path.casefold() for path in above)
    found: dict[str, str] = {}
    for file, names in zip(asset.files, parts, strict=True):
        name = f"{ASSETS_FOLDER}/{asset.place_of(file)}"
        folded = ["/".join(names[:count]).casefold() for count in range(1, len(names) + 1)]
        is_plain = name_fault(name) is None and all(spelled[one] == 1 for one in folded)
        found[file.path] = name if is_plain else f"{ASSETS_FOLDER}/{file.sha256}/content"
    return found


def rows_of(pipeline: PipelineRecord, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The data of records.

    Args:
        pipeline: the records.
        arrays: the descriptions of arrays.
    """
    told: set[int] = set()
    return {
        "operators": [_row(one, told) for one in pipeline.operators],
        "assets": [_asset_row(one) for one in pipeline.assets],
        "arrays": arrays,
        "weights": sorted(pipeline.bulk.weights),
    }


def manifest_rows(pipeline: PipelineRecord) -> list[dict[str, Any]]:
    """What the manifest says of the files of operators."""
    users = NamedFiles.by(pipeline.operators).assets
    rows: list[dict[str, Any]] = []
    for asset in pipeline.assets:
        of, members = list(users[asset.place]), asset_members(asset)
        for one in asset.files:
            name = asset.place_of(one).partition("/")[2]
            rows.append({"member": members[one.path], "name": name, "of": of})
    return sorted(rows, key=lambda row: (row["member"], row["name"]))


def _row(one: OperatorRecord, told: set[int]) -> list[Any]:
    arguments = [[given.parameter, given.keyword, given.value.to_json(told)] for given in one.arguments]
    state = None if one.state is None else one.state.to_json(told)
    return [one.name, one.target, one.kind, arguments, state]


def _asset_row(one: Asset) -> list[Any]:
    members = asset_members(one)
    files = [[file.path, file.sha256, file.size, members[file.path]] for file in one.files]
    return [one.key, one.name, files, None if one.folders is None else list(one.folders)]


# -- reading -----------------------------------------------------------------------------------------------


def read_records(read: Callable[[str], bytes], names: Mapping[str, Any]) -> PipelineRecord:
    """The records of a bundle's operators; the sources of their files are the members.

    Args:
        read: gives a member, checked.
        names: the members that there are.

    Raises:
        BundleError: they are not as astrace writes them.
    """
    if OPERATORS_MEMBER not in names:
        return NOTHING_RECORDED
    content = read(OPERATORS_MEMBER)
    data = loads(content, OPERATORS_MEMBER, LARGEST_JSON)
    try:
        pipeline = _pipeline(data, read)
        named = NamedFiles.by(pipeline.operators)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _not_written(repr(error)) from None
    if (
        set(named.assets) != {one.place for one in pipeline.assets}
        or named.arrays != pipeline.bulk.arrays.keys()
        or named.weights != pipeline.bulk.weights.keys()
    ):
        raise broken("AB107", f"`{OPERATORS_MEMBER}` names other files, arrays or weights than it lists")
    for asset in pipeline.assets:
        _check_asset(asset, read, names)
    again = with_shared(pipeline.operators)
    if (
        not again
        or dumps(rows_of(PipelineRecord(again, pipeline.assets, pipeline.bulk), data["arrays"])) != content
    ):
        raise _not_written("written again, it is another one")
    return pipeline


def _not_written(why: str) -> Exception:
    return broken("AB111", f"`{OPERATORS_MEMBER}` is not as astrace writes it: {why:.200}")


def _pipeline(data: Any, read: Callable[[str], bytes]) -> PipelineRecord:
    if data.keys() != FIELDS:
        raise ValueError("its fields are others")
    told: dict[int, Recorded] = {}
    operators = tuple(_record(row, told) for row in data["operators"])
    if len({one.name for one in operators}) != len(operators):
        raise ValueError("two operators have one name")
    assets = tuple(map(_asset, data["assets"]))
    if len({one.place for one in assets}) != len(assets):
        raise ValueError("two assets have one place")
    arrays = {
        key: array_of(description, read(array_member(key)), array_member(key))
        for key, description in data["arrays"].items()
    }
    weights = {key: weights_of(read(weights_member(key)), weights_member(key)) for key in data["weights"]}
    return PipelineRecord(operators, Assets(assets), Bulk(arrays, weights))


def _record(row: Any, told: dict[int, Recorded]) -> OperatorRecord:
    match row:
        case [str() as name, str() as target, "function" | "builtin" as kind, [], None]:
            return OperatorRecord(name, target, kind)
        case [str() as name, str() as target, "class" as kind, list() as arguments, state]:
            made = tuple(_argument(one, told) for one in arguments)
            keywords = [one.keyword for one in made if one.keyword]
            if len(set(keywords)) != len(keywords):
                raise ValueError("an operator is given two arguments by one name")
            held = None if state is None else Recorded.from_json(state, told)
            if held is not None and held.kind != "state":
                raise ValueError("an operator has a state that is none")
            return OperatorRecord(name, target, kind, made, state=held)
        case _:
            raise ValueError("an operator is not described as operators are")


def _argument(row: Any, told: dict[int, Recorded]) -> RecordedArgument:
    match row:
        case [str() as parameter, str() as keyword, value] if keyword in ("", parameter):
            made = Recorded.from_json(value, told)
            if KINDS[made.kind].inside:
                raise ValueError(f"an argument of kind {made.kind!r}")
            return RecordedArgument(parameter, keyword, made)
        case _:
            raise ValueError("an argument is not described as arguments are")


def _asset(row: Any) -> Asset:
    match row:
        case [str() as key, str() as name, [[name_again, digest, _, _] as file], None] if (
            name_again == name and digest == key
        ):
            return Asset(key, name, (_asset_file(file),))
        case [str() as key, str() as name, list() as files, list() as folders] if all(
            type(one) is str for one in folders
        ):
            made = tuple(map(_asset_file, files))
            if len({one.path for one in made}) == len(made) and key == folder_key(made, folders):
                return Asset(key, name, made, tuple(folders))
        case _:
            pass
    raise ValueError("an asset is not described as assets are")


def _asset_file(row: Any) -> AssetFile:
    match row:
        case [str() as path, str() as digest, int() as size, str() as member] if type(size) is int:
            return AssetFile(path, digest, size, member)
        case _:
            raise ValueError("a file of an asset is not described as such files are")


def _check_asset(asset: Asset, read: Callable[[str], bytes], names: Mapping[str, Any]) -> None:
    """Refuse files that the bundle has not, or has as other ones.

    Raises:
        BundleError: there are some.
    """
    for one in asset.files:
        if one.source not in names:
            raise broken("AB107", f"`{OPERATORS_MEMBER}` names files that the bundle has not")
        content = read(one.source)
        if len(content) != one.size or hashlib.sha256(content).hexdigest() != one.sha256:
            raise broken("AB107", f"`{OPERATORS_MEMBER}` tells of another file than `{one.source}`")
