"""Malicious and broken bundles whose files are as they should be: manifests, graphs, values and arrays that are not."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from hostile_bundles import (
    GRAPH,
    MANIFEST,
    Hostile,
    containers,
    dumps,
    entries,
    file,
    folder,
    folders,
    good,
    names,
    resealed,
    with_data,
    with_manifest,
    with_member,
    zipped,
)

Change = Callable[[dict[str, Any]], Any]


def every() -> Iterator[Hostile]:
    """All cases."""
    for part in (
        names,
        containers,
        folders,
        texts,
        manifests,
        nodes,
        values,
        guards,
        arrays,
        examples,
        tables,
    ):
        yield from part()


# -- JSON and the manifest ---------------------------------------------------------------------------------


def texts() -> Iterator[Hostile]:
    """Members that are not the JSON that astrace writes."""
    data = json.loads(good()[GRAPH])
    plain = good()[GRAPH]
    wrong = {
        "json_depth": {str(depth): b"[" * depth + b"]" * depth + b"\n" for depth in (101, 5_000, 100_000, 499_000)},
        "json_duplicate_keys": {"name": b'{"name":1,' + plain[1:], "inner": plain.replace(b'"op":', b'"op":"x","op":', 1)},
        "json_nan": {name: plain.replace(b'"on_request":[]', b'"on_request":[%s]' % name.encode()) for name in ("NaN", "Infinity", "-Infinity")},
        "json_number": {str(size): plain.replace(b'"on_request":[]', b'"on_request":[' + b"9" * size + b"]") for size in (26, 5_000, 100_000)},
        "json_spelling": {
            "spaces": json.dumps(data, sort_keys=True).encode(),
            "order": json.dumps(dict(reversed(data.items())), separators=(",", ":")).encode() + b"\n",
            "no newline": plain[:-1],
            "exponent": plain.replace(b'"on_request":[]', b'"on_request":[1E2]'),
            "escape": plain.replace(b'"model"', b'"\\u006dodel"'),
        },
        "json_encoding": {"bom": b"\xef\xbb\xbf" + plain, "utf-16": plain.decode().encode("utf-16"), "latin": plain.replace(b"model", b"mod\xe9l"), "nul": plain + b"\0"},
        "json_broken": {"empty": b"", "half": plain[: len(plain) // 2], "comment": b"//\n" + plain, "python": b"None\n", "pickle": pickle.dumps(data), "two": plain + plain},
        "json_size": {"lists": b"[" + b"[]," * 600_000 + b"[]]\n", "items": b"[" + b"1," * 2_100_000 + b"1]\n", "bytes": b'"' + bytes(33 * 2**20) + b'"\n'},
    }  # fmt: skip
    for category, found in wrong.items():
        for name, content in found.items():
            yield Hostile(
                category, f"{name} in the graph", "AB106 AB109 AB111", folder(with_member(GRAPH, content))
            )
            if category != "json_size" and len(content) < 200_000:
                manifest = content.replace(b'"on_request":[', b'"fixed_reads":[')
                yield Hostile(
                    category,
                    f"{name} in the manifest",
                    "AB106 AB109 AB110",
                    folder({**good(), MANIFEST: manifest}),
                )


def manifests() -> Iterator[Hostile]:
    """Manifests that say what manifests do not."""

    def case(category: str, name: str, codes: str, change: Change) -> Hostile:
        return Hostile(category, name, codes, folder(with_manifest(change)))

    manifest = json.loads(good()[MANIFEST])
    for name in manifest:
        if name != "seal":
            codes = {"format": "AB110", "format_version": "AB102"}.get(name, "AB110")
            yield case("manifest_missing_field", name, codes, lambda data, name=name: data.pop(name))
            for wrong in (None, 5, ["x"], {"x": 1}):
                if name not in ("format", "format_version") and type(wrong) is not type(manifest[name]):
                    yield case(
                        "manifest_wrong_type",
                        f"{name} is {wrong}",
                        "AB110 AB104 AB107",
                        lambda data, name=name, wrong=wrong: data.update({name: wrong}),
                    )
    for name in ("extra", "__class__", "pickle", "code"):
        yield case("manifest_unknown_field", name, "AB110", lambda data, name=name: data.update({name: 1}))
    for version in (2, 99, 2**62, 0, -1, 1.0, "1", None, [1], True):
        yield case(
            "format_version",
            str(version),
            "AB102",
            lambda data, version=version: data.update(format_version=version),
        )
    yield case("format_name", "another", "AB110", lambda data: data.update(format="zip"))
    for name in ("name", "signature"):
        yield case("manifest_disagrees", name, "AB107", lambda data, name=name: data.update({name: "(y)"}))
    listed = {
        "size": lambda data: data["members"][GRAPH].__setitem__(0, 5),
        "negative": lambda data: data["members"][GRAPH].__setitem__(0, -5),
        "float": lambda data: data["members"][GRAPH].__setitem__(0, 1.5),
        "hash": lambda data: data["members"][GRAPH].__setitem__(1, "0" * 64),
        "no hash": lambda data: data["members"][GRAPH].__setitem__(1, "md5"),
        "itself": lambda data: data["members"].update({MANIFEST: [1, "0" * 64]}),
        "missing": lambda data: data["members"].update({"x": [1, "0" * 64]}),
        "unlisted": lambda data: data["members"].pop("arrays/0.npy"),
        "no graph": lambda data: data["members"].pop(GRAPH),
    }
    for name, change in listed.items():
        yield case("manifest_members", name, "AB104 AB107 AB108 AB110", change)
    for name, seal in {"another": "0" * 64, "none": None, "short": "ab"}.items():
        data = json.loads(good()[MANIFEST]) | {"seal": seal}
        yield Hostile("manifest_seal", name, "AB108", folder({**good(), MANIFEST: dumps(data)}))
    rows = [{"name": "tokenise"}], [{"name": "os.system"}, {"name": "builtins.eval"}], [{"name": "\x1b[2J"}]
    for row in rows:
        yield case(
            "operators_missing",
            row[0]["name"],
            "AB115",
            lambda data, row=row: data.update(required_operators=row),
        )
    yield case(
        "operators_missing", "no name", "AB110", lambda data: data.update(required_operators=[{"x": 1}])
    )


# -- the graph ---------------------------------------------------------------------------------------------


def node(data: dict[str, Any], op: str) -> dict[str, Any]:
    """The first node with an op."""

    def found(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for one in block["nodes"]:
            yield one
            for region in one.get("regions", []):
                yield from found(region)

    return next(one for one in found(data["block"]) if one["op"] == op)


def graph_case(category: str, name: str, codes: str, change: Change) -> Hostile:
    return Hostile(category, name, codes, folder(with_data(change)))


def constant(data: dict[str, Any], value: Any) -> int:
    """The operand of a new constant."""
    data["constants"].append([value, ["literal", "", None]])
    return -len(data["constants"])


def inserted(data: dict[str, Any], op: str, *values: Any, attrs: Any = None) -> None:
    """Put a node in front of the others of the block, whose outputs no one uses: it has none."""
    row: dict[str, Any] = {"op": op, "in": [constant(data, value) for value in values], "out": []}
    if attrs is not None:
        row["attrs"] = attrs
    data["block"]["nodes"].append(row)


OPS = {
    "op_dotted": ["os.system", "builtins.eval", "numpy.load", "subprocess.run", "np.load", "np.fromfile", "np.char.add", "pickle.loads"],
    "op_dunder": ["__import__", "__class__", "ndarray.__reduce__", "ndarray.__setstate__"],
    "op_unknown": ["", "nothing", "np.", "ADD", "add ", "eval", "exec", "open"],
    "op_world": ["read_global", "read_cell", "make_object", "set_field", "delete_attr", "check_still", "tell_lookup", "memoryview", "id"],
    "op_memory": ["np.lib.stride_tricks.as_strided", "np.ndarray", "ndarray.resize", "ndarray.setflags", "ndarray.getfield", "ndarray.setfield"],
    "op_files_and_text": ["np.savez", "np.bmat", "np.fromfunction", "np.piecewise", "np.mask_indices"],
    "op_lowered": ["load", "store", "allocate", "call_math", "call_ufunc", "cast", "deopt"],
    "op_device": ["device_call", "device_method", "device_update", "device_apply"],
    "op_control_as_leaf": ["cond", "for_loop", "while_loop", "try_", "with_", "function"],
}  # fmt: skip


def nodes() -> Iterator[Hostile]:
    """Nodes that bundles do not have."""
    for category, found in OPS.items():
        for op in found:
            yield graph_case(
                category, op, "AB111 AB112", lambda data, op=op: node(data, "np.tanh").update(op=op)
            )
    for function in (
        "os.system",
        "eval",
        "exec",
        "open",
        "getattr",
        "np.load",
        "input",
        "vars",
        "globals",
        "breakpoint",
        "compile",
        "sys.exit",
    ):
        yield graph_case(
            "function_not_listed",
            function,
            "AB112",
            lambda data, function=function: inserted(data, "call", ["function", function], "x"),
        )
    for cls in (
        "os._wrap_close",
        "subprocess.Popen",
        "type.mro",
        "FileType",
        "np.memmap",
        "np.matrix",
        "__main__.X",
        "",
    ):
        yield graph_case(
            "class_not_listed",
            cls,
            "AB112",
            lambda data, cls=cls: inserted(data, "call", ["class", cls], "x"),
        )
    for cls in ("type", "object", "SystemExit", "KeyboardInterrupt", "function", "np.ufunc", "generator"):
        yield graph_case(
            "class_not_called",
            cls,
            "AB112",
            lambda data, cls=cls: inserted(data, "call", ["class", cls], "x"),
        )
    for op in ("call", "call_pure", "map", "filter", "call_spread"):
        yield graph_case(
            "call_of_a_value",
            op,
            "AB112",
            lambda data, op=op: data["block"]["nodes"].append({"op": op, "in": [0, 0], "out": []}),
        )
    yield graph_case("call_of_a_value", "no argument at all", "AB112", lambda data: inserted(data, "call"))
    for called in (5, "os.system", ["list", []], ["dict", []], None):
        yield graph_case(
            "call_of_data",
            str(called),
            "AB112",
            lambda data, called=called: inserted(data, "call", called, "x"),
        )
    for name in (
        "__class__",
        "__dict__",
        "__globals__",
        "__reduce__",
        "ctypes",
        "data",
        "tofile",
        "dump",
        "gi_frame",
        "f_globals",
        "_x",
        "mro",
    ):
        yield graph_case(
            "attribute_not_listed",
            name,
            "AB112",
            lambda data, name=name: inserted(data, "get_attr", "x", name),
        )
    for name in (
        "tofile",
        "dump",
        "dumps",
        "__init__",
        "format",
        "format_map",
        "setflags",
        "resize",
        "__subclasses__",
        "getfield",
        "open",
    ):
        yield graph_case(
            "method_not_listed",
            name,
            "AB112",
            lambda data, name=name: inserted(data, "call_method", "{0.__class__}", name),
        )
    for name in ("__class__", "strides", "data", "dtype", "__dict__", "base"):
        yield graph_case(
            "attribute_not_settable",
            name,
            "AB112",
            lambda data, name=name: inserted(data, "set_attr", "x", name, 1),
        )
    for name in (5, None, ["tuple", ["shape"]]):
        yield graph_case(
            "attribute_no_text",
            str(name),
            "AB112",
            lambda data, name=name: inserted(data, "get_attr", "x", name),
        )
    yield graph_case(
        "attribute_no_text",
        "a value",
        "AB112",
        lambda data: data["block"]["nodes"].append({"op": "get_attr", "in": [0, 1], "out": []}),
    )
    yield graph_case(
        "class_made_of_parts",
        "type",
        "AB112",
        lambda data: inserted(data, "type", "X", ["tuple", []], ["dict", []]),
    )
    yield graph_case(
        "key_function",
        "sorted",
        "AB112 AB111",
        lambda data: inserted(data, "sorted", ["list", []], attrs=[["key", ["value", 5]]]),
    )
    yield graph_case(
        "key_function",
        "formatter",
        "AB112",
        lambda data: inserted(
            data, "np.array2string", ["array", 0], attrs=[["formatter", ["value", ["dict", []]]]]
        ),
    )
    yield from structure()


def structure() -> Iterator[Hostile]:
    """Nodes and blocks that are not formed as they are."""
    for number in (10**6, -(10**6), 1.5, "0", None, True, [0], 2**70):
        yield graph_case(
            "reference_dangling",
            str(number),
            "AB111 AB106",
            lambda data, number=number: node(data, "np.tanh")["in"].__setitem__(0, number),
        )
    for shift in (0, 1, 5):
        yield graph_case(
            "reference_forward",
            str(shift),
            "AB111 AB114",
            lambda data, shift=shift: data["block"]["nodes"][0]["in"].__setitem__(
                0, len(data["block"]["inputs"]) + shift
            ),
        )
    yield graph_case(
        "reference_into_region",
        "a value of a branch",
        "AB114",
        lambda data: data["block"]["outputs"].__setitem__(0, 9),
    )
    for field in ("op", "in", "out"):
        yield graph_case(
            "node_form", f"no {field}", "AB111", lambda data, field=field: node(data, "np.tanh").pop(field)
        )
        yield graph_case(
            "node_form",
            f"{field} of another kind",
            "AB111",
            lambda data, field=field: node(data, "np.tanh").update({field: 5}),
        )
    yield graph_case(
        "node_form", "unknown field", "AB111", lambda data: node(data, "np.tanh").update(code="import os")
    )
    yield graph_case("node_form", "no node", "AB111", lambda data: data["block"]["nodes"].append("x"))
    for op in ("cond", "for_loop", "while_loop", "try_"):
        yield graph_case(
            "regions", f"{op} without", "AB111", lambda data, op=op: node(data, op).pop("regions")
        )
        yield graph_case(
            "regions",
            f"{op} with one more",
            "AB114",
            lambda data, op=op: node(data, op)["regions"].append({"inputs": [], "nodes": [], "outputs": []}),
        )
        yield graph_case(
            "regions",
            f"{op} with an empty one",
            "AB111 AB114",
            lambda data, op=op: node(data, op)["regions"].__setitem__(
                0, {"inputs": [], "nodes": [], "outputs": []}
            ),
        )
        yield graph_case(
            "regions",
            f"{op} with no block",
            "AB111",
            lambda data, op=op: node(data, op)["regions"].__setitem__(0, 5),
        )
    yield graph_case(
        "regions",
        "a leaf with one",
        "AB111",
        lambda data: node(data, "np.tanh").update(regions=[{"inputs": [], "nodes": [], "outputs": []}]),
    )
    yield graph_case(
        "branches_disagree",
        "number of outputs",
        "AB114",
        lambda data: node(data, "cond")["regions"][0]["outputs"].append(-1),
    )
    yield graph_case(
        "branches_disagree",
        "another class",
        "AB114",
        lambda data: node(data, "cond")["regions"][0]["outputs"].__setitem__(0, constant(data, "text")),
    )
    yield graph_case(
        "control_attributes", "no breaks", "AB111 AB114", lambda data: node(data, "for_loop").pop("attrs")
    )
    for breaks in (5, None, "yes"):
        yield graph_case(
            "control_attributes",
            f"breaks is {breaks}",
            "AB114",
            lambda data, breaks=breaks: node(data, "while_loop").update(
                attrs=[["breaks", ["value", breaks]]]
            ),
        )
    for over in (
        ["range", 0, 1, 9],
        ["range", 0, 0, 0],
        ["each", 0, None],
        ["x"],
        ["zip", [], False],
        ["zip", [["range", 0, 1, 2]] * 3, 5],
        ["range", -1, -2, -3],
    ):
        yield graph_case(
            "iteration",
            str(over)[:30],
            "AB111 AB114",
            lambda data, over=over: node(data, "for_loop").update(
                attrs=[["over", ["over", over]], ["breaks", ["value", False]]]
            ),
        )
    deep: list[Any] = ["range", 0, 1, 2]
    for _ in range(30):
        deep = ["reversed", deep]
    yield graph_case(
        "iteration",
        "deep",
        "AB106",
        lambda data: node(data, "for_loop").update(
            attrs=[["over", ["over", deep]], ["breaks", ["value", False]]]
        ),
    )
    for catches in (
        5,
        ["tuple", [5]],
        ["tuple", [["tuple", [["class", "int"]]]]],
        ["tuple", []],
        ["tuple", [["tuple", [["class", "ZeroDivisionError"]]]] * 3],
    ):
        yield graph_case(
            "handlers",
            str(catches)[:30],
            "AB114",
            lambda data, catches=catches: node(data, "try_").update(attrs=[["catches", ["value", catches]]]),
        )
    for pattern in (
        ["pattern", [["hole", 7]], []],
        ["pattern", [], []],
        ["pattern", [["hole", 0], ["hole", -1]], []],
        ["pattern", 5, []],
    ):
        yield graph_case(
            "pattern",
            str(pattern),
            "AB111 AB114",
            lambda data, pattern=pattern: node(data, "np.tanh").update(attrs=[["pattern", pattern]]),
        )
    for spec in (
        ["array", "<f8", [7, 7]],
        ["array", "<i4", ["n", "m"]],
        ["scalar", "int"],
        ["generic", "|b1"],
        ["any", "dict"],
        ["array", "<f8", ["n"]],
    ):
        yield graph_case(
            "spec_lies",
            str(spec),
            "AB114",
            lambda data, spec=spec: (
                data["specs"].append(spec),
                node(data, "np.tanh")["out"][0].__setitem__(0, len(data["specs"]) - 1),
            ),
        )
    yield graph_case("regions_deep", "25 branches in one another", "AB106", _deep_regions)


def _deep_regions(data: dict[str, Any]) -> None:
    block: dict[str, Any] = {"inputs": [], "nodes": [], "outputs": []}
    test = constant(data, True)
    for _ in range(25):
        block = {
            "inputs": [],
            "nodes": [
                {
                    "op": "cond",
                    "in": [test],
                    "out": [],
                    "regions": [block, {"inputs": [], "nodes": [], "outputs": []}],
                }
            ],
            "outputs": [],
        }
    data["block"]["nodes"] += block["nodes"]


# -- texts, values, guards ---------------------------------------------------------------------------------

INJECTIONS = {
    "code": "x): import os #",
    "call": "__import__('os').system('id')",
    "newline": "a\nimport os",
    "format": "{__import__('os')}",
    "html": "<script>alert(1)</script>",
    "ansi": "\x1b[2J\x1b]0;x\x07",
    "surrogate": "\ud800",
    "keyword": "import",
    "quotes": '\'"""',
    "compatible": "\ufb01x",
    "direction": "\u202ex",
    "space": " x",
    "nul": "\0",
}


