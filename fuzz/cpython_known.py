"""Which of CPython's tests are run with compiled functions, and which of them may differ, and why."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

MODULES: Final = """
    test_grammar test_scope test_generators test_genexps test_listcomps test_setcomps test_dictcomps test_yield_from
    test_exceptions test_raise test_baseexception test_exception_group test_except_star test_exception_variations
    test_binop test_compare test_richcmp test_augassign test_opcodes test_descr test_descrtut test_class test_property
    test_super test_metaclass test_subclassinit test_genericclass test_genericalias test_patma test_with test_contextlib
    test_unpack test_unpack_ex test_extcall test_call test_keywordonlyarg test_positional_only_arg
    test_named_expressions test_funcattrs test_decorators test_global test_dynamic test_builtin test_fstring test_format
    test_bool test_int test_float test_complex test_long test_slice test_range test_enumerate test_iter test_iterlen
    test_isinstance test_pow test_contains test_index test_hash test_copy test_dict test_dictviews test_userdict
    test_list test_userlist test_tuple test_set test_sort test_bytes test_memoryview test_collections test_defaultdict
    test_ordered_dict test_deque test_enum test_dataclasses test_functools test_itertools test_operator test_types
    test_abc test_typechecks test_numeric_tower test_abstract_numbers test_weakset test_userstring test_reprlib
    test_heapq test_bisect test_fractions test_math test_cmath test_statistics test_random test_string test_graphlib
""".split()
"""Modules of the package ``test`` that are about the language, its builtin types, and libraries of pure Python."""

FRAMES: Final = "looks at frames, at their lines or variables, or at how deep they are"
LINES: Final = "looks at line events"
LIFE: Final = "looks at reference counts, at when objects die, or at how many there are"
KIND: Final = "looks at the class, the text or the attributes that only a Python function has"
BUILTINS: Final = "puts another builtin in its place, which the test runner itself then calls"

KNOWN: Final[Mapping[str, str]] = {
    "test_exceptions.PEP626Tests.*": FRAMES,
    "methods:test_exceptions.NameErrorTests.test_name_error_suggestions*": FRAMES,
    "nested:test_exceptions.ExceptionTests.testSettingException": FRAMES,
    "nested:test_exceptions.ExceptionTests.test_unraisable": FRAMES,
    "nested:test_exceptions.ExceptionTests.testExceptionCleanupState": LIFE,
    "nested:test_exceptions.ExceptionTests.test_generator_*_cleanup_exc_state": LIFE,
    "test_raise.TestTracebackType.test_attrs": FRAMES,
    "nested:test_scope.ScopeTests.testCellLeak": LIFE,
    "test_patma.TestTracing.*": LINES,
}
"""Patterns of tests' names that may differ, ``way:`` before those that may in one way only, and the reason."""


def allowed(name: str, way: str) -> bool:
    """Whether a test may differ."""
    short = name.removeprefix("test.")
    return any(fnmatchcase(short, pattern) or fnmatchcase(f"{way}:{short}", pattern) for pattern in KNOWN)
