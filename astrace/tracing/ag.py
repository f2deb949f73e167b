"""The contract between rewritten code and tracing: every name that rewritten code reads as ``ag.name``.

The rewriter emits these names and knows nothing else of tracing; tracing implements them in `operators` and
``generators`` and knows nothing of the rewriter.  A test checks that all names that are emitted are here.

* control flow: `and_`, `assert_`, `chain`, `cond`, `each`, `for_loop`, `if_exp`, `not_`, `or_`, `raise_`,
  `try_`, `when`, `while_loop`, `with_`
* calls, functions and classes: `call`, `comprehend`, `decorated`, `evaluate`, `import_`, `import_from`, `keywords`,
  `local_function`, `merged_keywords`, `spread_keywords`, `star`, `super_`, `yield_`
* operators, attributes and items: `attr`, `binary`, `compare`, `delete_attr`, `delete_item`, `inplace`,
  `inplace_attr`, `inplace_item`, `item`, `method`, `slice_`, `store_attr`, `store_item`, `unary`
* names: `UNDEFINED`, `UNSET`, `assigned`, `defined`, `delete_cell`, `delete_global`, `deleted`, `named`,
  `read_cell`, `read_global`, `rebound`, `shared`, `store_cell`, `store_global`
* containers and strings: `format_value`, `join_strings`, `make_dict`, `make_list`, `make_set`, `make_tuple`,
  `mapping`, `splice`, `splice_dict`, `spread`, `starred`, `unpack`
* patterns of ``match``: `has_length`, `is_found`, `is_instance`, `is_mapping`, `is_sequence`, `item_at`,
  `mapping_rest`, `part_of`, `value_at`
"""

from __future__ import annotations

from astrace.tracing.generators.generators import comprehend, yield_
from astrace.tracing.operators.calls.calls import call
from astrace.tracing.operators.calls.evaluation import evaluate
from astrace.tracing.operators.calls.functions import local_function, super_
from astrace.tracing.operators.calls.runtime_functions import decorated
from astrace.tracing.operators.calls.star_args import star
from astrace.tracing.operators.control.branches import and_, chain, cond, if_exp, not_, or_, when
from astrace.tracing.operators.control.exceptions import try_
from astrace.tracing.operators.control.for_loop import each, for_loop
from astrace.tracing.operators.control.raise_ import assert_, raise_
from astrace.tracing.operators.control.while_loop import while_loop
from astrace.tracing.operators.control.with_ import with_
from astrace.tracing.operators.data.arithmetic import binary, compare, inplace, unary
from astrace.tracing.operators.data.attributes import attr
from astrace.tracing.operators.data.called_attributes import method
from astrace.tracing.operators.data.containers import keywords, make_dict, make_list, make_set, make_tuple
from astrace.tracing.operators.data.imports import import_, import_from
from astrace.tracing.operators.data.matching import (
    has_length,
    is_found,
    is_instance,
    is_mapping,
    is_sequence,
    item_at,
    mapping_rest,
    part_of,
    value_at,
)
from astrace.tracing.operators.data.names import (
    UNDEFINED,
    UNSET,
    assigned,
    defined,
    deleted,
    named,
    rebound,
    shared,
)
from astrace.tracing.operators.data.reads import item, read_cell, read_global, slice_
from astrace.tracing.operators.data.starred_displays import mapping, splice, splice_dict, starred
from astrace.tracing.operators.data.strings import format_value, join_strings
from astrace.tracing.operators.data.unpacking import merged_keywords, spread, spread_keywords, unpack
from astrace.tracing.operators.data.writes import (
    delete_attr,
    delete_cell,
    delete_global,
    delete_item,
    inplace_attr,
    inplace_item,
    store_attr,
    store_cell,
    store_global,
    store_item,
)

__all__ = [
    "UNDEFINED",
    "UNSET",
    "and_",
    "assert_",
    "assigned",
    "attr",
    "binary",
    "call",
    "chain",
    "compare",
    "comprehend",
    "cond",
    "decorated",
    "defined",
    "delete_attr",
    "delete_cell",
    "delete_global",
    "delete_item",
    "deleted",
    "each",
    "evaluate",
    "for_loop",
    "format_value",
    "has_length",
    "if_exp",
    "import_",
    "import_from",
    "inplace",
    "inplace_attr",
    "inplace_item",
    "is_found",
    "is_instance",
    "is_mapping",
    "is_sequence",
    "item",
    "item_at",
    "join_strings",
    "keywords",
    "local_function",
    "make_dict",
    "make_list",
    "make_set",
    "make_tuple",
    "mapping",
    "mapping_rest",
    "merged_keywords",
    "method",
    "named",
    "not_",
    "or_",
    "part_of",
    "raise_",
    "read_cell",
    "read_global",
    "rebound",
    "shared",
    "slice_",
    "splice",
    "splice_dict",
    "spread",
    "spread_keywords",
    "star",
    "starred",
    "store_attr",
    "store_cell",
    "store_global",
    "store_item",
    "super_",
    "try_",
    "unary",
    "unpack",
    "value_at",
    "when",
    "while_loop",
    "with_",
    "yield_",
]