def values() -> Iterator[Hostile]:
    """Names that are none, and values that are none."""
    for name, text in INJECTIONS.items():
        yield graph_case(
            "text_name_of_value",
            name,
            "AB111",
            lambda data, text=text: data["block"]["inputs"][0].__setitem__(1, text),
        )
        yield graph_case(
            "text_name_of_parameter",
            name,
            "AB111",
            lambda data, text=text: data["signature"][0].update(name=text),
        )
        yield graph_case(
            "text_keyword",
            name,
            "AB111",
            lambda data, text=text: node(data, "np.tanh").update(attrs=[[text, ["value", 1]]]),
        )
        yield graph_case(
            "text_size",
            name,
            "AB111",
            lambda data, text=text: (
                data["specs"].append(["array", "<f8", [text]])
                if not text.isidentifier()
                else data["specs"].append(5)
            ),
        )
        yield graph_case(
            "text_dtype", name, "AB111", lambda data, text=text: data["specs"].append(["array", text, [1]])
        )
    wrong: dict[str, list[Any]] = {
        "value_kind": [["eval", "1"], ["object"], ["code", "x"], [], [5], [None], {}, ["module", "os"], ["pickle", "gASVAA=="], ["lambda"]],
        "value_float": [["float", "1.5"], ["float", 5], ["float"], ["float", "__import__"], ["complex", 1, 2], ["complex", "x", "y"]],
        "value_int": [["int", "0x" + "f" * 30_000], ["int", "5"], ["int", "0xg"], ["int", 5], ["int", "__import__('os')"]],
        "value_bytes": [["bytes", "!!"], ["bytes", 5], ["bytes"], ["bytearray", "a"], ["bytes", "\u00e9"]],
        "value_container": [["list", 5], ["dict", [1]], ["dict", [1, 2, 1, 3]], ["set", [1, 1]], ["set", [["list", []]]], ["dict", [["list", []], 1]], ["tuple"], ["frozenset", [["dict", []]]]],
        "value_slice": [["slice", 1], ["range", 1, 2], ["range", 0, 5, 0], ["range", "a", "b", "c"], ["range", 1.5, 2, 3]],
        "value_scalar": [["scalar", "<f8", "AA=="], ["scalar", "|O", "AAAAAAAAAAA="], ["scalar", "<f8", 5], ["scalar", 5, ""]],
        "value_dtype": [["dtype", "|O"], ["dtype", "O8"], ["dtype", "<f8,<f8"], ["dtype", ["<f8", "O"]], ["dtype", {"fields": [["a", "|O", 0]], "size": 8, "aligned": False}], ["dtype", {"fields": [["a", "<f8", 99]], "size": 8, "aligned": False}], ["dtype", {"base": "<f8", "shape": [-1]}], ["dtype", {"base": "<f8", "shape": [2**31 - 1] * 3}]],
        "value_named_tuple": [["named_tuple", "tuple", []], ["named_tuple", "int", [1]], ["named_tuple", "np.result.SlogdetResult", [1]], ["named_tuple", "X", []]],
        "value_hole": [["hole", 0], ["hole", -1], ["hole", "x"]],
        "value_array": [["array", 99], ["array", -1], ["array", "0"], ["array", 0.5]],
        "value_shared": [["shared", 0], ["shared", -1], ["shared", "x"]],
        "value_operator": [["operator", "tokenise"], ["operator", "os.system"], ["operator", 5]],
        "value_spec": [["spec", ["x"]], ["spec", 5], ["spec", ["union", []]], ["spec", ["union", [["scalar", "int"]] * 9]], ["spec", ["tuple", "dict", []]], ["spec", ["scalar", "str"]], ["spec", ["array", "<f8", [-1]]], ["spec", ["array", "<f8", [2**70]]]],
    }  # fmt: skip
    for category, found in wrong.items():
        for value in found:
            codes = {
                "value_operator": "AB115",
                "value_dtype": "AB111 AB113",
                "value_named_tuple": "AB111 AB112",
            }.get(category, "AB106 AB111")
            yield graph_case(
                category, str(value)[:40], codes, lambda data, value=value: constant(data, value)
            )
    yield from bombs()


