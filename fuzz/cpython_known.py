"""CPython's tests that are run with compiled functions, those of them that may differ, and why."""

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
NAMED: Final = "pickles by name what the test runner has replaced by its compiled form, there or elsewhere"

KNOWN: Final[Mapping[str, str]] = {
    "nested:test_exceptions.PEP626Tests.*": FRAMES,
    "methods:test_exceptions.NameErrorTests.test_name_error_suggestions*": FRAMES,
    "nested:test_exceptions.ExceptionTests.testSettingException": FRAMES,
    "nested:test_exceptions.ExceptionTests.test_unraisable": KIND,
    "nested:test_exceptions.ExceptionTests.testExceptionCleanupState": LIFE,
    "helpers:test_raise.TestTracebackType.test_attrs": FRAMES,
    "test_patma.TestTracing.*": LINES,
    "methods:test_generators.GeneratorStackTraceTest.test_send_with_yield_from": FRAMES,
    "methods:test_generators.GeneratorStackTraceTest.test_throw_with_yield_from": FRAMES,
    "methods:test_yield_from.TestPEP380Operation.test_delegator_is_visible_to_debugger": FRAMES,
    "nested:test_generators.GeneratorTest.test_handle_frame_object_in_creation": FRAMES,
    "nested:test_contextlib.TestExitStack.test_exit_exception_traceback": FRAMES,
    "helpers:test_call.TestPEP590.test_method_descriptor_flag": KIND,
    "helpers:test_call.TestPEP590.test_vectorcall": KIND,
    "nested:test_types.CoroutineTests.test_genfunc": KIND,
    "nested:test_collections.TestOneTrickPonyABCs.test_Awaitable": KIND,
    "nested:test_collections.TestOneTrickPonyABCs.test_Coroutine": KIND,
    "nested:test_funcattrs.FunctionDictsTest.test_delete___dict__": KIND,
    "nested:test_funcattrs.FunctionDictsTest.test_setting_dict_to_invalid": KIND,
    "nested:test_funcattrs.FunctionDictsTest.test_unassigned_dict": KIND,
    "nested:test_funcattrs.FunctionPropertiesTest.test___builtins__": KIND,
    "nested:test_funcattrs.InstancemethodAttrTest.test___func__": KIND,
    "nested:test_funcattrs.InstancemethodAttrTest.test___self__": KIND,
    "helpers:test_functools.TestLRUPy.test_pickle": NAMED,
    "helpers:test_functools.TestTotalOrdering.test_pickle": NAMED,
    "helpers:test_functools.TestPartialMethod.test_repr": KIND,
    "nested:test_functools.TestSingleDispatch.test_invalid_registrations": KIND,
    "methods:test_functools.TestPartial*.test_weakref": LIFE,
    "methods:test_set.Test*.test_weakref": LIFE,
    "methods:test_deque.Test*.test_weakref": LIFE,
    "methods:test_itertools.TestBasicOps.test_*tuple_reuse": LIFE,
    "methods:test_memoryview.Bytes*.test_getbuffer": LIFE,
    "methods:test_weakset.TestWeakSet.test_len_cycles": LIFE,
    "methods:test_weakset.TestWeakSet.test_union": LIFE,
    "methods:test_weakset.TestWeakSet.test_weak_destroy_while_iterating": LIFE,
    "nested:test_descr.ClassPropertiesAndMethods.test_slots": LIFE,
}
"""Patterns of tests' names that may differ, ``way:`` before those that may in one way only, and the reason."""


def allowed(name: str, way: str) -> bool:
    """Return whether a test may differ."""
    short = name.removeprefix("test.")
    return any(fnmatchcase(short, pattern) or fnmatchcase(f"{way}:{short}", pattern) for pattern in KNOWN)
