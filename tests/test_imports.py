"""Imports inside functions that load modules: nothing is loaded while tracing, and the capture is made when it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import astrace


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that is not loaded, whose modules say so when they are."""
    folder = tmp_path / "late_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("print('loads the package')\n")
    (folder / "part.py").write_text("print('loads the part')\ndef twice(x):\n    return x * 2\n")
    (folder / "mode.py").write_text("import builtins\nbuiltins.late_mode = 'set'\nvalue = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.startswith("late_package")]:
        del sys.modules[name]
    if hasattr(__import__("builtins"), "late_mode"):
        delattr(__import__("builtins"), "late_mode")


def whole(function: Any) -> list[bool]:
    """Return for each capture of a function whether it is whole."""
    return [made.fallback is None and not made.recording.plain_calls for made in function.captures]


def certain(x: Any) -> Any:
    from late_package.part import twice  # type: ignore[import-not-found]

    return twice(x) + 1


def by_name(x: Any) -> Any:
    import late_package.part  # type: ignore[import-not-found]

    return late_package.part.twice(x)


def on_a_branch(x: Any) -> Any:
    if x > 2:
        from late_package import part  # type: ignore[import-not-found]

        return part.twice(x)
    return x


def through_a_helper(x: Any) -> Any:
    return certain(x) * 3


@pytest.mark.parametrize("function", [certain, by_name])
def test_the_first_call_loads_it_and_the_next_one_is_captured(
    function: Any, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compiled = astrace.compile(function)
    reason = compiled.stages(4.0).fallback
    assert reason is not None and reason.code == "AT205"
    assert "late_package" not in sys.modules and capsys.readouterr().out == ""
    first = compiled(4.0)
    assert capsys.readouterr().out == "loads the package\nloads the part\n"
    assert compiled(4.0) == first == function(4.0)
    assert whole(compiled) == [False, True]
    assert capsys.readouterr().out == ""


def test_a_helper_that_loads_it_is_captured_with_the_next_call(package: Path) -> None:
    compiled = astrace.compile(through_a_helper)
    assert compiled(4.0) == compiled(4.0) == 27.0
    assert whole(compiled) == [False, True]


def test_on_a_branch_it_is_loaded_when_the_program_comes_there(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compiled = astrace.compile(on_a_branch)
    assert compiled(1.0) == 1.0
    assert "late_package" not in sys.modules
    assert compiled(3.0) == 6.0
    assert capsys.readouterr().out == "loads the package\nloads the part\n"
    assert [compiled(4.0), compiled(1.0)] == [8.0, 1.0]
    assert all(whole(compiled))


def loads_the_part(x: Any) -> Any:
    if x > 2:
        import late_package.both as both  # type: ignore[import-not-found]
        import late_package.part as part  # type: ignore[import-not-found]

        return both.thrice(part.twice(x))
    return x


def loads_the_attribute(x: Any) -> Any:
    if x > 2:
        from late_package import both, part  # type: ignore[import-not-found]

        return both.thrice(part.twice(x))
    return x


def twice_the_same(x: Any) -> Any:
    if x > 2:
        import late_package.both  # type: ignore[import-not-found] # noqa: F401
    if x > 1:
        import late_package.both as both  # type: ignore[import-not-found]

        return both.thrice(x * 2)
    return x


def in_each_iteration(x: Any) -> Any:
    for _ in range(int(x)):
        from late_package.both import thrice  # type: ignore[import-not-found]
        from late_package.part import twice  # type: ignore[import-not-found]

        x = twice(thrice(x))
    return x


@pytest.mark.parametrize("function", [loads_the_part, loads_the_attribute, twice_the_same, in_each_iteration])
@pytest.mark.parametrize("is_loaded", [False, True], ids=["new", "package loaded"])
def test_an_import_on_a_branch_may_load_what_the_next_one_wants(
    function: Any, is_loaded: bool, package: Path
) -> None:
    (package / "both.py").write_text(
        "from late_package.part import twice\ndef thrice(x):\n    return x * 3\n"
    )
    if is_loaded:
        import late_package  # type: ignore[import-not-found] # noqa: F401
    compiled = astrace.compile(function)
    found = [compiled(4.0), compiled(4.0), compiled(1.0)]
    assert found == [function(4.0), function(4.0), function(1.0)]
    assert whole(compiled)[-1]


def test_what_loading_changes_is_seen(package: Path) -> None:
    def changes(x: Any) -> Any:
        import late_package.mode  # type: ignore[import-not-found] # noqa: F401

        return x * 2 if late_mode == "set" else x  # type: ignore[name-defined] # noqa: F821

    compiled = astrace.compile(changes)
    assert [compiled(1.0), compiled(2.0)] == [2.0, 4.0]


def test_a_module_that_is_taken_out_again_is_loaded_again(package: Path) -> None:
    compiled = astrace.compile(certain)
    assert [compiled(1.0), compiled(1.0)] == [3.0, 3.0]
    for name in ("late_package", "late_package.part"):
        del sys.modules[name]
    (package / "part.py").write_text("def twice(x):\n    return x * 20  # another text\n")
    sys.path_importer_cache.clear()
    assert compiled(1.0) == 21.0