def bombs() -> Iterator[Hostile]:
    """Values that are small in the file and large in memory, or endless."""
    yield graph_case(
        "shared_cycle",
        "itself",
        "AB111",
        lambda data: (data["shared"].append(["list", [["shared", 0]]]), constant(data, ["shared", 0])),
    )
    yield graph_case(
        "shared_cycle",
        "two",
        "AB111",
        lambda data: (
            data["shared"].extend([["list", [["shared", 1]]], ["list", [["shared", 0]]]]),
            constant(data, ["shared", 0]),
        ),
    )
    yield graph_case(
        "shared_cycle",
        "dict",
        "AB111",
        lambda data: (data["shared"].append(["dict", ["a", ["shared", 0]]]), constant(data, ["shared", 0])),
    )
    for kind in ("list", "tuple"):
        for levels in (25, 60, 90):
            rows: list[Any] = [
                [kind, [1, 2]],
                *([kind, [["shared", level], ["shared", level]]] for level in range(levels)),
            ]
            yield graph_case(
                "shared_doubling",
                f"{kind} {levels}",
                "AB106",
                lambda data, rows=rows: (
                    data["shared"].extend(rows),
                    constant(data, ["shared", len(rows) - 1]),
                ),
            )
    chain: list[Any] = [["list", []], *(["list", [["shared", level]]] for level in range(5_000))]
    yield graph_case(
        "shared_chain",
        "5,000",
        "AB106",
        lambda data: (data["shared"].extend(chain), constant(data, ["shared", 5_000])),
    )
    deep: Any = 1
    for _ in range(52):
        deep = ["tuple", [deep]]
    yield graph_case("value_deep", "tuples", "AB106", lambda data: constant(data, deep))
    spec: Any = ["scalar", "int"]
    for _ in range(25):
        spec = ["list", spec, None]
    yield graph_case("value_deep", "specs", "AB106", lambda data: data["specs"].append(spec))
    yield graph_case(
        "many_nodes", "600,000", "AB106", lambda data: data["block"]["nodes"].extend([{}] * 600_000)
    )


def guards() -> Iterator[Hostile]:
    """Checks of arguments that ask for what checks do not."""
    x = ["argument", "x"]
    wrong: dict[str, list[Any]] = {
        "guard_code": [["has_length", x, "5 or __import__('os')"], ["has_length", x, 1.5], ["has_length", x, True], ["has_length", x, -1], ["fits", x, ["array", "<f8", ["__import__('os')"]]], ["lacks_attribute", x, "x' or 1"], ["builtin", x, "os"]],
        "guard_form": [[], 5, ["is"], ["equals", x], ["is_at", x, x, 1], ["are_apart", [x]], ["are_apart", 5], ["has_keys", x, 5], ["is_among", x, 5], ["fits", x, ["literal", 1]], ["holds", x, "eval"]],
        "guard_path": [["is", ["argument", "other"], None], ["is", ["global", "os"], None], ["is", ["root", "os"], None], ["is", ["item", x], None], ["is", ["argument", 5], None], ["is", 5, None]],
        "guard_attribute": [["is", ["attribute", x, name], None] for name in ("__class__", "__dict__", "ctypes", "_x", "tofile")],
        "guard_function": [["is", ["derived", x, name], None] for name in ("eval", "os.system", "__import__", "gc.get_referents", "")],
        "guard_class": [["has_type", x, name] for name in ("os.stat_result", "X", "", 5, None)],
    }  # fmt: skip
    for category, found in wrong.items():
        for guard in found:
            yield graph_case(
                category,
                str(guard)[:50],
                "AB106 AB111 AB112",
                lambda data, guard=guard: data["guards"].append([guard, None]),
            )
    deep: Any = x
    for _ in range(60):
        deep = ["item", deep, 0]
    yield graph_case(
        "guard_path", "long", "AB106", lambda data: data["guards"].append([["is", deep, None], None])
    )
    yield graph_case(
        "guard_path",
        "of an input",
        "AB111",
        lambda data: data["inputs"].__setitem__(0, ["argument", "nobody"]),
    )


def tables() -> Iterator[Hostile]:
    """The other parts of a graph."""
    data = json.loads(good()[GRAPH])
    for name in data:
        yield graph_case("graph_missing_part", name, "AB111", lambda data, name=name: data.pop(name))
        for wrong in (5, "x", None) if name != "name" else (5, None):
            if not (name in ("frozen", "metadata", "result") and wrong is None) and name not in (
                "metadata",
                "result",
            ):
                yield graph_case(
                    "graph_wrong_part",
                    f"{name} is {wrong}",
                    "AB111",
                    lambda data, name=name, wrong=wrong: data.update({name: wrong}),
                )
    yield graph_case("graph_unknown_part", "code", "AB111", lambda data: data.update(code="import os"))
    for metadata in (5, "x", ["list", []], None):
        yield graph_case(
            "graph_metadata",
            str(metadata),
            "AB111",
            lambda data, metadata=metadata: data.update(metadata=metadata),
        )
    rows: dict[str, list[Any]] = {
        "locations": [5, [], ["f", "1", "g", 0], ["f", 1, "g"], [None, 1, "g", 0]],
        "constants": [5, [1], [1, ["literal", ""]], [1, ["other", "", None]], [1, ["literal", "", 999]], [1, ["literal", 5, None]]],
        "signature": [5, {}, {"name": "x", "kind": "keyword_only"}, {"name": "z", "kind": "other"}, {"name": "z", "kind": "positional_only"}, {"name": "z", "kind": "keyword_only", "annotation": "x"}],
        "inputs": [5, ["argument", "x"]],
        "on_request": [999, -1, "x"],
        "frozen": [999, -1, "x"],
    }  # fmt: skip
    for name, found in rows.items():
        for row in found:
            yield graph_case(
                f"graph_{name}", str(row), "AB111", lambda data, name=name, row=row: data[name].append(row)
            )
    for result in (["hole", 5], ["hole", -1], ["x"], ["tuple", [["hole", 9]]]):
        yield graph_case(
            "graph_result", str(result), "AB111", lambda data, result=result: data.update(result=result)
        )


# -- arrays and examples -----------------------------------------------------------------------------------


def stored(array: Any, **options: Any) -> bytes:
    made = io.BytesIO()
    np.save(made, array, **options)
    return made.getvalue()


def arrays() -> Iterator[Hostile]:
    """Arrays that are not those of the graph."""
    content = good()["arrays/0.npy"]
    wrong = {
        "array_header": {
            "another dtype": content.replace(b"<f8", b"<i8"),
            "big-endian": content.replace(b"<f8", b">f8"),
            "another shape": content.replace(b"(2, 3)", b"(3, 2)"),
            "fortran order": content.replace(b"False, ", b"True,  "),
            "version 2": content[:6] + b"\x02" + content[7:],
            "code": content.replace(b"'fortran_order': False", b"'fortran_order':eval(0)"),
            "no magic": b"X" + content[1:],
            "cut off": content[:20],
            "empty": b"",
        },
        "array_data": {"shorter": content[:-8], "longer": content + bytes(8), "one byte less": content[:-1]},
        "array_pickled": {
            "objects": stored(np.array([print, 1], object), allow_pickle=True),
            "pickle": pickle.dumps(np.arange(6.0)),
            "zip": zipped(entries()),
        },
    }
    for category, found in wrong.items():
        for name, other in found.items():
            yield Hostile(category, name, "AB113", folder(with_member("arrays/0.npy", other)))
            inside = resealed({**good(), "arrays/0.npy": other})
            yield Hostile(category, f"{name} in a zip file", "AB113", file(zipped(entries(inside))))
    descriptions: dict[str, dict[str, list[Any]]] = {
        "array_shape": {"shape": [[-2, 3], [2**62, 2**62], [2**40, 2**40], [0, 2**63], [1] * 40, [2.5, 3], 6, ["2", 3], [2, 4], [10**12]]},
        "array_axes": {"axes": [[0], [0, 0], [1, 2], [-1, 0], 5, [True, False], [0, 1, 2]]},
        "array_dtype": {"dtype": ["|O", "<U0", "|V0", "|S0", "<f3", 5, None, "<M8[x]", "<f8\n", ["<f8", "q"], "<f16"]},
        "array_flag": {"writeable": [1, None, "yes"], "offset": [8], "strides": [[8, 8]], "data": ["x"]},
    }  # fmt: skip
    for category, fields in descriptions.items():
        for field, found in fields.items():
            for value in found:
                yield graph_case(
                    category,
                    f"{field} {value}"[:50],
                    "AB111 AB113",
                    lambda data, field=field, value=value: data["arrays"][0].update({field: value}),
                )
    yield graph_case(
        "array_count",
        "200,000 descriptions",
        "AB106 AB107",
        lambda data: data["arrays"].extend(data["arrays"][:1] * 200_000),
    )
    yield graph_case(
        "array_count", "one more", "AB107", lambda data: data["arrays"].append(data["arrays"][0])
    )


def examples() -> Iterator[Hostile]:
    """Recorded examples that are none."""

    def case(name: str, change: Change) -> Hostile:
        return Hostile("examples", name, "AB107 AB111", folder(with_data(change, "examples.json")))

    for part in ("calls", "shared", "arrays"):
        yield case(f"no {part}", lambda data, part=part: data.pop(part))
        yield case(f"{part} of another kind", lambda data, part=part: data.update({part: 5}))
    for row in (
        5,
        [],
        [1, 2, 3, 4],
        [["tuple", []], ["dict", [5, 1]], None, None],
        [["tuple", []], ["dict", []], None, "x"],
        [["list", []], ["dict", []], None, None],
    ):
        yield case(str(row), lambda data, row=row: data["calls"].append(row))
    for value in (["operator", "x"], ["function", "eval"], ["class", "X"]):
        yield Hostile(
            "examples_code",
            str(value),
            "AB112 AB115",
            folder(
                with_data(lambda data, value=value: data["calls"][0].__setitem__(2, value), "examples.json")
            ),
        )
